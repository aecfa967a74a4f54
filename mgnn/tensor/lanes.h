// Sums across lanes, and blocks of a matrix transposed in registers: included by *_kernel.cc only.
#pragma once

#include "mgnn/tensor/vector_kernel.h"

namespace mgnn::MGNN_KERNEL {
namespace {

template <class T>
constexpr int kSide = 32 / sizeof(T);  // of a block

// An 8 x 8 block of floats, transposed in registers.
inline void transpose_block(const float* from, int64_t from_stride, float* to, int64_t to_stride) {
  using V = Vec<float, 8>;
  V a[8], b[8];
  for (int i = 0; i < 8; i++) a[i] = load<V>(from + i * from_stride);
  for (int i = 0; i < 8; i += 2) {
    b[i] = __builtin_shufflevector(a[i], a[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    b[i + 1] = __builtin_shufflevector(a[i], a[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int j = i; j < i + 2; j++) {
      a[j] = __builtin_shufflevector(b[j], b[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      a[j + 2] = __builtin_shufflevector(b[j], b[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int i = 0; i < 4; i++) {
    store(to + i * to_stride, __builtin_shufflevector(a[i], a[i + 4], 0, 1, 2, 3, 8, 9, 10, 11));
    store(to + (i + 4) * to_stride,
          __builtin_shufflevector(a[i], a[i + 4], 4, 5, 6, 7, 12, 13, 14, 15));
  }
}
inline void transpose_block(const double* from, int64_t from_stride, double* to,
                            int64_t to_stride) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) to[j * to_stride + i] = from[i * from_stride + j];
}

// Lane i: the sum of the lanes of v[i].
inline __attribute__((always_inline)) Vec<float, 8> sums_of(const Vec<float, 8> (&v)[8]) {
  using V = Vec<float, 8>;
  V pair[4], four[2];
  for (int i = 0; i < 4; i++)
    pair[i] = __builtin_shufflevector(v[2 * i], v[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14) +
              __builtin_shufflevector(v[2 * i], v[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  for (int i = 0; i < 2; i++)
    four[i] = __builtin_shufflevector(pair[2 * i], pair[2 * i + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
              __builtin_shufflevector(pair[2 * i], pair[2 * i + 1], 2, 3, 10, 11, 6, 7, 14, 15);
  return __builtin_shufflevector(four[0], four[1], 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(four[0], four[1], 4, 5, 6, 7, 12, 13, 14, 15);
}
inline __attribute__((always_inline)) Vec<double, 4> sums_of(const Vec<double, 4> (&v)[4]) {
  Vec<double, 4> sum;
  for (int i = 0; i < 4; i++) sum[i] = (v[i][0] + v[i][1]) + (v[i][2] + v[i][3]);
  return sum;
}

}  // namespace
}  // namespace mgnn::MGNN_KERNEL
