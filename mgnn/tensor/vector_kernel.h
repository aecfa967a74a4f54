// Vectors for kernel files: included by *_kernel.cc only, once per instruction set.
#pragma once

#include <cstdint>
#include <type_traits>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace mgnn::MGNN_KERNEL {
namespace {

template <class T, int lanes>
struct VecOf {
  typedef T type __attribute__((vector_size(lanes * sizeof(T))));
};
template <class T, int lanes>
using Vec = typename VecOf<T, lanes>::type;

// What a kernel does with the place of its result.
enum class Update { overwrite, add };
constexpr Update update_of(bool add) { return add ? Update::add : Update::overwrite; }

template <int n>
using Number = std::integral_constant<int, n>;

#ifdef __AVX512F__
constexpr int kVectorBytes = 64;
#else
constexpr int kVectorBytes = 32;
#endif
template <class T>
constexpr int kLanes = kVectorBytes / sizeof(T);  // of a full vector

template <class V>
using Element = std::remove_cvref_t<decltype(V{}[0])>;
template <class V>
constexpr int kLanesOf = sizeof(V) / sizeof(Element<V>);

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
// The first `count` lanes; the others are zero, or are left alone.
template <class V, class T>
inline __attribute__((always_inline)) V load_first(const T* from, int64_t count) {
  if (count >= kLanesOf<V>) return load<V>(from);
#ifdef __AVX512F__
  const auto first = uint32_t(1) << count;
  if constexpr (sizeof(V) == 16 && sizeof(T) == 4)
    return V(_mm_maskz_loadu_ps(__mmask8(first - 1), from));
  if constexpr (sizeof(V) == 32 && sizeof(T) == 4)
    return V(_mm256_maskz_loadu_ps(__mmask8(first - 1), from));
  if constexpr (sizeof(V) == 64 && sizeof(T) == 4)
    return V(_mm512_maskz_loadu_ps(__mmask16(first - 1), from));
  if constexpr (sizeof(V) == 32 && sizeof(T) == 8)
    return V(_mm256_maskz_loadu_pd(__mmask8(first - 1), from));
  if constexpr (sizeof(V) == 64 && sizeof(T) == 8)
    return V(_mm512_maskz_loadu_pd(__mmask8(first - 1), from));
#endif
  V v = {};
  for (int l = 0; l < count; l++) v[l] = from[l];
  return v;
}
template <class V, class T>
inline __attribute__((always_inline)) void store_first(T* to, int64_t count, const V& v) {
  if (count >= kLanesOf<V>) return store(to, v);
#ifdef __AVX512F__
  const auto first = uint32_t(1) << count;
  if constexpr (sizeof(V) == 16 && sizeof(T) == 4)
    return _mm_mask_storeu_ps(to, __mmask8(first - 1), __m128(v));
  if constexpr (sizeof(V) == 32 && sizeof(T) == 4)
    return _mm256_mask_storeu_ps(to, __mmask8(first - 1), __m256(v));
  if constexpr (sizeof(V) == 64 && sizeof(T) == 4)
    return _mm512_mask_storeu_ps(to, __mmask16(first - 1), __m512(v));
  if constexpr (sizeof(V) == 32 && sizeof(T) == 8)
    return _mm256_mask_storeu_pd(to, __mmask8(first - 1), __m256d(v));
  if constexpr (sizeof(V) == 64 && sizeof(T) == 8)
    return _mm512_mask_storeu_pd(to, __mmask8(first - 1), __m512d(v));
#endif
  for (int l = 0; l < count; l++) to[l] = v[l];
}
template <class T>
inline T smaller(T a, T b) {
  return a < b ? a : b;
}

// e^x = 2^n (1 + m) for x <= 0 with |log2(1 + m)| <= 1/2, lane by lane: x = n ln 2 + r, m by a
// polynomial in r, 2^n by its bits.
template <class V>
struct PowerOfTwo {
  V power, m;
};
template <class V>
inline __attribute__((always_inline)) PowerOfTwo<V> split_exp(V x) {
  using Bits = Vec<int32_t, kLanesOf<V>>;
  x = x > -87.f ? x : V{} - 87.f;
  const V n = (x * 1.44269504f + 12582912.f) - 12582912.f;  // rounds to the nearest integer
  const V r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  V p = r * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const Bits power = (__builtin_convertvector(n, Bits) + 127) << 23;
  return {(V)power, p * r * r + r};
}
// e^x for x <= 0 to about one unit in the last place (0 below -87 in float).
template <class V>
inline __attribute__((always_inline)) V exp_of_negative(V x) {
  if constexpr (sizeof(Element<V>) == 4) {
    const PowerOfTwo<V> e = split_exp(x);
    return (e.m + 1.f) * e.power;
  } else {
    for (int l = 0; l < kLanesOf<V>; l++) x[l] = __builtin_exp(x[l]);
    return x;
  }
}
// e^x - 1 for x <= 0, small x included.
template <class V>
inline __attribute__((always_inline)) V exp_minus_one_of_negative(V x) {
  if constexpr (sizeof(Element<V>) == 4) {
    const PowerOfTwo<V> e = split_exp(x);
    return e.m * e.power + (e.power - 1.f);
  } else {
    for (int l = 0; l < kLanesOf<V>; l++) x[l] = __builtin_expm1(x[l]);
    return x;
  }
}

}  // namespace
}  // namespace mgnn::MGNN_KERNEL
