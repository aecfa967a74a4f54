// The largest singular values and vectors of a matrix that is known by its products only.
#pragma once

#include <functional>
#include <vector>

#include "mgnn/base/types.h"

namespace mgnn {

// A matrix (rows, cols) as products with several vectors at once. Blocks of vectors are stored row
// by row: x[r, c] is x[r * columns + c].
struct LinearMap {
  using Product = std::function<void(const double* x, int64_t columns, double* y)>;
  int64_t rows = 0, cols = 0;
  Product times;             // y (rows, columns) = M x,   x (cols, columns)
  Product transposed_times;  // y (cols, columns) = Mᵀ x,  x (rows, columns)
};

struct SvdOptions {
  int rank = 64;
  int oversampling = 10;     // vectors beyond the rank
  int power_iterations = 2;  // more: nearer to the best approximation where values fall slowly
  uint64_t seed = 0;
};

// Throws Error (usage) if numbers that a user gave do not fit in SvdOptions.
void check_svd_options(int64_t dimension, int64_t power_iterations);

// M ≈ Σ_k value[k] left_k right_kᵀ, values descending.
struct TruncatedSvd {
  int64_t rank = 0;           // at most that asked for, and at most min(rows, cols)
  std::vector<double> value;  // (rank)
  Array<double> left;         // (rows, rank), row by row; columns orthonormal
  Array<double> right;        // (cols, rank)
};

// Halko, Martinsson, Tropp 2011: subspace iteration from a random block, orthonormalised after
// every product. Exact up to rounding if rank + oversampling reach min(rows, cols). Of each pair
// of vectors the sign is such that the largest entry of `left` (the first of equals) is positive.
// Deterministic if the products are. 2 power_iterations + 2 products. Can be interrupted.
TruncatedSvd randomized_svd(const LinearMap& map, const SvdOptions& options = {});

}  // namespace mgnn
