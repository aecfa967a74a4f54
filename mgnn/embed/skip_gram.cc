// Two ways to use several threads.
//
// In order (the default): items are taken in groups, and of each group the first tokens, then the
// second, and so on. A batch of such targets is done in two strides. First the slopes, by all
// threads, one target each, from the vectors as the batch found them. Then the updates in the order
// of the items, by all threads, each in columns of its own. No sum depends on who adds it, so the
// bits do not depend on the number of threads. Targets of one batch are from different items, so
// that they seldom meet in a vector; groups are small where the vocabulary is.
//
// Unordered: every thread takes items and updates as it goes, without locks (Hogwild: Recht et al.
// 2011). Reads and writes race by intent; a lost update is noise among noise.
//
// Windows and noise are drawn from a stream of the item's own in both.

#include "mgnn/embed/skip_gram.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <span>

#include "mgnn/base/alias.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/cpu.h"
#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/embed/skip_gram_kernel.h"

namespace mgnn {
namespace {

// Rows at the beginning of cache lines, padded with zeros.
class Rows {
 public:
  Rows(int64_t count, int64_t dimension)
      : columns_(int((dimension + 15) / 16 * 16)), data_(size_t(count * columns_ + 16), 0) {
    first_ = data_.data() + (64 - reinterpret_cast<uintptr_t>(data_.data()) % 64) / 4 % 16;
  }
  float* operator[](int64_t row) { return first_ + row * columns_; }
  int columns() const { return columns_; }

  void fill_randomly(int64_t count, int64_t dimension, Rng rng) {
    for (int64_t r = 0; r < count; r++)
      for (int64_t c = 0; c < dimension; c++)
        (*this)[r][c] = float((rng.uniform() - 0.5) / double(dimension));
  }
  void copy_from(const Matrix& matrix) {
    for (int64_t r = 0; r < matrix.rows; r++)
      std::copy_n(matrix.row(r).data(), matrix.cols, (*this)[r]);
  }
  Matrix matrix(int64_t count, int64_t dimension) {
    Matrix result(count, dimension);
    for (int64_t r = 0; r < count; r++) std::copy_n((*this)[r], dimension, result.row(r).data());
    return result;
  }

 private:
  int columns_;
  Array<float> data_;
  float* first_;
};

// An item under way.
struct Item {
  std::vector<NodeId> tokens;
  NodeId document = -1;
  Rng rng = Rng(0);
};

// A target with its window and its noise: one piece if all of the window shares the noise, else one
// for each of its tokens.
struct Target {
  struct Piece {
    int input, num_inputs, output, num_outputs, slope;  // where its part of the arrays begins
  };
  std::vector<Piece> pieces;
  std::vector<float*> input, output;
  std::vector<float> slope;

