#include "mgnn/io/memory.h"

#include <algorithm>
#include <limits>

#include "mgnn/base/clock.h"
#include "mgnn/base/error.h"
#include "mgnn/base/human.h"

namespace mgnn {

void check_memory(int64_t bytes, const std::string& where) {
  constexpr int64_t kSmall = 64 << 20;
  if (bytes <= kSmall) return;
  const int64_t available = available_memory_bytes();
  if (bytes > available)
    fail_data("{}: needs {} of memory, but only {} are at hand", where, human_bytes(bytes),
              human_bytes(available));
}

int64_t saturated_product(int64_t items, int64_t width) {
  int64_t product;
  return __builtin_mul_overflow(items, width, &product) ? std::numeric_limits<int64_t>::max()
                                                        : product;
}

int64_t saturated_product(const std::vector<int64_t>& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  int64_t size = 1;
  for (int64_t length : shape) size = saturated_product(size, length);
  return size;
}

}  // namespace mgnn
