#include "mgnn/embed/arc_matrix.h"

#include <cmath>

#include "mgnn/base/cpu.h"
#include "mgnn/base/error.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/spmm_kernel.h"

namespace mgnn {

void ArcMatrix::times_by_blocks(const double* x, int64_t columns, double* y,
                                const std::function<void(NodeId first, NodeId last)>& after) const {
  const Spmm<double, double> product{.start = pattern->start.data(),
                                     .index = pattern->index.data(),
                                     .value = value.data(),
                                     .d = columns,
                                     .x = x,
                                     .y = y};
  for_row_blocks(pattern->rows, spmm_work(pattern->nnz(), pattern->rows, columns),
                 [&](NodeId first, NodeId last) {
                   MGNN_DISPATCH(spmm_broadcast, product, first, last);
                   after(first, last);
                 });
}

void ArcMatrix::times(const double* x, int64_t columns, double* y) const {
  times_by_blocks(x, columns, y, [](NodeId, NodeId) {});
}

double ArcMatrix::row_sum(NodeId row) const {
  double sum = 0;
  for (Offset e = pattern->start[row]; e < pattern->start[row + 1]; e++) sum += value[e];
  return sum;
}

ArcMatrices arc_matrices(const EmbedInput& input) {
  const Graph& graph = input.graph;
  const std::span<const float> weight = input.arc_weight;
  check(weight.empty() || weight.size() == size_t(graph.num_arcs()), "{} weights for {} arcs",
        weight.size(), graph.num_arcs());
  ArcMatrices result;
  result.forward = ArcMatrix{&graph.out, Array<double>(size_t(graph.num_arcs()), 1)};
  result.backward = ArcMatrix{&graph.in, Array<double>(size_t(graph.num_arcs()), 1)};
  if (weight.empty()) return result;
  // In the order of sources, the arcs of every row of `in` are ascending.
  Array<Offset> next = graph.in.start;
  for (Offset e = 0; e < graph.num_arcs(); e++) {
    const double w = double(weight[e]);
    check(w >= 0 && std::isfinite(w), "weights must be finite and at least 0, not {}", w);
    result.forward.value[e] = w;
    result.backward.value[next[graph.out.index[e]]++] = w;
  }
  return result;
}

void divide_rows(ArcMatrices& matrices, std::span<const double> divisor) {
  const Csr& out = *matrices.forward.pattern;
  const Csr& in = *matrices.backward.pattern;
  const auto divided = [&](double value, NodeId row) {
    return divisor[row] == 0 ? value : value / divisor[row];
  };
  for (NodeId u = 0; u < out.rows; u++) {
    for (Offset e = out.start[u]; e < out.start[u + 1]; e++)
      matrices.forward.value[e] = divided(matrices.forward.value[e], u);
    for (Offset e = in.start[u]; e < in.start[u + 1]; e++)
      matrices.backward.value[e] = divided(matrices.backward.value[e], in.index[e]);
  }
}

}  // namespace mgnn