  void clear() { pieces.clear(), input.clear(), output.clear(), slope.clear(); }
  // From input `first` on, with the outputs after those that other pieces have.
  void add_piece(int first, int num_inputs) {
    const int begin = pieces.empty() ? 0 : pieces.back().output + pieces.back().num_outputs;
    const int num_outputs = int(output.size()) - begin;
    pieces.push_back({first, num_inputs, begin, num_outputs, int(slope.size())});
    slope.resize(slope.size() + size_t(skip_gram_slopes_size(num_inputs, num_outputs)));
  }
  SkipGramStep step(const Piece& piece, int columns) const {
    return {input.data() + piece.input, piece.num_inputs, output.data() + piece.output,
            piece.num_outputs, columns};
  }
  void find_slopes(int columns, float rate) {
    for (const Piece& piece : pieces)
      MGNN_DISPATCH(skip_gram_slopes, step(piece, columns), rate, slope.data() + piece.slope);
  }
  void update(int columns, int first, int last) const {
    for (const Piece& piece : pieces)
      MGNN_DISPATCH(skip_gram_update, step(piece, columns), slope.data() + piece.slope, first, last,
                    true);
  }
};

// What tokens a corpus has.
struct Tally {
  std::vector<int64_t> count;  // (vocabulary)
  int64_t total = 0;
};

Tally tally_of(const Corpus& corpus) {
  Tally tally{std::vector<int64_t>(size_t(corpus.vocabulary), 0)};
  ParallelError error;
#pragma omp parallel if (corpus.num_items > 64 && num_threads() > 1)
  {
    std::vector<int64_t> count(size_t(corpus.vocabulary), 0);
    std::vector<NodeId> tokens;
#pragma omp for schedule(dynamic, 64)
    for (int64_t item = 0; item < corpus.num_items; item++)
      error.run([&] {
        tokens.clear();
        corpus.tokens(item, tokens);
        for (const NodeId token : tokens) count[size_t(token)]++;
        check_interrupted();
      });
#pragma omp critical
    for (size_t i = 0; i < count.size(); i++) tally.count[i] += count[i];
  }
  error.rethrow();
  tally.total = std::accumulate(tally.count.begin(), tally.count.end(), int64_t(0));
  return tally;
}

Array<AliasSlot> noise_slots(const std::vector<int64_t>& count) {
  std::vector<float> weight;
  for (const int64_t c : count) weight.push_back(float(std::pow(double(c), 0.75)));
  Array<AliasSlot> slots(count.size());
  fill_alias_slots(weight, slots);
  return slots;
}

// Share of the occurrences to keep, as word2vec's code has it; empty: all.
std::vector<float> kept_shares(const Tally& tally, double subsample) {
  std::vector<float> kept;
  if (subsample <= 0) return kept;
  for (const int64_t c : tally.count) {
    const double ratio = double(c) / (subsample * double(tally.total));
    kept.push_back(float(std::min(1., (std::sqrt(ratio) + 1) / std::max(ratio, 1e-30))));
  }
  return kept;
}

// Ways through a Huffman tree: at each inner node a token has the first child or the second.
struct HuffmanWays {
  struct Turn {
    NodeId node;  // 0..vocabulary-2, the root last
    bool second;
  };
  std::vector<std::vector<Turn>> of_token;
};

HuffmanWays huffman_ways(const std::vector<int64_t>& count) {
  const size_t tokens = count.size();
  HuffmanWays ways{std::vector<std::vector<HuffmanWays::Turn>>(tokens)};
  if (tokens < 2) return ways;
  using Subtree = std::pair<int64_t, size_t>;  // occurrences; a token, or `tokens` + an inner node
  std::priority_queue<Subtree, std::vector<Subtree>, std::greater<>> roots;
  for (size_t t = 0; t < tokens; t++) roots.emplace(count[t], t);
  std::vector<HuffmanWays::Turn> above(2 * tokens - 1);
  for (size_t inner = 0; inner + 1 < tokens; inner++) {
    int64_t together = 0;
    for (const bool second : {false, true}) {
      above[roots.top().second] = {NodeId(inner), second};
      together += roots.top().first;
      roots.pop();
    }
    roots.emplace(together, tokens + inner);
  }
  for (size_t t = 0; t < tokens; t++)
    for (size_t at = t; at + 2 < 2 * tokens; at = tokens + size_t(above[at].node))
      ways.of_token[t].push_back(above[at]);
  return ways;
}

class Trainer {
 public:
  Trainer(const Corpus& corpus, const SkipGramOptions& options)
      : corpus_(corpus),
        options_(options),
        rng_(options.seed),
        tally_(tally_of(corpus)),
        noise_(noise_slots(tally_.count)),
        kept_(kept_shares(tally_, options.subsample)),
        num_inputs_(corpus.documents ? corpus.num_items : corpus.vocabulary),
        input_(num_inputs_, options.dimension),
        output_(corpus.vocabulary, options.dimension),
        inner_(options.hierarchical ? corpus.vocabulary : 0, options.dimension),
        order_(size_t(corpus.num_items)),
        progress_("learning", tally_.total * options.epochs, "tokens") {
    input_.fill_randomly(num_inputs_, options.dimension, rng_.split(0));
    std::iota(order_.begin(), order_.end(), 0);
    if (options.hierarchical) ways_ = huffman_ways(tally_.count);
  }

