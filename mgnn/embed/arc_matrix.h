// The adjacency matrix of a graph, times blocks of vectors.
#pragma once

#include <functional>

#include "mgnn/embed/embedding.h"

namespace mgnn {

// Values on a pattern that must outlive them.
struct ArcMatrix {
  const Csr* pattern;
  Array<double> value;  // (nnz)

  // y (rows, columns) = M x, x (cols, columns), both row by row. Parallel, deterministic.
  void times(const double* x, int64_t columns, double* y) const;
  // The same, with a call of `after(first, last)` for each finished block of rows, by its thread.
  void times_by_blocks(const double* x, int64_t columns, double* y,
                       const std::function<void(NodeId first, NodeId last)>& after) const;
  double row_sum(NodeId row) const;
};

// A and its transpose, on the patterns graph.out and graph.in. Weights must be finite and at least
// 0: throws Error (usage) otherwise.
struct ArcMatrices {
  ArcMatrix forward, backward;
};
ArcMatrices arc_matrices(const EmbedInput& input);

// Divides row i of the matrix, which is column i of its transpose, by divisor[i] unless that is 0.
void divide_rows(ArcMatrices& matrices, std::span<const double> divisor);

}  // namespace mgnn
