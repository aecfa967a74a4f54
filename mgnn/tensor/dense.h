// Dense products, bias, and pieces of matrices.
#pragma once

#include <span>

#include "mgnn/tensor/tape.h"

namespace mgnn {

template <class T>
Var<T> matmul(Var<T> a, Var<T> b);  // a b
template <class T>
Var<T> matmul_nt(Var<T> a, Var<T> b);  // a bᵀ

// (rows, K o): each block of i columns of x (rows, K i) times that block of o columns of w (i, K
// o).
template <class T>
Var<T> block_matmul(Var<T> x, Var<T> w, int64_t blocks);

// bias (1, cols) added to every row.
template <class T>
Var<T> add_bias(Var<T> x, Var<T> bias);

// The same in place, and with `rectify` relu of that: for an x that an operation has just made,
// whose backward does not look at its value, and that nobody else uses.
template <class T>
Var<T> add_bias_in_place(Var<T> x, Var<T> bias, bool rectify = false);

// Side by side; all have the same number of rows. REQUIRES: at least one.
template <class T>
Var<T> concat_columns(std::span<const Var<T>> parts);
// One below the other; all have the same number of columns. REQUIRES: at least one.
template <class T>
Var<T> concat_rows(std::span<const Var<T>> parts);
// Columns first .. first + count - 1.
template <class T>
Var<T> slice_columns(Var<T> x, int64_t first, int64_t count);
// The same numbers, row by row, in another shape. Free.
template <class T>
Var<T> reshape(Var<T> x, int64_t rows, int64_t cols);

// Row i of the result is row index[i] of x. `index` must live as long as the step.
template <class T>
Var<T> gather_rows(Var<T> x, std::span<const NodeId> index);

// (rows, 1): the inner product of each pair of rows.
template <class T>
Var<T> row_dot(Var<T> a, Var<T> b);
// (pairs, 1): left[sources[i]] · right[targets[i]]. `left` and `right` may be the same; the lists
// must live as long as the step. Throws Error if a pair names a row that is not there.
template <class T>
Var<T> pair_dot(Var<T> left, Var<T> right, std::span<const NodeId> sources,
                std::span<const NodeId> targets);
// (rows, K): row_dot of each block of d columns of x (rows, K d) with that block of a (1, K d).
template <class T>
Var<T> block_dot(Var<T> x, Var<T> a, int64_t blocks);
// (rows, 1)
template <class T>
Var<T> row_sum(Var<T> x);
// Each row times the number in the same row of s (rows, 1).
template <class T>
Var<T> scale_rows(Var<T> x, Var<T> s);
// Each row divided by its length; rows shorter than `eps` are divided by `eps`.
template <class T>
Var<T> l2_normalise_rows(Var<T> x, double eps = 1e-12);

// The bare product C (+)= A B by all threads; see gemm_kernel.h.
template <class T>
struct Gemm;
template <class T>
void multiply(const Gemm<T>& g, Arena& scratch);

}  // namespace mgnn
