// A guard against sizes that a file merely claims.
#pragma once

#include <string>
#include <vector>

#include "mgnn/base/types.h"

namespace mgnn {

// Throws Error (data) that begins with `where` if `bytes` is more than the memory at hand. Small
// sizes are not looked at, so that the check is free in a loop.
void check_memory(int64_t bytes, const std::string& where);

// items * width, or the largest number there is where that overflows. REQUIRES: neither negative.
int64_t saturated_product(int64_t items, int64_t width);
// The number of elements of an array of that shape, likewise; 0 if any length is 0.
int64_t saturated_product(const std::vector<int64_t>& shape);

}  // namespace mgnn
