// Attention of several heads over neighbours, from the scores to the activation.
#pragma once

#include "mgnn/tensor/sparse.h"

namespace mgnn {

struct AttentionOptions {
  int64_t heads = 1;  // K
  double slope = 0.2;
  double dropout = 0;  // on α
};

// (n, K d). Of each head: elu(Σ_j α_ij x_j + bias) over the non-zeros j of row i, where α_ij is the
// softmax along the row of leaky_relu(target · x_i + source · x_j, slope). x is (n, K d); target,
// source and bias are (1, K d). What block_dot, edge_add, leaky_relu, segment_softmax, dropout,
// spmm_heads, add_bias and elu give, in one pass over the pattern forward and two back.
template <class T>
Var<T> attend(const Pattern& pattern, Var<T> x, Var<T> target, Var<T> source, Var<T> bias,
              const AttentionOptions& options);

}  // namespace mgnn
