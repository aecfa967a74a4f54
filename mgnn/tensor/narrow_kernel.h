// The product of a matrix under dropout with a weight of few columns, for the rows that one thread
// handles: nothing is written but the result.
#pragma once

#include "mgnn/base/cpu.h"
#include "mgnn/tensor/random.h"

namespace mgnn {

constexpr int64_t kMaxNarrow = 8;  // columns

// Columns are looked at by sixteens.
constexpr int64_t in_sixteens(int64_t n) { return (n + 15) / 16; }

template <class T>
struct Narrow {
  int64_t depth, cols;  // D, C <= kMaxNarrow
  const T* x;           // (n, D)
  const T* weight;      // transposed: (C, S) with S = 16 in_sixteens(D), zeros beyond D
  DropoutMask mask;     // of x, element r D + c
  uint16_t* kept;       // (n, S / 16): its bits; null: all is kept
  T* y;                 // (n, C)
};

template <class T>
struct NarrowBack {
  Narrow<T> of;
  const T* dy;
  T* dx;      // may be null
  bool add;   // dx += instead of dx =
  bool sums;  // whether the weight learns
};

// For rows first .. last - 1: `rows` fills y and kept, `back_rows` dx and adds what the rows have
// to the gradient of the transposed weight, (C, S).
MGNN_DECLARE_KERNELS(template <class T>
                     void narrow_rows(const Narrow<T>& p, int64_t first, int64_t last);
                     template <class T> void narrow_back_rows(const NarrowBack<T>& b, int64_t first,
                                                              int64_t last, T* dweight);)

}  // namespace mgnn
