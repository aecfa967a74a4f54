#include "mgnn/io/memory.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"

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

void fail_if_memory(const char* reason) {
  const std::string_view words = reason ? reason : "";
  if (words.find("llocat") == words.npos && words.find("ut of memory") == words.npos) return;
  const MemoryLimit limit = tightest_memory_limit();
  fail(
      "not enough memory to read or write a file ({}): there is {} (by {}); use less data or a "
      "machine with more memory",
      words, human_bytes(limit.available), limit.source);
}

void check_claimed_nodes(int64_t nodes, int64_t entries, const std::string& where) {
  const int64_t most = std::max(max_claimed_nodes(), saturated_product(entries, 2));
  if (nodes > most)
    fail_data("{}: claims {} nodes, but has {} entries; use --max-nodes {} if that is right", where,
              human_count(nodes), human_count(entries), nodes);
  constexpr int64_t kBytesPerNode = 32;  // of a graph, at smallest
  check_memory(saturated_product(nodes, kBytesPerNode), where);
}

}  // namespace mgnn
