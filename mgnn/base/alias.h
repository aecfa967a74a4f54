// Drawing from a fixed distribution in constant time.
#pragma once

#include <cstdint>
#include <span>

#include "mgnn/base/rng.h"

namespace mgnn {

// Walker's alias method: slot i is drawn as often as any other, and gives i with probability
// `keep`, `other` else.
struct AliasSlot {
  float keep;
  int32_t other;
};

// Slots for weights that need not add up to 1; their sum is returned. If it is 0 the slots are of
// no use. REQUIRES: as many slots as weights; weights finite and >= 0. O(n).
double fill_alias_slots(std::span<const float> weight, std::span<AliasSlot> slots);

// One random word gives both the slot and the coin.
inline int32_t draw(std::span<const AliasSlot> slots, Rng& rng) {
  const unsigned __int128 product = static_cast<unsigned __int128>(rng.next()) * slots.size();
  const auto slot = static_cast<size_t>(product >> 64);
  const float coin = float(static_cast<uint64_t>(product) >> 40) * 0x1p-24f;
  return coin < slots[slot].keep ? int32_t(slot) : slots[slot].other;
}

}  // namespace mgnn
