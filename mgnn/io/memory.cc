#include "mgnn/io/memory.h"

#include <algorithm>
#include <limits>

namespace mgnn {

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
