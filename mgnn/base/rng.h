// Seeded random numbers. There is no global source: pass an Rng along.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>

namespace mgnn {

// A bijection of 64-bit words that leaves no visible pattern (the finaliser of SplitMix64).
constexpr uint64_t mix_bits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

// xoshiro256++ (Blackman, Vigna 2019). The same seed gives the same numbers on every machine.
//
// For parallel work, split by item, never by thread: `rng.split(i)` is a source of its own for
// item i, and does not advance `rng`.
class Rng {
 public:
  explicit Rng(uint64_t seed) : seed_(seed) {
    for (uint64_t& word : state_) word = mix_bits(seed += 0x9E3779B97F4A7C15ull);
  }

  Rng split(uint64_t item) const {
    return Rng(mix_bits(seed_ ^ 0xD1B54A32D192ED03ull) + mix_bits(item + 0x8CB92BA72F3D8DD7ull));
  }

  // 64 random bits.
  uint64_t next() {
    const auto rotate = [](uint64_t x, int k) { return (x << k) | (x >> (64 - k)); };
    const uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in 0..n-1, without bias. REQUIRES: n > 0.
  uint64_t below(uint64_t n) {
    unsigned __int128 product = static_cast<unsigned __int128>(next()) * n;
    if (static_cast<uint64_t>(product) < n) {
      const uint64_t threshold = -n % n;
      while (static_cast<uint64_t>(product) < threshold)
        product = static_cast<unsigned __int128>(next()) * n;
    }
    return static_cast<uint64_t>(product >> 64);
  }

  // Uniform in [0, 1).
  double uniform() { return double(next() >> 11) * 0x1p-53; }

  // Normal with mean 0 and variance 1 (Box and Muller; one of the pair is thrown away so that the
  // state is the four words alone).
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

  bool chance(double probability) { return uniform() < probability; }

  template <class T>
  void shuffle(std::span<T> items) {
    for (size_t i = items.size(); i > 1; i--) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  uint64_t seed_;
  std::array<uint64_t, 4> state_;
};

}  // namespace mgnn
