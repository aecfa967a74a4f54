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

}  // namespace mgnn
