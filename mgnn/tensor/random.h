// Random numbers by counter: each element's bits follow from its index alone, so that masks depend
// neither on threads nor on what was drawn before.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "mgnn/base/rng.h"

namespace mgnn {

// One random operation of one step of one run.
struct RandomKey {
  uint32_t first = 0, second = 0;
};

constexpr RandomKey random_key(uint64_t seed, uint64_t step, uint64_t operation) {
  const uint64_t bits = mix_bits(mix_bits(mix_bits(seed + 0x9E3779B97F4A7C15ull) + step) +
                                 operation * 0xD1B54A32D192ED03ull);
  return {uint32_t(bits), uint32_t(bits >> 32)};
}

// 32 random bits for element 2^32 high + low, a number or a vector of them. Two rounds of a 32-bit
// finaliser: only multiplications that vectorise. Always inline, since kernels for other
// instruction sets use it.
template <class Bits>
[[gnu::always_inline]] inline Bits random_bits(RandomKey key, Bits high, Bits low) {
  Bits x = low * 0x9E3779B9u + key.first;
  x = (x ^ (x >> 16)) * 0x7FEB352Du;
  x = (x ^ (x >> 15)) * 0x846CA68Bu;
  x = (x ^ (x >> 16)) + (key.second + high * 0x85EBCA6Bu);
  x = (x ^ (x >> 16)) * 0x21F0AAADu;
  x = (x ^ (x >> 15)) * 0x735A2D97u;
  return x ^ (x >> 15);
}
[[gnu::always_inline]] inline uint32_t random_bits(RandomKey key, uint64_t element) {
  return random_bits(key, uint32_t(element >> 32), uint32_t(element));
}

// Which elements survive dropout with probability p, and the factor that keeps the mean.
struct DropoutMask {
  RandomKey key;
  uint32_t threshold = 0;  // kept: bits >= threshold
  double factor = 1;       // 1 / (1 - p)
  uint64_t first = 0;      // number of element 0: other ranks have those before it
  [[gnu::always_inline]] bool keeps(uint64_t element) const {
    return random_bits(key, first + element) >= threshold;
  }
};

// REQUIRES: 0 <= p < 1.
inline DropoutMask dropout_mask(RandomKey key, double p, uint64_t first = 0) {
  return {key, uint32_t(std::min(p * 0x1p32, 0x1p32 - 1)), 1 / (1 - p), first};
}

// Normal with mean 0 and variance 1 (Box and Muller).
inline double random_normal(RandomKey key, uint64_t element) {
  const double u = (random_bits(key, 2 * element) + 1.) * 0x1p-32;  // in (0, 1]
  const double v = random_bits(key, 2 * element + 1) * 0x1p-32;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

}  // namespace mgnn
