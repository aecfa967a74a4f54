#include "mgnn/models/batch.h"

#include <algorithm>

namespace mgnn {
namespace {

// The nodes of one graph: first .. last - 1 of the union go to `to` .. of the part.
struct Block {
  NodeId first, last, to;
};

struct Blocks {
  std::vector<Block> all;
  NodeId rows = 0;  // together

  Offset nnz(const Csr& pattern) const {
    Offset sum = 0;
    for (const Block& b : all)
      sum += pattern.start[size_t(b.last)] - pattern.start[size_t(b.first)];
    return sum;
  }
};

enum class Columns { nodes, features };  // nodes are renumbered

void slice_pattern(const Csr& from, const Blocks& blocks, Columns columns, Csr& to) {
  to.rows = blocks.rows;
  to.cols = columns == Columns::nodes ? blocks.rows : from.cols;
  to.start.resize(size_t(blocks.rows) + 1);
  to.index.resize(size_t(blocks.nnz(from)));
  Offset at = 0;
  for (const Block& b : blocks.all) {
    const Offset first = from.start[size_t(b.first)], last = from.start[size_t(b.last)];
    const Offset shift = at - first;
    for (NodeId r = b.first; r < b.last; r++)
      to.start[size_t(b.to + r - b.first)] = from.start[size_t(r)] + shift;
    const NodeId renumber = columns == Columns::nodes ? b.to - b.first : 0;
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
  for (const Block& b : blocks.all)
    at = std::copy(from.begin() + pattern.start[size_t(b.first)] * count,
                   from.begin() + pattern.start[size_t(b.last)] * count, at);
}

void slice_operator(const Operator& from, const Blocks& blocks, Operator& to) {
  to.count = from.count;
  to.symmetric = from.symmetric;
  slice_pattern(from.pattern, blocks, Columns::nodes, to.pattern);
  slice_values(from.value, from.count, from.pattern, blocks, to.value);
  if (from.symmetric) return;
  slice_pattern(from.transposed, blocks, Columns::nodes, to.transposed);
  slice_values(from.transposed_value, from.count, from.transposed, blocks, to.transposed_value);
}

// A graph's non-zeros have the same places in a block-diagonal pattern and in its transpose.
void slice_places(const Pattern& from, const Blocks& blocks, Array<Offset>& to) {
  to.resize(size_t(blocks.nnz(from.rows)));
  Offset at = 0;
  for (const Block& b : blocks.all) {
    const Offset first = from.rows.start[size_t(b.first)], last = from.rows.start[size_t(b.last)];
    std::transform(from.place.begin() + first, from.place.begin() + last, to.begin() + at,
                   [shift = at - first](Offset e) { return e + shift; });
    at += last - first;
  }
}

void slice_operators(const Operators& from, const Blocks& blocks, Operators& to) {
  to.fixed.resize(from.fixed.size());
  for (size_t i = 0; i < from.fixed.size(); i++)
    if (from.fixed[i].pattern.rows > 0) slice_operator(from.fixed[i], blocks, to.fixed[i]);
  to.patterns.resize(from.patterns.size());
  to.values.resize(from.values.size());
  for (size_t i = 0; i < from.patterns.size(); i++) {
    slice_pattern(from.patterns[i].rows, blocks, Columns::nodes, to.patterns[i].rows);
    slice_pattern(from.patterns[i].columns, blocks, Columns::nodes, to.patterns[i].columns);
    slice_places(from.patterns[i], blocks, to.patterns[i].place);
    if (i >= from.values.size()) continue;
    const int64_t nnz = std::max<Offset>(from.patterns[i].rows.nnz(), 1);
    slice_values(from.values[i], int64_t(from.values[i].size()) / nnz, from.patterns[i].rows,
                 blocks, to.values[i]);
  }
  to.maps = from.maps;
}

// The features' columns are not those of one graph: their transpose is filled column by column.
void transpose_in_place(SparseFeatures& x) {
  transpose_into(x.pattern, x.transposed, x.place);
  x.transposed_value.resize(x.place.size());
  for (size_t e = 0; e < x.place.size(); e++) x.transposed_value[e] = x.value[x.place[e]];
}

void slice_features(const Batch& all, const Blocks& blocks, Batch& part) {
  if (const auto* from = std::get_if<SparseFeatures>(&all.x)) {
    if (!std::holds_alternative<SparseFeatures>(part.x)) part.x = SparseFeatures();
    auto& to = std::get<SparseFeatures>(part.x);
    slice_pattern(from->pattern, blocks, Columns::features, to.pattern);
    slice_values(from->value, 1, from->pattern, blocks, to.value);
    return transpose_in_place(to);
  }
  const Matrix& from = std::get<Matrix>(all.x);
  if (!std::holds_alternative<Matrix>(part.x)) part.x = Matrix();
  Matrix& to = std::get<Matrix>(part.x);
  to.rows = blocks.rows, to.cols = from.cols;
  to.data.resize(size_t(to.rows * to.cols));
  for (const Block& b : blocks.all)
    std::copy(from.data.begin() + b.first * from.cols, from.data.begin() + b.last * from.cols,
              to.data.begin() + b.to * from.cols);
}

}  // namespace

void slice_batch(const Batch& all, std::span<const NodeId> graphs, Batch& part) {
  Blocks blocks;
  blocks.all.reserve(graphs.size());
  part.graph_start.assign(1, 0);
  for (const NodeId g : graphs) {
    const auto first = NodeId(all.graph_start[size_t(g)]);
    const auto last = NodeId(all.graph_start[size_t(g) + 1]);
    blocks.all.push_back({first, last, blocks.rows});
    blocks.rows += last - first;
    part.graph_start.push_back(blocks.rows);
  }
  part.num_nodes = blocks.rows;
  slice_features(all, blocks, part);
  slice_operators(all.operators, blocks, part.operators);
}

Batch slice_batch(const Batch& all, std::span<const NodeId> graphs) {
  Batch part;
  slice_batch(all, graphs, part);
  return part;
}

Batch whole_batch(const Dataset& dataset, const Model& model) {
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
  batch.operators = model.operators(dataset.graph);
  return batch;
}

}  // namespace mgnn
