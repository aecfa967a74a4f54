// Sizes that a file claims; check_memory (base/memory.h) holds them against the memory there is.
#pragma once

#include <vector>

#include "mgnn/base/memory.h"
#include "mgnn/base/types.h"

namespace mgnn {

// items * width, or the largest number there is where that overflows. REQUIRES: neither negative.
int64_t saturated_product(int64_t items, int64_t width);
// The number of elements of an array of that shape, likewise; 0 if any length is 0.
int64_t saturated_product(const std::vector<int64_t>& shape);

}  // namespace mgnn
