// Sparse times dense, for the rows that one thread handles.
#pragma once

#include <cstdint>

#include "mgnn/base/cpu.h"
#include "mgnn/base/types.h"

namespace mgnn {

// K sparse matrices on one pattern; value[e K + k] is the value of the k-th at non-zero e, or,
// where `place` is given, value[place[e] K + k]. Rows of x and y are made of blocks of `d` columns.
template <class T, class U>
struct Spmm {
  const Offset* start;
  const NodeId* index;
  const Offset* place = nullptr;  // may be null
  const U* value;
  int64_t count = 1;  // K
  int64_t d;
  const T* x = nullptr;
  T* y = nullptr;
  bool add = false;       // y += instead of y =; scatter always adds
  int64_t value_row = 0;  // for `per_head` only, from non-zero to non-zero; 0: K
  // For K = 1 and `broadcast` only.
  int64_t x_row = 0, y_row = 0;  // from row to row; 0: d
  const T* plus = nullptr;       // where given, y[r] begins as plus[r x_row + c] + bias[c]
  const T* bias = nullptr;       // may be null
};

// For rows first .. last - 1, over the non-zeros (r, i) of row r in order:
//   broadcast: y[r, k] = Σ value_k x[i]         x (n, d),   y (n, K d)
//   per_head:  y[r, k] = Σ value_k x[i, k]      x (n, K d), y (n, K d)
//   gather:    y[r]    = Σ Σ_k value_k x[i, k]  x (n, K d), y (n, d)
//   scatter:   y[i]   += Σ_k value_k x[r, k]    x (n, K d), y (n, d); `gather` by the transpose
MGNN_DECLARE_KERNELS(
    template <class T, class U> void spmm_broadcast(const Spmm<T, U>& m, NodeId first, NodeId last);
    template <class T, class U> void spmm_per_head(const Spmm<T, U>& m, NodeId first, NodeId last);
    template <class T, class U> void spmm_gather(const Spmm<T, U>& m, NodeId first, NodeId last);
    template <class T, class U> void spmm_scatter(const Spmm<T, U>& m, NodeId first, NodeId last);)

}  // namespace mgnn
