#include "mgnn/task/rank_pairs.h"

#include <algorithm>

#include "mgnn/base/cpu.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/task/top_pairs.h"
#include "mgnn/tensor/gemm_kernel.h"

namespace mgnn {
namespace {

// A tile of scores stays in the first-level cache. The width is no power of two, so that the rows
// of a block of targets do not fall on the same lines.
constexpr int64_t kTileRows = 24, kTileColumns = 240;

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
    for (int64_t c = 0; c < d; c++) to[c * kTileColumns] = from(nodes[i], c);
  }
  return data;
}

class Ranker {
 public:
  Ranker(const Matrix& left, const Matrix& right, const RankQuestion& question, const Graph& known)
      : q_(question),
        rows_(chosen_rows(left, question.sources)),
        columns_(transposed_blocks(right, question.targets)),
        asked_(question, known) {}

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
      const NodeId u = q_.sources[first_row + r];
      const float* const row = score + r * kTileColumns;
      float threshold = top.threshold();
      for (int64_t c = 0; c < columns; c++) {
        if (!(row[c] >= threshold)) continue;
        const NodeId v = q_.targets[first_column + c];
        if (!asked_(u, v)) continue;
        top.offer({u, v, row[c]});
        threshold = top.threshold();
      }
    }
  }

 private:
  const RankQuestion& q_;
  Matrix rows_;
  Array<float> columns_;
  AskedPairs asked_;
};

std::vector<NodeId> nodes_of(const Dataset& dataset, int32_t type) {
  std::vector<NodeId> nodes;
  for (NodeId v = 0; v < dataset.graph.num_nodes(); v++)
    if (type < 0 || dataset.node_type[v] == type) nodes.push_back(v);
  return nodes;
}

}  // namespace

AskedPairs::AskedPairs(const RankQuestion& question, const Graph& known)
    : directed_(question.directed),
      known_(known),
      is_source_(size_t(known.num_nodes()), 0),
      is_target_(size_t(known.num_nodes()), 0) {
  for (const NodeId u : question.sources) is_source_[u] = 1;
  for (const NodeId v : question.targets) is_target_[v] = 1;
}

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
               dataset.node_type_names[dataset.node_type[partner_of]]);
  return question;
}

std::vector<RankedPair> rank_pairs(const Matrix& left, const Matrix& right,
                                   const RankQuestion& question, const Graph& known, int64_t top) {
  check(top > 0, "top is {}; use at least 1", top);
  check(left.cols == right.cols, "{} and {} columns cannot be multiplied", left.cols, right.cols);
  const Ranker ranker(left, right, question, known);
  std::vector<RankedPair> all;
  const int64_t row_blocks = ranker.row_blocks(), column_blocks = ranker.column_blocks();
  ParallelError error;
#pragma omp parallel if (worth_threads(left.cols * row_blocks * column_blocks * 64))
  {
    TopPairs best{size_t(top)};
    alignas(64) float score[kTileRows * kTileColumns];
    // Blocks of targets outside: their rows stay in the second-level cache.
#pragma omp for schedule(dynamic, 64) collapse(2)
    for (int64_t c = 0; c < column_blocks; c++)
      for (int64_t r = 0; r < row_blocks; r++)
        error.run([&] {
          check_interrupted();
          ranker.tile(r, c, score, best);
        });
#pragma omp critical
    error.run([&] { best.move_to(all); });
  }
  error.rethrow();
  std::sort(all.begin(), all.end(), BetterPair());
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

}  // namespace mgnn
