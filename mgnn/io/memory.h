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

// Throws Error (failed) if the words of a library (may be null) say that it got no memory.
void fail_if_memory(const char* reason);

// Throws Error (data) that begins with `where` if a file with `entries` entries merely says that it has
// `nodes` nodes, and they are more than max_claimed_nodes() and twice the entries; and (failed) if the
// graph would need more memory than there is.
void check_claimed_nodes(int64_t nodes, int64_t entries, const std::string& where);

}  // namespace mgnn
