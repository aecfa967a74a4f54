#include "mgnn/models/batch.h"

#include <algorithm>
#include <cmath>

namespace mgnn {
namespace {

// The nodes of one graph: first .. last - 1 of the union go to `to` .. of the part; columns move by
// `columns`.
struct Block {
  NodeId first, last, to, columns;
};

struct Blocks {
  std::vector<Block> list;
  NodeId rows = 0, cols = 0;  // in total

  Offset nnz(const Csr& pattern) const {
    Offset sum = 0;
    for (const Block& b : list) sum += pattern.start[b.last] - pattern.start[b.first];
    return sum;
  }
};

// Of matrices with several rows or columns for every node.
Blocks repeated(const Blocks& blocks, NodeId rows, NodeId cols) {
  Blocks result{blocks.list, blocks.rows * rows, blocks.cols * cols};
  for (Block& b : result.list) b = {b.first * rows, b.last * rows, b.to * rows, b.columns * cols};
  return result;
}

enum class Columns { nodes, features };  // nodes are renumbered

void slice_pattern(const Csr& from, const Blocks& blocks, Columns columns, Csr& to) {
  to.rows = blocks.rows;
  to.cols = columns == Columns::nodes ? blocks.cols : from.cols;
  to.start.resize(size_t(blocks.rows) + 1);
  to.index.resize(size_t(blocks.nnz(from)));
  Offset at = 0;
  for (const Block& b : blocks.list) {
    const Offset first = from.start[b.first], last = from.start[b.last];
    const Offset shift = at - first;
    for (NodeId r = b.first; r < b.last; r++) to.start[b.to + r - b.first] = from.start[r] + shift;
    const NodeId renumber = columns == Columns::nodes ? b.columns : 0;
    std::transform(from.index.begin() + first, from.index.begin() + last, to.index.begin() + at,
                   [=](NodeId c) { return c + renumber; });
    at += last - first;
  }
  to.start.back() = at;
}

// `count` numbers for every non-zero of `pattern`.
void slice_values(const Array<float>& from, int64_t count, const Csr& pattern, const Blocks& blocks,
                  Array<float>& to) {
  to.resize(size_t(blocks.nnz(pattern) * count));
  auto at = to.begin();
  for (const Block& b : blocks.list)
    at = std::copy(from.begin() + pattern.start[b.first] * count,
                   from.begin() + pattern.start[b.last] * count, at);
}

void slice_operator(const Operator& from, const Blocks& rows, const Blocks& columns, Operator& to) {
  to.count = from.count;
  to.symmetric = from.symmetric;
  slice_pattern(from.pattern, rows, Columns::nodes, to.pattern);
  slice_values(from.value, from.count, from.pattern, rows, to.value);
  if (from.symmetric) return;
  slice_pattern(from.transposed, columns, Columns::nodes, to.transposed);
  slice_values(from.transposed_value, from.count, from.transposed, columns, to.transposed_value);
}

// It may have several columns for every node.
void slice_operator(const Operator& from, const Blocks& blocks, Operator& to) {
  if (from.pattern.rows == 0) return void(to = {});
  const NodeId times = from.pattern.cols / from.pattern.rows;
  if (times == 1) return slice_operator(from, blocks, blocks, to);
  slice_operator(from, repeated(blocks, 1, times), repeated(blocks, times, 1), to);
}

// A graph's non-zeros have the same places in a block-diagonal pattern and in its transpose.
void slice_places(const Pattern& from, const Blocks& blocks, Array<Offset>& to) {
  to.resize(size_t(blocks.nnz(from.rows)));
  Offset at = 0;
  for (const Block& b : blocks.list) {
    const Offset first = from.rows.start[b.first], last = from.rows.start[b.last];
    std::transform(from.place.begin() + first, from.place.begin() + last, to.begin() + at,
                   [shift = at - first](Offset e) { return e + shift; });
    at += last - first;
  }
}

void slice_pattern(const Pattern& from, const Blocks& blocks, Pattern& to) {
  if (from.rows.rows == 0) return void(to = {});
  slice_pattern(from.rows, blocks, Columns::nodes, to.rows);
  slice_pattern(from.columns, blocks, Columns::nodes, to.columns);
  slice_places(from, blocks, to.place);
}

void slice_motifs(const MotifOperators& from, const Blocks& blocks, MotifOperators& to) {
  to.set = from.set;
  to.map = from.map;
  slice_operator(from.interleaved, blocks, to.interleaved);
  to.separate.resize(from.separate.size());
  for (size_t k = 0; k < from.separate.size(); k++)
    slice_operator(from.separate[k], blocks, to.separate[k]);
  slice_pattern(from.pattern, blocks, to.pattern);
  const int64_t nnz = std::max<Offset>(from.pattern.rows.nnz(), 1);
  if (from.pattern.rows.rows > 0)
    slice_values(from.value, int64_t(from.value.size()) / nnz, from.pattern.rows, blocks, to.value);
}

void slice_operators(const Operators& from, const Blocks& blocks, Operators& to) {
  slice_operator(from.adjacency, blocks, to.adjacency);
  slice_pattern(from.neighbours, blocks, to.neighbours);
  slice_pattern(from.neighbours_and_self, blocks, to.neighbours_and_self);
  to.log_weight.clear();
  if (!from.log_weight.empty())
    slice_values(from.log_weight, 1, from.neighbours_and_self.rows, blocks, to.log_weight);
  slice_operator(from.relational, blocks, to.relational);
  slice_motifs(from.motifs, blocks, to.motifs);
}

// The features' columns are not those of one graph: their transpose is filled column by column.
void transpose_in_place(SparseFeatures& x) {
  transpose_into(x.pattern, x.transposed, x.place);
  x.transposed_value.resize(x.place.size());
  for (size_t e = 0; e < x.place.size(); e++) x.transposed_value[e] = x.value[x.place[e]];
}

void slice_features(const Batch& whole, const Blocks& blocks, Batch& part) {
  if (const auto* from = std::get_if<SparseFeatures>(&whole.x)) {
    if (!std::holds_alternative<SparseFeatures>(part.x)) part.x = SparseFeatures();
    auto& to = std::get<SparseFeatures>(part.x);
    slice_pattern(from->pattern, blocks, Columns::features, to.pattern);
    slice_values(from->value, 1, from->pattern, blocks, to.value);
    return transpose_in_place(to);
  }
  const Matrix& from = std::get<Matrix>(whole.x);
  if (!std::holds_alternative<Matrix>(part.x)) part.x = Matrix();
  Matrix& to = std::get<Matrix>(part.x);
  to.rows = blocks.rows, to.cols = from.cols;
  to.data.resize(size_t(to.rows * to.cols));
  for (const Block& b : blocks.list)
    std::copy(from.data.begin() + b.first * from.cols, from.data.begin() + b.last * from.cols,
              to.data.begin() + b.to * from.cols);
}

}  // namespace

void slice_batch(const Batch& whole, std::span<const NodeId> graphs, Batch& part) {
  Blocks blocks;
  blocks.list.reserve(graphs.size());
  part.graph_start.assign(1, 0);
  for (const NodeId g : graphs) {
    const auto first = NodeId(whole.graph_start[g]);
    const auto last = NodeId(whole.graph_start[g + 1]);
    blocks.list.push_back({first, last, blocks.rows, blocks.rows - first});
    blocks.rows = blocks.cols += last - first;
    part.graph_start.push_back(blocks.rows);
  }
  part.num_nodes = blocks.rows;
  slice_features(whole, blocks, part);
  slice_operators(whole.operators, blocks, part.operators);
}

Batch slice_batch(const Batch& whole, std::span<const NodeId> graphs) {
  Batch part;
  slice_batch(whole, graphs, part);
  return part;
}

int64_t Batch::num_features() const {
  if (const auto* sparse = std::get_if<SparseFeatures>(&x)) return sparse->pattern.cols;
  return std::get<Matrix>(x).cols;
}

void check_arc_weights(const Dataset& dataset, const Model& model) {
  const ArcWeights usable = model.arc_weights();
  if (usable == ArcWeights::unused) return;
  const auto fits = [&](float w) {
    return std::isfinite(w) && (usable == ArcWeights::finite || w > 0 ||
                                (w == 0 && usable == ArcWeights::non_negative));
  };
  const Array<float>& weight = dataset.arc_weight;
  const auto wrong = std::find_if_not(weight.begin(), weight.end(), fits);
  if (wrong == weight.end()) return;
  const Array<Offset>& start = dataset.graph.out.start;
  const Offset arc = wrong - weight.begin();
  const auto from = NodeId(std::upper_bound(start.begin(), start.end(), arc) - start.begin() - 1);
  const auto name = [&](NodeId v) { return dataset.ids.name(v); };
  fail_data(Hint(Hint::setting, "data.weighted=false"),
            "{}: the arc {} -> {} has weight {}, but the network needs {} weights", dataset.name,
            name(from), name(dataset.graph.out.index[arc]), *wrong,
            usable == ArcWeights::finite         ? "finite"
            : usable == ArcWeights::non_negative ? "finite, non-negative"
                                                 : "finite, positive");
}

Batch whole_batch(const Dataset& dataset, const Model& model) {
  check_arc_weights(dataset, model);
  Batch batch;
  batch.num_nodes = dataset.graph.num_nodes();
  if (const auto* sparse = std::get_if<SparseMatrix>(&dataset.features))
    batch.x = make_sparse_features(*sparse);
  else
    batch.x = std::get<Matrix>(dataset.features);
  if (dataset.is_set())
    batch.graph_start.assign(dataset.graph_start.begin(), dataset.graph_start.end());
  else
    batch.graph_start = {0, batch.num_nodes};
  const bool weighted = model.arc_weights() != ArcWeights::unused;
  batch.operators = model.operators(
      {dataset.graph,
       weighted ? std::span<const float>(dataset.arc_weight) : std::span<const float>(),
       dataset.relations});
  return batch;
}

}  // namespace mgnn
