// The two floats of 16 bits, as files store them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace mgnn {

// IEEE half precision.
struct Half {
  uint16_t bits;
  operator float() const {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float size = exponent == 0    ? std::ldexp(float(fraction), -24)
                       : exponent == 31 ? (fraction ? NAN : INFINITY)
                                        : std::ldexp(float(1024 + fraction), exponent - 25);
    return bits >> 15 ? -size : size;
  }
};

// The upper half of a float.
struct BrainFloat {
  uint16_t bits;
  operator float() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
};

}  // namespace mgnn
