#include "mgnn/task/ranking.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>

#include "mgnn/base/cpu.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/motif/motifs.h"
#include "mgnn/tensor/gemm_kernel.h"

namespace mgnn {
namespace {

// A tile of scores stays in the first-level cache. The width is no power of two, so that the rows
// of a block of targets do not fall on the same lines.
constexpr int64_t kTileRows = 24, kTileColumns = 240;

struct Better {
  bool operator()(const RankedPair& a, const RankedPair& b) const {
    if (a.score != b.score) return a.score > b.score;
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  }
};

// The best pairs so far; the worst of them on top.
class TopPairs {
 public:
  explicit TopPairs(size_t most) : most_(most) {}
  // Scores below it cannot come in.
  float threshold() const {
    return heap_.size() < most_ ? -std::numeric_limits<float>::infinity() : heap_.top().score;
  }
  void offer(const RankedPair& pair) {
    if (heap_.size() == most_) {
      if (!Better()(pair, heap_.top())) return;
      heap_.pop();
    }
    heap_.push(pair);
  }
  void move_to(std::vector<RankedPair>& all) {
    for (; !heap_.empty(); heap_.pop()) all.push_back(heap_.top());
  }

 private:
  size_t most_;
  std::priority_queue<RankedPair, std::vector<RankedPair>, Better> heap_;
};

// Rows of `from` for the chosen nodes.
Matrix chosen_rows(const Matrix& from, std::span<const NodeId> nodes) {
  Matrix rows(int64_t(nodes.size()), from.cols);
  for (size_t i = 0; i < nodes.size(); i++)
    std::copy_n(from.data.begin() + nodes[i] * from.cols, from.cols,
                rows.data.begin() + int64_t(i) * from.cols);
  return rows;
}

// The same in blocks of kTileColumns nodes, each transposed: (d, kTileColumns), zeros at the end.
Array<float> transposed_blocks(const Matrix& from, std::span<const NodeId> nodes) {
  const int64_t d = from.cols, count = int64_t(nodes.size());
  const int64_t blocks = (count + kTileColumns - 1) / kTileColumns;
  Array<float> data(size_t(blocks * d * kTileColumns), 0.f);
  for (int64_t i = 0; i < count; i++) {
    float* to = data.data() + i / kTileColumns * d * kTileColumns + i % kTileColumns;
    for (int64_t c = 0; c < d; c++) to[c * kTileColumns] = from(nodes[size_t(i)], c);
  }
  return data;
}

class Ranker {
 public:
  Ranker(const Matrix& left, const Matrix& right, const RankQuestion& question, const Graph& known)
      : q_(question),
        known_(known),
        rows_(chosen_rows(left, question.sources)),
        columns_(transposed_blocks(right, question.targets)),
        is_source_(size_t(known.num_nodes()), 0),
        is_target_(size_t(known.num_nodes()), 0) {
    for (const NodeId u : q_.sources) is_source_[size_t(u)] = 1;
    for (const NodeId v : q_.targets) is_target_[size_t(v)] = 1;
  }

  int64_t row_blocks() const { return (rows_.rows + kTileRows - 1) / kTileRows; }
  int64_t column_blocks() const {
    return (int64_t(q_.targets.size()) + kTileColumns - 1) / kTileColumns;
  }

  void tile(int64_t row_block, int64_t column_block, float* score, TopPairs& top) const {
    const int64_t d = rows_.cols, first_row = row_block * kTileRows;
    const int64_t first_column = column_block * kTileColumns;
    const int64_t rows = std::min(kTileRows, rows_.rows - first_row);
    const int64_t columns = std::min(kTileColumns, int64_t(q_.targets.size()) - first_column);
    const Gemm<float> product{.rows = rows,
                              .cols = kTileColumns,
                              .depth = d,
                              .a = rows_.data.data() + first_row * d,
                              .a_row = d,
                              .a_col = 1,
                              .b = columns_.data() + column_block * d * kTileColumns,
                              .b_row = kTileColumns,
                              .b_col = 1,
                              .c = score,
                              .c_row = kTileColumns,
                              .add = false};
    MGNN_DISPATCH(gemm, product);
    for (int64_t r = 0; r < rows; r++) {
      const NodeId u = q_.sources[size_t(first_row + r)];
      const float* const row = score + r * kTileColumns;
      float threshold = top.threshold();
      for (int64_t c = 0; c < columns; c++) {
        if (!(row[c] >= threshold)) continue;
        const NodeId v = q_.targets[size_t(first_column + c)];
        if (!asked(u, v)) continue;
        top.offer({u, v, row[c]});
        threshold = top.threshold();
      }
    }
  }