  void run() {
    for (int64_t epoch = 0; epoch < options_.epochs; epoch++) {
      Rng order = rng_.split(1 + 2 * uint64_t(epoch));
      order.shuffle(std::span(order_));
      items_ = rng_.split(2 + 2 * uint64_t(epoch));
      if (options_.cbow)
        run_cbow();
      else if (options_.unordered)
        run_unordered();
      else
        run_in_order();
      check_interrupted();
    }
  }

  TokenVectors vectors() {
    return {input_.matrix(num_inputs_, options_.dimension),
            output_.matrix(corpus_.vocabulary, options_.dimension), std::move(tally_.count)};
  }

 private:
  void fetch(int64_t number, Item& item) const {
    item.tokens.clear();
    corpus_.tokens(number, item.tokens);
    item.document = corpus_.documents ? NodeId(number) : -1;
    item.rng = items_.split(uint64_t(number));
    if (!kept_.empty())
      std::erase_if(item.tokens,
                    [&](NodeId token) { return !item.rng.chance(double(kept_[size_t(token)])); });
  }

  // The noise for the target at `place`; some of it may be the target itself, and is left out.
  void draw_outputs(Item& item, size_t place, Target& target) {
    const NodeId seen = item.tokens[place];
    target.output.push_back(output_[seen]);
    for (int i = 0; i < options_.negatives; i++)
      if (const NodeId noise = draw(noise_, item.rng); noise != seen)
        target.output.push_back(output_[noise]);
  }

  void draw_inputs(Item& item, size_t place, Target& target) {
    if (item.document >= 0) return target.input.push_back(input_[item.document]);
    const size_t reach = 1 + size_t(item.rng.below(uint64_t(options_.window)));
    const size_t first = place > reach ? place - reach : 0;
    const size_t last = std::min(place + reach, item.tokens.size() - 1);
    for (size_t i = first; i <= last; i++)
      if (i != place) target.input.push_back(input_[item.tokens[i]]);
  }

  void draw_target(Item& item, size_t place, Target& target) {
    target.clear();
    if (place >= item.tokens.size()) return;
    draw_inputs(item, place, target);
    const int count = int(target.input.size());
    const int at_once = options_.share_negatives || options_.cbow ? count : 1;
    for (int i = 0; i < count; i += at_once) {
      draw_outputs(item, place, target);
      target.add_piece(i, at_once);
    }
  }

  float rate_after(int64_t tokens) const {
    const double done =
        double(tokens) / double(std::max<int64_t>(1, tally_.total)) / double(options_.epochs);
    return float(
        std::max(options_.last_rate, options_.rate - (options_.rate - options_.last_rate) * done));
  }

  void run_unordered() {
    const int columns = input_.columns();
    ParallelError error;
#pragma omp parallel if (num_threads() > 1)
    {
      Item item;
      Target target;
#pragma omp for schedule(dynamic, 16)
      for (int64_t i = 0; i < corpus_.num_items; i++)
        error.run([&] {
          check_interrupted();
          fetch(order_[size_t(i)], item);
          const float rate = rate_after(done_.load(std::memory_order_relaxed));
          for (size_t place = 0; place < item.tokens.size(); place++) {
            draw_target(item, place, target);
            target.find_slopes(columns, rate);
            target.update(columns, 0, columns);
          }
          advance(int64_t(item.tokens.size()));
        });
    }
    error.rethrow();
  }

  // Items of one group, not so many that a batch is a large part of all vectors.
  int64_t group_size() const { return std::clamp<int64_t>(num_inputs_ / 8, 1, 512); }

  // Whether a batch of so many targets is long enough to be shared, in nanoseconds.
  bool worth_sharing(int64_t targets) const {
    const int64_t inputs = corpus_.documents ? 1 : options_.window + 1;
    return worth_threads(targets * inputs * (1 + options_.negatives) * options_.dimension / 16);
  }

