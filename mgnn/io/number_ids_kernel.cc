#include "mgnn/io/number_ids_kernel.h"

#include <atomic>
#include <bit>

namespace mgnn::MGNN_KERNEL {
namespace {

// Most ids have been seen before, and reading is much cheaper than an atomic write.
inline void mark(uint64_t* bits, uint32_t id) {
  std::atomic_ref<uint64_t> word(bits[id >> 6]);
  const uint64_t bit = uint64_t(1) << (id & 63);
  if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
}

inline NodeId rank(const RankWord* ranks, uint32_t id) {
  const RankWord& word = ranks[id >> 6];
  const uint64_t smaller = word.bits & ((uint64_t(1) << (id & 63)) - 1);
  return NodeId(word.before + uint64_t(std::popcount(smaller)));
}

}  // namespace

void mark_ids(std::span<const Edge> edges, uint64_t* bits) {
  for (const Edge& e : edges) {
    mark(bits, uint32_t(e.from));
    mark(bits, uint32_t(e.to));
  }
}

void replace_by_ranks(std::span<Edge> edges, const RankWord* ranks) {
  for (Edge& e : edges) e = {rank(ranks, uint32_t(e.from)), rank(ranks, uint32_t(e.to))};
}

}  // namespace mgnn::MGNN_KERNEL
