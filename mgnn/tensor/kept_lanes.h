// What dropout keeps, as bits and in lanes: included by *_kernel.cc only.
#pragma once

#include "mgnn/tensor/random.h"
#include "mgnn/tensor/vector_kernel.h"

namespace mgnn::MGNN_KERNEL {
namespace {

// 1, 2, 4, ...
template <class V>
[[gnu::always_inline]] inline V powers_of_two() {
  V power;
  for (int l = 0; l < kLanesOf<V>; l++) power[l] = Element<V>(1) << l;
  return power;
}

// Lane l: that of v where bit l is set, else 0.
template <class V>
[[gnu::always_inline]] inline V where_kept(uint32_t bits, V v) {
  constexpr bool kSingle = sizeof(Element<V>) == 4;
#ifdef __AVX512F__
  if constexpr (sizeof(V) == 16 && kSingle) return V(_mm_maskz_mov_ps(__mmask8(bits), __m128(v)));
  if constexpr (sizeof(V) == 32 && kSingle)
    return V(_mm256_maskz_mov_ps(__mmask8(bits), __m256(v)));
  if constexpr (sizeof(V) == 64 && kSingle)
    return V(_mm512_maskz_mov_ps(__mmask16(bits), __m512(v)));
  if constexpr (sizeof(V) == 64 && !kSingle)
    return V(_mm512_maskz_mov_pd(__mmask8(bits), __m512d(v)));
#endif
  using Flags = Vec<std::conditional_t<kSingle, int32_t, int64_t>, kLanesOf<V>>;
  const Flags power = powers_of_two<Flags>(), on = ((Flags{} + int32_t(bits)) & power) == power;
  return (V)(on & (Flags)v);
}

// Bit k < 16: whether element first + k of the mask is kept.
[[gnu::always_inline]] inline uint32_t sixteen_kept(const DropoutMask& mask, uint64_t first) {
  const uint64_t element = mask.first + first;
  const auto high = uint32_t(element >> 32), low = uint32_t(element);
  if (low > UINT32_MAX - 16) {  // the low half runs over on the way
    uint32_t kept = 0;
    for (uint32_t k = 0; k < 16; k++) kept |= uint32_t(mask.keeps(first + k)) << k;
    return kept;
  }
  constexpr int L = kLanes<uint32_t>;
  using Bits = Vec<uint32_t, L>;
  Bits lane;
  for (int l = 0; l < L; l++) lane[l] = uint32_t(l);
  const auto random = [&](uint32_t k) __attribute__((always_inline)) {
    return random_bits(mask.key, Bits{} + high, lane + (low + k));
  };
#ifdef __AVX512F__
  return _mm512_cmpge_epu32_mask(__m512i(random(0)), __m512i(Bits{} + mask.threshold));
#else
  const Bits power = powers_of_two<Bits>();
  Bits all = {};
  for (uint32_t k = 0; k < 16; k += L) all |= (Bits)(random(k) >= mask.threshold) & (power << k);
  all |= __builtin_shufflevector(all, all, 4, 5, 6, 7, 0, 1, 2, 3);
  all |= __builtin_shufflevector(all, all, 2, 3, 0, 1, 6, 7, 4, 5);
  return all[0] | all[1];
#endif
}

}  // namespace
}  // namespace mgnn::MGNN_KERNEL
