// Sparse input features times a dense weight.
#pragma once

#include "mgnn/tensor/sparse.h"

namespace mgnn {

// Bag-of-words features are nearly all zeros, and a zero stays zero under dropout: only the
// non-zeros are stored, multiplied and dropped.
struct SparseFeatures {
  Csr pattern;  // (n, features)
  Array<float> value;
  Csr transposed;
  Array<float> transposed_value;
  Array<Offset> place;  // non-zero e of `transposed` is non-zero place[e] of `pattern`
};
SparseFeatures make_sparse_features(SparseMatrix features);

// X W, (n, d), with dropout of probability p on X in training. `x` lives as long as the step.
template <class T>
Var<T> sparse_features_times(const SparseFeatures& x, Var<T> weight, double p = 0);

// The same for `modules` networks side by side, each with a mask of its own; weight is
// (features, modules d), and the k-th d columns of the result are those of module k.
template <class T>
Var<T> sparse_features_times(const SparseFeatures& x, Var<T> weight, int64_t modules, double p);

// M neighbour + X self, where row r of M is, column by column, the maximum of the rows of X that row r
// of `pattern` lists (0 for an empty row). Dropout and modules as above; M is never stored.
template <class T>
Var<T> sparse_features_max_times(const Pattern& pattern, const SparseFeatures& x, Var<T> neighbour,
                                 Var<T> self, int64_t modules = 1, double p = 0);

}  // namespace mgnn
