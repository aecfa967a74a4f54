// Windows and negatives are drawn from a stream of the item's own, so that they do not depend on
// threads.

#include "mgnn/embed/skip_gram_training.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"

namespace mgnn {
namespace {

std::vector<int64_t> token_counts(const Corpus& corpus) {
  std::vector<int64_t> total(corpus.vocabulary, 0);
  ParallelError error;
#pragma omp parallel if (corpus.num_items > 64 && num_threads() > 1)
  {
    std::vector<int64_t> count;
    std::vector<NodeId> tokens;
    error.run([&] { count.assign(corpus.vocabulary, 0); });
#pragma omp for schedule(dynamic, 64)
    for (int64_t item = 0; item < corpus.num_items; item++)
      error.run([&] {
        tokens.clear();
        corpus.tokens(item, tokens);
        for (const NodeId token : tokens) count[token]++;
        check_interrupted();
      });
#pragma omp critical
    for (size_t i = 0; i < count.size(); i++) total[i] += count[i];
  }
  error.rethrow();
  return total;
}

// As in word2vec's code; empty: all 1.
std::vector<float> keep_probabilities(const std::vector<int64_t>& count, int64_t num_tokens,
                                      double subsample) {
  std::vector<float> keep;
  if (subsample <= 0) return keep;
  for (const int64_t c : count) {
    const double ratio = double(c) / (subsample * double(num_tokens));
    keep.push_back(float(std::min(1., (std::sqrt(ratio) + 1) / std::max(ratio, 1e-30))));
  }
  return keep;
}

}  // namespace

Array<AliasSlot> negative_slots(const std::vector<int64_t>& count) {
  std::vector<float> weight;
  for (const int64_t c : count) weight.push_back(float(std::pow(double(c), 0.75)));
  Array<AliasSlot> slots(count.size());
  fill_alias_slots(weight, slots);
  return slots;
}

void AlignedRows::fill_randomly(Rng rng) {
  for (int64_t r = 0; r < rows_; r++)
    for (int64_t c = 0; c < dimension_; c++)
      (*this)[r][c] = float((rng.uniform() - 0.5) / double(dimension_));
}

void AlignedRows::copy_from(const Matrix& matrix) {
  for (int64_t r = 0; r < matrix.rows; r++)
    std::copy_n(matrix.row(r).data(), matrix.cols, (*this)[r]);
}

Matrix AlignedRows::matrix() {
  Matrix result(rows_, dimension_);
  for (int64_t r = 0; r < rows_; r++) std::copy_n((*this)[r], dimension_, result.row(r).data());
  return result;
}

void SkipGramTarget::clear() {
  pieces.clear();
  input.clear();
  output.clear();
  gradient.clear();
}

void SkipGramTarget::add_piece(int first, int num_inputs) {
  const int begin = pieces.empty() ? 0 : pieces.back().output + pieces.back().num_outputs;
  const int num_outputs = int(output.size()) - begin;
  pieces.push_back({.input = first,
                    .num_inputs = num_inputs,
                    .output = begin,
                    .num_outputs = num_outputs,
                    .gradient = int(gradient.size())});
  gradient.resize(gradient.size() + skip_gram_gradients_size(num_inputs, num_outputs));
}

SkipGramStep SkipGramTarget::step(const Piece& piece, int columns) const {
  return {.input = input.data() + piece.input,
          .num_inputs = piece.num_inputs,
          .output = output.data() + piece.output,
          .num_outputs = piece.num_outputs,
          .columns = columns};
}

void SkipGramTarget::compute_gradients(int columns, float rate) {
  for (const Piece& piece : pieces)
    MGNN_DISPATCH(skip_gram_gradients, step(piece, columns), rate,
                  gradient.data() + piece.gradient);
}

void SkipGramTarget::update(int columns, int first_column, int last_column) const {
  for (const Piece& piece : pieces)
    MGNN_DISPATCH(skip_gram_update, step(piece, columns), gradient.data() + piece.gradient,
                  first_column, last_column, SkipGramUpdate::inputs_and_outputs);
}

SkipGramTraining::SkipGramTraining(const Corpus& on, const SkipGramOptions& with)
    : corpus(on),
      options(with),
      count(token_counts(on)),
      num_tokens(std::accumulate(count.begin(), count.end(), int64_t(0))),
      num_inputs(on.documents ? on.num_items : on.vocabulary),
      input(num_inputs, with.dimension),
      output(on.vocabulary, with.dimension),
      rng_(with.seed),
      negatives_(negative_slots(count)),
      keep_(keep_probabilities(count, num_tokens, with.subsample)),
      order_(on.num_items),
      progress_("learning", num_tokens * with.epochs, "tokens") {
  input.fill_randomly(rng_.split(0));
  std::iota(order_.begin(), order_.end(), 0);
}

void SkipGramTraining::begin_epoch(int64_t epoch) {
  check_interrupted();
  Rng order = rng_.split(1 + 2 * uint64_t(epoch));
  order.shuffle(std::span(order_));
  items_ = rng_.split(2 + 2 * uint64_t(epoch));
}

void SkipGramTraining::load_item(int64_t i, SkipGramItem& item) const {
  const int64_t number = order_[i];
  item.tokens.clear();
  corpus.tokens(number, item.tokens);
  item.document = corpus.documents ? NodeId(number) : -1;
  item.rng = items_.split(uint64_t(number));
  if (!keep_.empty())
    std::erase_if(item.tokens,
                  [&](NodeId token) { return !item.rng.chance(double(keep_[token])); });
}

void SkipGramTraining::draw_inputs(SkipGramItem& item, size_t place, SkipGramTarget& target) {
  if (item.document >= 0) return target.input.push_back(input[item.document]);
  const size_t reach = 1 + item.rng.below(uint64_t(options.window));
  const size_t first = place > reach ? place - reach : 0;
  const size_t last = std::min(place + reach, item.tokens.size() - 1);
  for (size_t i = first; i <= last; i++)
    if (i != place) target.input.push_back(input[item.tokens[i]]);
}

// Negatives that are the target itself are left out.
void SkipGramTraining::draw_outputs(SkipGramItem& item, size_t place, SkipGramTarget& target) {
  const NodeId observed = item.tokens[place];
  target.output.push_back(output[observed]);
  for (int i = 0; i < options.negatives; i++)
    if (const NodeId negative = draw(negatives_, item.rng); negative != observed)
      target.output.push_back(output[negative]);
}

void SkipGramTraining::draw_target(SkipGramItem& item, size_t place, SkipGramTarget& target) {
  target.clear();
  if (place >= item.tokens.size()) return;
  draw_inputs(item, place, target);
  const int num_contexts = int(target.input.size());
  const int per_piece = options.share_negatives || options.cbow ? num_contexts : 1;
  for (int i = 0; i < num_contexts; i += per_piece) {
    draw_outputs(item, place, target);
    target.add_piece(i, per_piece);
  }
}

float SkipGramTraining::learning_rate() const {
  const double done =
      double(num_done()) / double(std::max<int64_t>(1, num_tokens)) / double(options.epochs);
  return float(
      std::max(options.last_rate, options.rate - (options.rate - options.last_rate) * done));
}

void SkipGramTraining::advance(int64_t tokens) {
  done_.fetch_add(tokens, std::memory_order_relaxed);
  progress_.advance(tokens);
}

TokenVectors SkipGramTraining::vectors() {
  return {.input = input.matrix(), .output = output.matrix(), .count = count};
}

}  // namespace mgnn
