// Vectors for kernel files: included by *_kernel.cc only, once per instruction set.
#pragma once

#include <cstdint>

namespace mgnn::MGNN_KERNEL {
namespace {

template <class T, int lanes>
struct VecOf {
  typedef T type __attribute__((vector_size(lanes * sizeof(T))));
};
template <class T, int lanes>
using Vec = typename VecOf<T, lanes>::type;

template <class T>
constexpr int kLanes = 32 / sizeof(T);  // of a full vector

template <class V, class T>
inline __attribute__((always_inline)) V load(const T* from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <class V, class T>
inline __attribute__((always_inline)) void store(T* to, const V& v) {
  __builtin_memcpy(to, &v, sizeof v);
}
template <class T>
inline T larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
inline T smaller(T a, T b) {
  return a < b ? a : b;
}

// e^x to about one unit in the last place for x <= 0 (0 below -87), in steps that vectorise:
// x = n ln 2 + r, e^r by a polynomial, 2^n by its bits.
inline float exp_of_negative(float x) {
  x = larger(x, -87.f);
  const float shifted = x * 1.44269504f + 12582912.f;  // rounds to the nearest integer
  const float n = shifted - 12582912.f;
  const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.f;
  const int32_t bits = (int32_t(n) + 127) << 23;
  float power;
  __builtin_memcpy(&power, &bits, sizeof power);
  return p * power;
}
inline double exp_of_negative(double x) { return __builtin_exp(x); }

}  // namespace
}  // namespace mgnn::MGNN_KERNEL
