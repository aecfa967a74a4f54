// Matrices of a tape whose rows are divided among ranks, and rows that ranks send to each other.
#pragma once

#include "mgnn/tensor/row_share.h"
#include "mgnn/tensor/tape.h"

namespace mgnn {

// Of the whole matrix: rows, and the number of the first element that is here.
template <class T>
int64_t total_rows(const Var<T>& x) {
  return x.share ? x.share->total : x.rows;
}
template <class T>
uint64_t first_element(const Var<T>& x) {
  return x.share ? uint64_t(x.share->first * x.cols) : 0;
}

// For operations that need all rows at once. Throws Error (usage).
template <class T>
void check_undivided(const char* operation, const Var<T>& x) {
  if (x.share)
    fail_usage("{} needs all nodes at once, so it cannot be divided among ranks", operation);
}

// (halo.rows, cols): this rank's rows and those of other ranks. Row r of x begins at x + r row_step. Called
// by all ranks.
template <class T>
const T* with_halo(const RowShare& share, const Halo& halo, const T* x, int64_t cols,
                   int64_t row_step, Arena& arena);
template <class T>
const T* with_halo(const RowShare& share, const Halo& halo, const T* x, int64_t cols,
                   Arena& arena) {
  return with_halo(share, halo, x, cols, cols, arena);
}

// All rows, on every rank, outside the shares of the tape; x itself if it is undivided. The gradient of
// the result must be the same on all ranks, as is what is computed of it. Called by all ranks.
template <class T>
Var<T> gathered(Var<T> x);

}  // namespace mgnn