  // Threads wait for each other at every batch, which takes longer than it helps if others use the
  // cores too. The result is the same with and without them, so now and then both are tried.
  void run_in_order() {
    const int64_t size = group_size();
    std::vector<Item> items(static_cast<size_t>(size));
    std::vector<Target> targets(items.size());
    const bool may = worth_sharing(size);
    for (int64_t first = 0; first < corpus_.num_items; first += size, turn_++) {
      check_interrupted();
      const auto count = size_t(std::min(size, corpus_.num_items - first));
      const int64_t turn = turn_ % kPeriod;
      const bool parallel = may && (turn < 2 ? turn == 1 : seconds_[1] < seconds_[0]);
      const int64_t before = done_.load();
      const Stopwatch watch;
      learn_group(std::span(items).first(count), std::span(targets).first(count), first, parallel);
      if (turn < 2)
        seconds_[parallel] = watch.seconds() / double(std::max<int64_t>(1, done_.load() - before));
    }
  }

  void learn_group(std::span<Item> items, std::span<Target> targets, int64_t first, bool parallel) {
    const float rate = rate_after(done_.load());
    const auto count = int64_t(items.size());
    const int columns = input_.columns();
    size_t longest = 0;
    ParallelError error;
#pragma omp parallel if (parallel)
    {
#pragma omp for schedule(dynamic, 4) reduction(max : longest)
      for (int64_t i = 0; i < count; i++)
        error.run([&] {
          fetch(order_[size_t(first + i)], items[size_t(i)]);
          longest = std::max(longest, items[size_t(i)].tokens.size());
        });
      const int parts = std::min(omp_get_num_threads(), columns / 16);
      for (size_t place = 0; place < longest; place++) {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < count; i++) {
          draw_target(items[size_t(i)], place, targets[size_t(i)]);
          targets[size_t(i)].find_slopes(columns, rate);
        }
#pragma omp for schedule(static, 1)
        for (int part = 0; part < parts; part++)
          for (const Target& target : targets)
            target.update(columns, int(split_point(columns / 16, parts, part)) * 16,
                          int(split_point(columns / 16, parts, part + 1)) * 16);
      }
    }
    error.rethrow();
    int64_t tokens = 0;
    for (const Item& item : items) tokens += int64_t(item.tokens.size());
    advance(tokens);
  }

  // The way to the target, after its noise; where it takes the first child is as good as seen.
  void add_way(NodeId seen, float rate, Target& target) {
    for (const auto& [node, second] : ways_.of_token[size_t(seen)])
      target.output.push_back(inner_[node]);
    target.slope.resize(size_t(skip_gram_slopes_size(1, int64_t(target.output.size()))));
    rate_of_way_.clear();
    for (const auto& [node, second] : ways_.of_token[size_t(seen)])
      rate_of_way_.push_back(second ? 0 : rate);
  }

  // The mean of the window is the one input; what it learns, every token of the window learns.
  void run_cbow() {
    Item item;
    Target target;
    Rows mean(2, options_.dimension);  // as used, and as changed
    float* const before = mean[0];
    float* after = mean[1];
    const int columns = input_.columns();
    for (const int64_t number : order_) {
      check_interrupted();
      fetch(number, item);
      const float rate = rate_after(done_.load());
      for (size_t place = 0; place < item.tokens.size(); place++) {
        draw_target(item, place, target);
        if (target.pieces.empty()) continue;
        if (options_.hierarchical) add_way(item.tokens[place], rate, target);
        std::fill_n(before, columns, 0.f);
        for (const float* x : target.input)
          for (int c = 0; c < columns; c++) before[c] += x[c] / float(target.input.size());
        std::copy_n(before, columns, after);
        const SkipGramStep step = {&after, 1, target.output.data(), int(target.output.size()),
                                   columns};
        MGNN_DISPATCH(skip_gram_slopes, step, rate, target.slope.data());
        const size_t way = target.output.size() - rate_of_way_.size();
        for (size_t k = 0; k < rate_of_way_.size(); k++) target.slope[way + k] += rate_of_way_[k];
        MGNN_DISPATCH(skip_gram_update, step, target.slope.data(), 0, columns, true);
        for (float* x : target.input)
          for (int c = 0; c < columns; c++) x[c] += after[c] - before[c];
      }
      advance(int64_t(item.tokens.size()));
    }
  }