 private:
  bool asked(NodeId u, NodeId v) const {
    if (u == v || known_.has_arc(u, v)) return false;
    if (q_.directed) return true;
    const bool twice = is_source_[size_t(v)] && is_target_[size_t(u)];  // it is there as (v, u) too
    return !(twice && u > v) && !known_.has_arc(v, u);
  }

  const RankQuestion& q_;
  const Graph& known_;
  Matrix rows_;
  Array<float> columns_;
  std::vector<uint8_t> is_source_, is_target_;
};

std::vector<NodeId> nodes_of(const Dataset& dataset, int32_t type) {
  std::vector<NodeId> nodes;
  for (NodeId v = 0; v < dataset.graph.num_nodes(); v++)
    if (type < 0 || dataset.node_type[size_t(v)] == type) nodes.push_back(v);
  return nodes;
}

const NamedParameter* find_weight(const Parameters& weights, std::string_view name) {
  for (const NamedParameter& p : weights.all)
    if (p.name == name) return &p;
  return nullptr;
}

Matrix weight_matrix(const Parameters& weights, const Parameter& p) {
  Matrix m(p.rows, p.cols);
  std::copy_n(weights.value_of(p), p.size(), m.data.begin());
  return m;
}

// x -> right end of what the bilinear decoder makes of it; see with_decoder.
Matrix times_decoder(const Matrix& x, const Matrix& m) {
  Matrix y = x;
  for (int64_t r = 0; r < x.rows; r++)
    for (int64_t i = 0; i < m.rows; i++)
      for (int64_t c = 0; c < m.cols; c++) y(r, c) += x(r, i) * m(i, c);
  return y;
}

float dot(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.f);
}

// to[k] += h_k(v) · (W_k other) / 2, W_k the rows of block k: for all k.
void add_blocks(std::span<const float> h, const Matrix& weight, std::span<const float> other,
                std::span<const MotifBlock> blocks, std::span<float> to) {
  for (size_t k = 0; k < blocks.size(); k++)
    for (int64_t i = blocks[k].first; i < blocks[k].first + blocks[k].count; i++)
      if (h[i] != 0) to[k] += h[i] * dot(weight.row(i), other) / 2;
}

}  // namespace

RankQuestion rank_question(const Dataset& dataset, const LinkOptions& options, NodeId partner_of) {
  const LinkEnds ends = link_ends(dataset, options);
  RankQuestion question{nodes_of(dataset, ends.from), nodes_of(dataset, ends.to),
                        is_directed(options.decoder)};
  if (partner_of < 0) return question;
  const auto among = [&](const std::vector<NodeId>& nodes) {
    return std::binary_search(nodes.begin(), nodes.end(), partner_of);
  };
  if (among(question.sources))
    question.sources = {partner_of};
  else if (among(question.targets))
    question.targets = {partner_of};
  else
    fail_usage("{}: is of type {}, not of those asked about", dataset.ids.name(partner_of),
               dataset.node_type_names[size_t(dataset.node_type[size_t(partner_of)])]);
  return question;
}

