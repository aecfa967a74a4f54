// Ids that lie close together: a bitmap of those that occur; the number of an id is the count of
// set bits before it. A word of the bitmap and the count before it share a cache line, and the
// whole is a quarter of a byte per possible id, so that it mostly stays in the cache.
//
// Ids far apart: sorted and made unique block by block, the blocks merged; the number of an id is
// its place, found within the few ids that share its leading bits.

#include <algorithm>
#include <atomic>
#include <bit>
#include <span>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/io/edge_reader.h"
#include "mgnn/io/edges_kernel.h"

namespace mgnn {
namespace {

// Most ids have been seen before, and reading is much cheaper than an atomic write.
inline void mark_id(uint64_t* bits, uint32_t id) {
  std::atomic_ref<uint64_t> word(bits[id >> 6]);
  const uint64_t bit = uint64_t(1) << (id & 63);
  if (!(word.load(std::memory_order_relaxed) & bit)) word.fetch_or(bit, std::memory_order_relaxed);
}

// Sets the bits of all ends; several threads may do so at once.
void mark_ids(std::span<const Edge> edges, uint64_t* bits) {
  for (const Edge& e : edges) {
    mark_id(bits, uint32_t(e.from));
    mark_id(bits, uint32_t(e.to));
  }
}

// The set bits as ids; false if they are 0..n-1, which need not be written down.
bool list_ids(const Array<uint64_t>& bits, int64_t count, Array<int64_t>& ids) {
  size_t last = bits.size() - 1;
  while (bits[last] == 0) last--;
  if (count == int64_t(64 * last) + int64_t(std::bit_width(bits[last]))) return false;
  ids.reserve(size_t(count));
  for (size_t w = 0; w <= last; w++)
    for (uint64_t rest = bits[w]; rest; rest &= rest - 1)
      ids.push_back(int64_t(64 * w) + std::countr_zero(rest));
  return true;
}

void number_by_bitmap(Array<Edge> edges, uint64_t largest_possible, const std::string& path,
                      EdgeList& list) {
  constexpr int64_t kBlock = 1 << 16;
  const int64_t count = int64_t(edges.size()), blocks = (count + kBlock - 1) / kBlock;
  const auto block = [&](int64_t b) {
    return std::span(edges).subspan(size_t(b * kBlock),
                                    size_t(std::min(kBlock, count - b * kBlock)));
  };
  Array<uint64_t> bits((largest_possible >> 6) + 1, 0);
#pragma omp parallel for schedule(static) if (worth_threads(count))
  for (int64_t b = 0; b < blocks; b++) mark_ids(block(b), bits.data());

  Array<RankWord> ranks(bits.size());
  int64_t distinct = 0;
  for (size_t w = 0; w < bits.size(); w++) {
    ranks[w] = {bits[w], uint64_t(distinct)};
    distinct += std::popcount(bits[w]);
  }
  list.num_nodes = node_count(distinct, path);
  if (list_ids(bits, distinct, list.ids.number)) {
#pragma omp parallel for schedule(static) if (worth_threads(count))
    for (int64_t b = 0; b < blocks; b++) {
      const std::span<Edge> part = block(b);
      MGNN_DISPATCH(replace_by_ranks, part.data(), part.data() + part.size(), ranks.data());
    }
  }
  list.edges = std::move(edges);
}

// All ids once, ascending.
template <class Pair>
Array<int64_t> distinct_ids(const Array<Pair>& edges) {
  constexpr int64_t kBlock = 1 << 18;  // edges whose ids are sorted within the cache
  const int64_t count = int64_t(edges.size());
  std::vector<Array<int64_t>> blocks(size_t((count + kBlock - 1) / kBlock));
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (blocks.size() > 1 && num_threads() > 1)
  for (size_t b = 0; b < blocks.size(); b++)
    error.run([&] {
      const int64_t begin = int64_t(b) * kBlock, end = std::min(begin + kBlock, count);
      Array<int64_t>& ids = blocks[b];
      ids.reserve(size_t(2 * (end - begin)));
      for (int64_t e = begin; e < end; e++) ids.insert(ids.end(), {edges[e].from, edges[e].to});
      std::sort(ids.begin(), ids.end());
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    });
  error.rethrow();
  for (size_t step = 1; step < blocks.size(); step *= 2) {
    check_interrupted();
#pragma omp parallel for schedule(dynamic, 1) if (num_threads() > 1)
    for (size_t b = 0; b < blocks.size() - step; b += 2 * step)
      error.run([&] {
        Array<int64_t> both(blocks[b].size() + blocks[b + step].size());
        const auto end =
            std::set_union(blocks[b].begin(), blocks[b].end(), blocks[b + step].begin(),
                           blocks[b + step].end(), both.begin());
        both.resize(size_t(end - both.begin()));
        blocks[b] = std::move(both);
        blocks[b + step] = {};
      });
    error.rethrow();
  }
  return blocks.empty() ? Array<int64_t>() : std::move(blocks[0]);
}

// Places in a sorted array, by the leading bits first.
struct SortedIds {
  const Array<int64_t>& ids;
  int shift = 0;
  Array<int32_t> first;  // ids >> shift == i begin at first[i]

  explicit SortedIds(const Array<int64_t>& sorted) : ids(sorted) {
    const uint64_t max_buckets = std::max<uint64_t>(ids.size(), 64);
    while ((uint64_t(ids.back()) >> shift) >= max_buckets) shift++;
    first.reserve(size_t(ids.back() >> shift) + 2);
    for (size_t i = 0; i < ids.size(); i++)
      while (int64_t(first.size()) <= ids[i] >> shift) first.push_back(int32_t(i));
    first.push_back(int32_t(ids.size()));
  }
  NodeId place(int64_t id) const {
    const auto begin = ids.begin() + first[id >> shift];
    const auto end = ids.begin() + first[size_t(id >> shift) + 1];
    return NodeId(std::lower_bound(begin, end, id) - ids.begin());
  }
};

template <class Pair>
void number_by_sorting(const Array<Pair>& edges, const std::string& path, EdgeList& list) {
  check_memory(int64_t(edges.size() * 4 * sizeof(int64_t)), path);
  list.ids.number = distinct_ids(edges);
  list.num_nodes = node_count(int64_t(list.ids.number.size()), path);
  const SortedIds sorted(list.ids.number);
  const int64_t count = int64_t(edges.size());
  list.edges.resize(edges.size());
#pragma omp parallel for schedule(static) if (worth_threads(count))
  for (int64_t e = 0; e < count; e++)
    list.edges[e] = {sorted.place(edges[e].from), sorted.place(edges[e].to)};
}

}  // namespace

NodeId node_count(int64_t distinct, const std::string& path) {
  constexpr int64_t kMaxNodes = std::numeric_limits<NodeId>::max();
  if (distinct > kMaxNodes)
    fail_data("{}: has {} nodes, but at most {} can be handled", path, human_count(distinct),
              human_count(kMaxNodes));
  return NodeId(distinct);
}

void number_ids(EdgeRows& rows, const std::string& path, EdgeList& list) {
  const size_t count = rows.edges.size() + rows.wide.size();
  if (count == 0) return;
  if (!rows.wide.empty())
    number_by_sorting(std::exchange(rows.wide, {}), path, list);
  else if (rows.id_bits < 32 * count + (1 << 16))
    number_by_bitmap(std::exchange(rows.edges, {}), rows.id_bits, path, list);
  else
    number_by_sorting(std::exchange(rows.edges, {}), path, list);
}

}  // namespace mgnn
