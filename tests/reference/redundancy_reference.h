// Redundancy minimisation written with one tape operation per step of its definition.
#pragma once

#include "mgnn/tensor/ops.h"
#include "mgnn/tensor/redundancy.h"

namespace mgnn::reference {

// A row of `matrix` as (1, cols).
template <class T>
Var<T> row_of(Var<T> matrix, int64_t row) {
  const int64_t cols = matrix.cols;
  return slice_columns(reshape(matrix, 1, matrix.size()), row * cols, cols);
}

// Rows first .. first + count - 1.
template <class T>
Var<T> rows_of(Var<T> matrix, int64_t first, int64_t count) {
  const int64_t cols = matrix.cols;
  return reshape(slice_columns(reshape(matrix, 1, matrix.size()), first * cols, count * cols),
                 count, cols);
}

// What minimise_redundancy computes, motif by motif, with the same random operations.
template <class T>
Var<T> redundancy(const BundleMap& map, Var<T> h, Var<T> z, const RedundancyWeights<T>& w,
                  const RedundancyOptions& options) {
  const int64_t motifs = map.size(), d = z.cols;
  const Var<T> own = dropout(w.own, options.weight_dropout);
  std::vector<Var<T>> neighbour;
  for (int64_t k = 0; k < motifs; k++) {
    const int32_t j = map.index[k];
    neighbour.push_back(j < 0 ? scale(z, 0.)
                              : scale(slice_columns(h, j * d, d), double(map.factor[k])));
  }
  std::vector<Var<T>> f, g, gates;
  for (int64_t k = 0; k < motifs; k++) {
    std::vector<Var<T>> others = neighbour;
    others[k] = z;
    f.push_back(add_bias(matmul(neighbour[k], own), w.own_bias));
    g.push_back(
        add_bias(matmul(concat_columns<T>(others), rows_of(w.rest, k * motifs * d, motifs * d)),
                 row_of(w.rest_bias, k)));
    const Var<T> dot = row_dot(f.back(), g.back());
    gates.push_back(options.gate == Gate::sigmoid ? sigmoid(dot) : tanh(dot));
  }
  const Var<T> beta = dropout(concat_columns<T>(gates), options.gate_dropout);
  std::vector<Var<T>> distilled;
  for (size_t k = 0; k < size_t(motifs); k++) {
    const Var<T> rest = scale_rows(sub(f[k], g[k]), slice_columns(beta, int64_t(k), 1));
    distilled.push_back(options.rectify ? relu(rest) : rest);
  }
  return concat_columns<T>(distilled);
}

}  // namespace mgnn::reference
