// How often this program has asked for memory.
#pragma once

#include <cstdint>

namespace mgnn::testing {

// Calls of operator new since the program began.
int64_t allocations();

}  // namespace mgnn::testing