  void advance(int64_t tokens) {
    done_.fetch_add(tokens, std::memory_order_relaxed);
    progress_.advance(tokens);
  }

  const Corpus& corpus_;
  const SkipGramOptions& options_;
  Rng rng_, items_ = Rng(0);
  Tally tally_;
  Array<AliasSlot> noise_;
  std::vector<float> kept_;
  int64_t num_inputs_;
  Rows input_, output_, inner_;
  HuffmanWays ways_;
  std::vector<float> rate_of_way_;  // of the target under way
  std::vector<int64_t> order_;
  std::atomic<int64_t> done_ = 0;
  static constexpr int64_t kPeriod = 64;
  int64_t turn_ = 0;            // groups done
  double seconds_[2] = {0, 0};  // for a token when last tried: alone, together
  Progress progress_;
};

void check_options(const Corpus& corpus, const SkipGramOptions& o) {
  check(o.dimension > 0 && o.window > 0 && o.epochs > 0,
        "dimension, window and epochs must be above 0, not {}, {} and {}", o.dimension, o.window,
        o.epochs);
  check(o.negatives > 0, "there must be at least one negative, not {}", o.negatives);
  check(o.rate > 0 && o.last_rate >= 0 && o.last_rate <= o.rate,
        "the learning rate cannot go from {} to {}", o.rate, o.last_rate);
  check(!o.cbow || !corpus.documents, "documents have no window for cbow");
  check(o.cbow || !o.hierarchical, "hierarchical goes with cbow; add cbow=true");
}

}  // namespace

TokenVectors train_skip_gram(const Corpus& corpus, const SkipGramOptions& options) {
  check_options(corpus, options);
  Trainer trainer(corpus, options);
  trainer.run();
  return trainer.vectors();
}

Matrix infer_documents(const Corpus& corpus, const TokenVectors& trained,
                       const SkipGramOptions& options) {
  check_options(corpus, options);
  check(trained.output.cols == options.dimension && trained.output.rows == corpus.vocabulary,
        "the vectors were trained for other tokens or another dimension");
  const Rng rng(options.seed);
  const Array<AliasSlot> noise = noise_slots(trained.count);
  Rows input(corpus.num_items, options.dimension), output(corpus.vocabulary, options.dimension);
  input.fill_randomly(corpus.num_items, options.dimension, rng.split(0));
  output.copy_from(trained.output);
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 4) if (corpus.num_items > 4 && num_threads() > 1)
  for (int64_t number = 0; number < corpus.num_items; number++)
    error.run([&] {
      Rng draws = rng.split(1 + uint64_t(number));
      std::vector<NodeId> tokens;
      corpus.tokens(number, tokens);
      std::vector<float> slope(size_t(skip_gram_slopes_size(1, 1 + options.negatives)));
      std::vector<float*> outputs;
      float* document = input[number];
      for (int64_t epoch = 0; epoch < options.epochs; epoch++) {
        check_interrupted();
        const double rate = options.rate - (options.rate - options.last_rate) * double(epoch) /
                                               double(options.epochs);
        draws.shuffle(std::span(tokens));
        for (const NodeId token : tokens) {
          outputs = {output[token]};
          for (int i = 0; i < options.negatives; i++)
            if (const NodeId other = draw(noise, draws); other != token)
              outputs.push_back(output[other]);
          const SkipGramStep step = {&document, 1, outputs.data(), int(outputs.size()),
                                     input.columns()};
          MGNN_DISPATCH(skip_gram_slopes, step, float(rate), slope.data());
          MGNN_DISPATCH(skip_gram_update, step, slope.data(), 0, step.columns, false);
        }
      }
    });
  error.rethrow();
  return input.matrix(corpus.num_items, options.dimension);
}

}  // namespace mgnn
