// The dense product.
#pragma once

#include <cstdint>

#include "mgnn/base/cpu.h"

namespace mgnn {

// C (rows, cols) = A (rows, depth) B (depth, cols), or C += A B. Element (i, p) of A is
// a[i a_row + p a_col], so a transposed operand is one with its strides exchanged. The order of
// each sum depends on `depth` alone.
template <class T>
struct Gemm {
  int64_t rows, cols, depth;
  const T* a;
  int64_t a_row, a_col;
  const T* b;
  int64_t b_row, b_col;
  T* c;
  int64_t c_row;
  bool add;
};

MGNN_DECLARE_KERNELS(template <class T> void gemm(const Gemm<T>& g);)

// The same by all threads (product.cc).
class Arena;
template <class T>
void multiply(const Gemm<T>& g, Arena& scratch);

}  // namespace mgnn