std::vector<RankedPair> rank_pairs(const Matrix& left, const Matrix& right,
                                   const RankQuestion& question, const Graph& known, int64_t top) {
  check(top > 0, "top is {}; use at least 1", top);
  check(left.cols == right.cols, "{} and {} columns cannot be multiplied", left.cols, right.cols);
  const Ranker ranker(left, right, question, known);
  std::vector<RankedPair> all;
  const int64_t row_blocks = ranker.row_blocks(), column_blocks = ranker.column_blocks();
#pragma omp parallel if (worth_threads(left.cols * row_blocks * column_blocks * 64))
  {
    TopPairs best{size_t(top)};
    alignas(64) float score[kTileRows * kTileColumns];
    // Blocks of targets outside: their rows stay in the second-level cache.
#pragma omp for schedule(dynamic, 64) collapse(2)
    for (int64_t c = 0; c < column_blocks; c++)
      for (int64_t r = 0; r < row_blocks; r++)
        if (!interrupted()) ranker.tile(r, c, score, best);
#pragma omp critical
    best.move_to(all);
  }
  check_interrupted();
  std::sort(all.begin(), all.end(), Better());
  if (int64_t(all.size()) > top) all.resize(size_t(top));
  return all;
}

EndMatrices end_matrices(const Matrix& out, Decoder decoder) {
  if (!is_directed(decoder)) return {out, out};
  const int64_t d = out.cols / 2;
  EndMatrices ends{Matrix(out.rows, d), Matrix(out.rows, d)};
  for (int64_t r = 0; r < out.rows; r++) {
    std::copy_n(out.row(r).begin(), d, ends.left.row(r).begin());
    std::copy_n(out.row(r).begin() + d, d, ends.right.row(r).begin());
  }
  return ends;
}

Contributions motif_contributions(const TrainedModel& model, const Matrix& representation,
                                  const Matrix& out, std::span<const RankedPair> pairs) {
  const std::vector<MotifBlock> blocks = model.model->motif_blocks();
  if (blocks.empty()) return {};
  const Linear last = model.model->output_layer();
  const Decoder decoder = link_options_of(*model.config).decoder;
  const Matrix weight = weight_matrix(model.weights, last.weight),
               b = weight_matrix(model.weights, last.bias);
  EndMatrices w = end_matrices(weight, decoder == Decoder::bilinear ? Decoder::inner : decoder);
  EndMatrices biases = end_matrices(b, decoder == Decoder::bilinear ? Decoder::inner : decoder);
  if (const NamedParameter* m = find_weight(model.weights, kDecoderWeight)) {
    w.right = times_decoder(weight, weight_matrix(model.weights, *m));
    biases.right = times_decoder(b, weight_matrix(model.weights, *m));
  }
  const EndMatrices ends = end_matrices(out, decoder);
  Contributions result;
  for (const MotifBlock& block : blocks) result.names.push_back(motif_label(block.motif));
  result.names.push_back("bias");
  result.value = Matrix(int64_t(pairs.size()), int64_t(blocks.size()) + 1);
  for (size_t i = 0; i < pairs.size(); i++) {
    const auto [u, v, score] = pairs[i];
    const std::span<float> to = result.value.row(int64_t(i));
    add_blocks(representation.row(u), w.left, ends.right.row(v), blocks, to);
    add_blocks(representation.row(v), w.right, ends.left.row(u), blocks, to);
    to.back() =
        (dot(biases.left.row(0), ends.right.row(v)) + dot(ends.left.row(u), biases.right.row(0))) /
        2;
  }
  return result;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(names.size(), 5); i++)
    text += (i > 0 ? ", " : "") + in_quotes(names[i]);
  return text + (names.size() > 5 ? ", …" : "");
}

double Support::precision_at(int64_t k) const {
  const auto count = std::min<std::ptrdiff_t>(k, std::ptrdiff_t(supported.size()));
  return count > 0 ? double(std::count(supported.begin(), supported.begin() + count, uint8_t(1))) /
                         double(count)
                   : 0;
}

Support support_of(const std::string& path, const Dataset& dataset,
                   std::span<const RankedPair> pairs, bool directed) {
  Support support;
  const NodePairs listed = read_pairs(path, dataset, support.unknown_ids);
  std::set<std::pair<NodeId, NodeId>> known;
  for (size_t i = 0; i < listed.size(); i++) known.emplace(listed.from[i], listed.to[i]);
  support.listed = int64_t(listed.size());
  for (const RankedPair& pair : pairs)
    support.supported.push_back(known.contains({pair.from, pair.to}) ||
                                (!directed && known.contains({pair.to, pair.from})));
  return support;
}

}  // namespace mgnn
