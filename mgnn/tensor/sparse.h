// Sparse times dense, and operations on the non-zeros of a pattern.
#pragma once

#include <span>

#include "mgnn/sparse/csr.h"
#include "mgnn/tensor/tape.h"

namespace mgnn {

// A pattern and its transpose, so that the backward pass is row-parallel, too.
struct Pattern {
  Csr rows;
  Csr columns;          // the transpose of `rows`
  Array<Offset> place;  // non-zero e of `columns` is non-zero place[e] of `rows`
};
Pattern make_pattern(Csr rows);

// K fixed matrices on one pattern; K = 1 is an ordinary operator. Read-only once made.
struct Operator {
  int64_t count = 1;  // K
  Csr pattern;
  Array<float> value;             // (nnz, K): the K values of a non-zero lie together
  Csr transposed;                 // empty where the matrices are symmetric
  Array<float> transposed_value;  // (nnz, K)
  bool symmetric = false;

  const Csr& back() const { return symmetric ? pattern : transposed; }
  const Array<float>& back_value() const { return symmetric ? value : transposed_value; }
};
// REQUIRES: values (nnz, K).
Operator make_operator(Csr pattern, Array<float> values, int64_t count = 1);

// (n, K d): the K products A_k x side by side, in one pass over the pattern; x is (n, d).
// The operator must live as long as the step; so must patterns below.
template <class T>
Var<T> spmm(const Operator& a, Var<T> x);

// (n, d): A left + right + bias, where x (n, 2 d) is [left | right]: the messages of the neighbours
// and the node's own, from one product with both weights. K = 1; the bias (1, d) may have no rows.
template <class T>
Var<T> spmm_plus_self(const Operator& a, Var<T> x, Var<T> bias);

// spmm with values (nnz, K) that may learn. x is (n, d): result [A_1 x | ... | A_K x].
template <class T>
Var<T> spmm(const Pattern& pattern, Var<T> values, Var<T> x);
// K heads: x is (n, K d), matrix k multiplies the k-th d columns.
template <class T>
Var<T> spmm_heads(const Pattern& pattern, Var<T> values, Var<T> x);

// Like spmm with max for Σ, column by column: max over the non-zeros i of row r with value_k != 0
// of value_k x[i]; 0 where there is none. Of equal ones the first gets the gradient.
template <class T>
Var<T> spmm_max(const Pattern& pattern, Var<T> values, Var<T> x);

// Column by column the largest x[i] over the non-zeros i of row r; 0 where there are none. Of equal
// ones the first gets the gradient.
template <class T>
Var<T> neighbour_max(const Pattern& pattern, Var<T> x);

// (nnz, d): left[r] + right[c] for every non-zero (r, c). Attention scores are made of this.
template <class T>
Var<T> edge_add(const Pattern& pattern, Var<T> left, Var<T> right);
// (nnz, 1): left[r] · right[c].
template <class T>
Var<T> edge_dot(const Pattern& pattern, Var<T> left, Var<T> right);

}  // namespace mgnn
