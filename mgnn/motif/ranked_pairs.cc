// Out- and in-rows of a node are merged into its row of S, with the type of every neighbour in the
// two low bits. Nodes are ranked by a counting sort of their degrees. Then a pair goes into the row
// of its lower node, whose size is thus at most sqrt(2 · pairs), and the upper node learns where:
// once by ascending rank, for the triangle pass, whose reads then go one way through memory, and
// once in the graph's order, in which results are written without a search.

#include "mgnn/motif/ranked_pairs.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"

namespace mgnn {
namespace {

constexpr size_t kPadding = 64;  // read, never used, by prefetches beyond the last row
constexpr NodeId kNodes = 256;   // that a thread takes at a time

static_assert(kOut == 0 && kIn == 1 && kBoth == 2);

// Merges two ascending rows; gives the end of what it wrote: neighbour << 2 | type.
uint32_t* merge_rows(std::span<const NodeId> out, std::span<const NodeId> in, uint32_t* to) {
  const NodeId *a = out.data(), *b = in.data();
  const NodeId *const a_end = a + out.size(), *const b_end = b + in.size();
  while (a < a_end && b < b_end) {
    const NodeId x = *a, y = *b;
    const uint32_t from_out = x <= y, from_in = y <= x;  // no branch, for nobody can guess
    *to++ = uint32_t(std::min(x, y)) << 2 | (from_in + (from_in & from_out));
    a += from_out;
    b += from_in;
  }
  while (a < a_end) *to++ = uint32_t(*a++) << 2 | kOut;
  while (b < b_end) *to++ = uint32_t(*b++) << 2 | kIn;
  return to;
}

// Rows of neighbour << 2 | type with gaps: row u begins at out.start[u] + in.start[u].
struct MergedRows {
  const Graph& graph;
  LargeArray<uint32_t> entry;
  uint32_t* row(NodeId u) { return entry.data() + graph.out.start[u] + graph.in.start[u]; }
};

MergedRows merge_all_rows(const Graph& graph, RankedPairs& pairs) {
  MergedRows rows{graph, LargeArray<uint32_t>(size_t(2 * graph.num_arcs()))};
  const NodeId n = graph.num_nodes();
  int found = 0;  // bit t: some pair is of type t
#pragma omp parallel for schedule(dynamic, kNodes) \
    reduction(|                                    \
              : found) if (worth_threads(graph.num_arcs()))
  for (NodeId u = 0; u < n; u++) {
    if (interrupted()) continue;  // the caller throws
    uint32_t* const begin = rows.row(u);
    const uint32_t* const end = merge_rows(graph.out.row(u), graph.in.row(u), begin);
    const auto size = uint32_t(end - begin);
    const auto out = uint32_t(graph.out.row_size(u)), in = uint32_t(graph.in.row_size(u));
    const uint32_t both = out + in - size;
    pairs.profile[u] = {0, {out - both, in - both, both}};
    found |= (out > both ? 1 : 0) | (in > both ? 2 : 0) | (both > 0 ? 4 : 0);
  }
  for (int t = 0; t < kNumTypes; t++) pairs.has_type[t] = found >> t & 1;
  return rows;
}

// Gives the ranks alone, too: an array that is read in random order, and small. Small degrees are
// counted by each part of the nodes; nodes of larger ones are few, and sorted.
LargeArray<uint32_t> rank_by_degree(RankedPairs& pairs) {
  constexpr uint32_t kCounted = 4096;
  const auto n = int64_t(pairs.profile.size());
  const int parts = worth_threads(n) ? std::min(num_threads(), 16) : 1;
  std::vector<Array<uint32_t>> next(static_cast<size_t>(parts));  // rank of the next, by degree
  std::vector<std::vector<NodeId>> large_of(next.size());
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (int part = 0; part < parts; part++) {
    Array<uint32_t> count(kCounted, 0);
    for (int64_t u = split_point(n, parts, part); u < split_point(n, parts, part + 1); u++) {
      const uint32_t degree = pairs.profile[size_t(u)].neighbours();
      if (degree < kCounted)
        count[degree]++;
      else
        large_of[size_t(part)].push_back(NodeId(u));
    }
    next[size_t(part)] = std::move(count);
  }
  std::vector<NodeId> large;
  for (const auto& of_part : large_of) large.insert(large.end(), of_part.begin(), of_part.end());
  std::stable_sort(large.begin(), large.end(), [&](NodeId a, NodeId b) {
    return pairs.profile[size_t(a)].neighbours() > pairs.profile[size_t(b)].neighbours();
  });
  LargeArray<uint32_t> rank_of(pairs.profile.size());
  uint32_t rank = 1;
  for (const NodeId u : large) rank_of[size_t(u)] = pairs.profile[size_t(u)].rank = rank++;
  for (size_t degree = kCounted; degree-- > 0;)
    for (auto& of_part : next) rank += std::exchange(of_part[degree], rank);
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (int part = 0; part < parts; part++)
    for (int64_t u = split_point(n, parts, part); u < split_point(n, parts, part + 1); u++) {
      NodeProfile& p = pairs.profile[size_t(u)];
      if (p.neighbours() < kCounted)
        rank_of[size_t(u)] = p.rank = next[size_t(part)][p.neighbours()]++;
    }
  return rank_of;
}

void place_pattern(RankedPairs& pairs) {
  const NodeId n = pairs.num_nodes();
  pairs.connected.start.resize(size_t(n) + 1);
  pairs.connected.start[0] = 0;
#pragma omp parallel for schedule(static) if (worth_threads(n))
  for (NodeId u = 0; u < n; u++) pairs.connected.start[u + 1] = pairs.profile[u].neighbours();
  sum_up(pairs.connected.start.data(), n + 1);
  pairs.connected.index.resize(size_t(pairs.connected.nnz()));
  prefer_large_pages(pairs.connected.index.data(), pairs.connected.index.size() * sizeof(NodeId));
}

// Sizes of the upper rows of all nodes before a block of nodes, in the graph's order.
struct UpperBefore {
  Array<Offset> block;  // (blocks of kNodes + 1)

  // The first node of the block at which about this many entries of upper rows come before.
  NodeId node_after(Offset entries) const {
    const auto at = std::lower_bound(block.begin(), block.end(), entries);
    return NodeId(at - block.begin()) * kNodes;
  }
};

// Writes the pattern, and counts the upper and lower part of every row. The upper neighbours, rank
// << 2 | type, are left at the row's beginning.
UpperBefore place_rows(const LargeArray<uint32_t>& rank_of, MergedRows& rows, RankedPairs& pairs) {
  const NodeId n = pairs.num_nodes();
  for (auto* const start : {&pairs.upper_start, &pairs.lower_start}) {
    start->resize(size_t(n) + 2);
    (*start)[0] = (*start)[1] = 0;
  }
  const auto num_blocks = (int64_t(n) + kNodes - 1) / kNodes;
  UpperBefore before{Array<Offset>(size_t(num_blocks) + 1, 0)};
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(pairs.connected.nnz()))
  for (int64_t block = 0; block < num_blocks; block++) {
    if (interrupted()) continue;
    const auto first = NodeId(block * kNodes);
    const NodeId last = first + std::min(kNodes, n - first);
    Offset in_block = 0;
    for (NodeId u = first; u < last; u++) {
      const uint32_t rank = rank_of[size_t(u)], *const ranks = rank_of.data();
      const auto size = uint32_t(pairs.connected.row_size(u));
      NodeId* const index = pairs.connected.index.data() + pairs.connected.start[u];
      uint32_t* const row = rows.row(u);
      uint32_t above = 0;
      for (uint32_t p = 0; p < size; p++) {
        const uint32_t entry = row[p], other = ranks[entry >> 2];
        index[p] = NodeId(entry >> 2);
        row[above] = other << 2 | (entry & 3);  // overwritten by the next if not an upper one
        above += other < rank;
      }
      pairs.upper_start[rank + 1] = above;
      pairs.lower_start[rank + 1] = size - above;
      in_block += above;
    }
    before.block[size_t(block) + 1] = in_block;
  }
  sum_up(pairs.upper_start.data(), int64_t(n) + 2);
  sum_up(pairs.lower_start.data(), int64_t(n) + 2);
  sum_up(before.block.data(), num_blocks + 1);
  return before;
}

void fill_upper(MergedRows& rows, RankedPairs& pairs) {
  const NodeId n = pairs.num_nodes();
#pragma omp parallel for schedule(dynamic, kNodes) if (worth_threads(pairs.connected.nnz()))
  for (NodeId u = 0; u < n; u++) {
    const uint32_t rank = pairs.profile[u].rank, begin = pairs.upper_start[rank];
    std::copy_n(rows.row(u), pairs.upper_start[rank + 1] - begin, pairs.upper.data() + begin);
  }
}

// Tells upper nodes of their lower ones: calls tell(place, rank of the lower node, slot) with
// places of x's lower list in the order in which `rank_of(0)`, `rank_of(1)`, … come. About p pairs
// come before the node `node_after(p)`. Two threads share a range of the nodes and the places that
// it has in every list: one fills them from the front with the first half of the range, the other
// from the back. Only where one range ends and the next begins has to be counted first.
template <class NodeAfter, class RankOf, class Tell>
void tell_upper(const RankedPairs& pairs, NodeAfter&& node_after, RankOf&& rank_of, Tell&& tell) {
  const NodeId n = pairs.num_nodes();
  const int parts = worth_threads(pairs.connected.nnz()) ? std::min(num_threads() & ~1, 16) : 1;
  std::vector<Array<uint32_t>> next(static_cast<size_t>(parts));
  const auto begin_of = [&](int part) {
    return part == parts ? n : std::min(n, node_after(split_point(pairs.num_pairs(), parts, part)));
  };
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (int part = 0; part < parts; part++) {
    next[size_t(part)].assign(size_t(n) + 1, 0);
    if (part + 2 >= parts) continue;  // no range comes after the last
    const NodeId end = begin_of(part + 1);
    for (NodeId i = begin_of(part); i < end && !interrupted(); i++) {
      const uint32_t rank = rank_of(i), last = pairs.upper_start[rank + 1];
      for (uint32_t s = pairs.upper_start[rank]; s < last; s++)
        next[size_t(part)][pairs.upper[s] >> 2]++;
    }
  }
  check_interrupted();  // places would be wrong
#pragma omp parallel for schedule(static) if (worth_threads(n))
  for (NodeId r = 1; r <= n; r++) {
    uint32_t begin = pairs.lower_start[r];
    for (size_t part = 0; part < next.size(); part += 2) {
      const bool last = part + 2 >= next.size();
      const uint32_t end =
          last ? pairs.lower_start[r + 1] : begin + next[part][r] + next[part + 1][r];
      next[part][r] = begin;
      if (part + 1 < next.size()) next[part + 1][r] = end;
      begin = end;
    }
  }
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (int part = 0; part < parts; part++) {
    uint32_t* const to = next[size_t(part)].data();
    const NodeId begin = begin_of(part), end = begin_of(part + 1);
    if (part % 2 == 0)
      for (NodeId i = begin; i < end && !interrupted(); i++) {
        const uint32_t rank = rank_of(i), last = pairs.upper_start[rank + 1];
        for (uint32_t s = pairs.upper_start[rank]; s < last; s++)
          tell(to[pairs.upper[s] >> 2]++, rank, s);
      }
    else
      for (NodeId i = end; i-- > begin && !interrupted();) {
        const uint32_t rank = rank_of(i), first = pairs.upper_start[rank];
        for (uint32_t s = pairs.upper_start[rank + 1]; s-- > first;)
          tell(--to[pairs.upper[s] >> 2], rank, s);
      }
  }
  check_interrupted();
}

// Ranks by length of the upper row, in steps of a vector, and by rank: so the triangle pass scans
// rows of like length after each other, and its loops end when expected.
struct ScanOrder {
  LargeArray<uint32_t> rank;  // (nodes)
  LargeArray<uint32_t> work;  // (nodes + 1) sizes of upper rows before

  NodeId node_after(Offset entries) const {
    return NodeId(std::lower_bound(work.begin(), work.end(), uint32_t(entries)) - work.begin());
  }

  explicit ScanOrder(const RankedPairs& pairs)
      : rank(size_t(pairs.num_nodes())), work(rank.size() + 1) {
    constexpr int kParts = 16;
    Before before[kParts][kClasses] = {};
    const auto each_rank = [&](int part, auto&& visit) {
      const auto first = uint32_t(int64_t(rank.size()) * part / kParts);
      const auto last = uint32_t(int64_t(rank.size()) * (part + 1) / kParts);
      for (uint32_t r = first + 1; r <= last; r++) {
        const uint32_t size = pairs.upper_start[r + 1] - pairs.upper_start[r];
        visit(r, size, before[part][class_of(size)]);
      }
    };
    const bool threads = worth_threads(pairs.num_nodes());
#pragma omp parallel for schedule(static) if (threads)
    for (int part = 0; part < kParts; part++)
      each_rank(part, [](uint32_t, uint32_t size, Before& of_class) {
        of_class.rows++;
        of_class.work += size;
      });
    Before sum;
    for (uint32_t c = 0; c < kClasses; c++)
      for (auto& of_part : before) {
        const Before own = std::exchange(of_part[c], sum);
        sum = {sum.rows + own.rows, sum.work + own.work};
      }
    work[rank.size()] = sum.work;
#pragma omp parallel for schedule(static) if (threads)
    for (int part = 0; part < kParts; part++)
      each_rank(part, [&](uint32_t r, uint32_t size, Before& of_class) {
        work[of_class.rows] = of_class.work;
        rank[of_class.rows++] = r;
        of_class.work += size;
      });
  }

 private:
  struct Before {
    uint32_t rows = 0, work = 0;
  };
  static constexpr uint32_t kClasses = 18, kVector = 8;
  static uint32_t class_of(uint32_t size) {
    return size <= 1 ? 0 : std::min((size + kVector - 1) / kVector, kClasses - 1);
  }
};

void fill_lower(const UpperBefore& before, RankedPairs& pairs) {
  const auto type_above = [&](uint32_t slot) {
    return uint32_t(reversed(int(pairs.upper[slot] & 3)));
  };
  const ScanOrder order(pairs);
  tell_upper(
      pairs, [&](Offset entries) { return order.node_after(entries); },
      [&](NodeId i) { return order.rank[size_t(i)]; },
      [&](uint32_t place, uint32_t rank, uint32_t slot) {
        pairs.lower[place] = {rank << 2 | type_above(slot), slot};
      });
  tell_upper(
      pairs, [&](Offset entries) { return before.node_after(entries); },
      [&](NodeId i) { return pairs.profile[i].rank; },
      [&](uint32_t place, uint32_t, uint32_t slot) {
        pairs.lower_slot[place] = slot << 2 | type_above(slot);
      });
}

}  // namespace

Array<uint8_t> place_types(const RankedPairs& pairs) {
  Array<uint8_t> type(size_t(pairs.connected.nnz()));
#pragma omp parallel for schedule(dynamic, kNodes) if (worth_threads(pairs.connected.nnz()))
  for (NodeId u = 0; u < pairs.num_nodes(); u++) {
    const uint32_t rank = pairs.profile[u].rank;
    uint32_t above = pairs.upper_start[rank], below = pairs.lower_start[rank];
    Offset place = pairs.connected.start[u];
    for (const NodeId v : pairs.connected.row(u))
      type[size_t(place++)] = uint8_t(
          3 & (pairs.profile[v].rank < rank ? pairs.upper[above++] : pairs.lower_slot[below++]));
  }
  return type;
}

RankedPairs ranked_pairs(const Graph& graph) {
  const NodeId n = graph.num_nodes();
  if (n >= NodeId(1) << 30)
    fail("{} nodes are more than the motif engine can number (2^30 - 1)", n);
  RankedPairs pairs;
  pairs.connected.rows = pairs.connected.cols = n;
  pairs.profile.resize(size_t(n));
  MergedRows rows = merge_all_rows(graph, pairs);
  check_interrupted();
  LargeArray<uint32_t> rank_of = rank_by_degree(pairs);
  place_pattern(pairs);
  if (pairs.num_pairs() >= Offset(1) << 30)
    fail("{} connected pairs are more than the motif engine can number (2^30 - 1)",
         pairs.num_pairs());
  const UpperBefore before = place_rows(rank_of, rows, pairs);
  check_interrupted();
  rank_of = LargeArray<uint32_t>();
  pairs.upper.resize(size_t(pairs.num_pairs()) + kPadding);
  pairs.lower.resize(size_t(pairs.num_pairs()) + kPadding);
  pairs.lower_slot.resize(size_t(pairs.num_pairs()) + kPadding);
  std::fill(pairs.upper.end() - kPadding, pairs.upper.end(), 0);
  std::fill(pairs.lower_slot.end() - kPadding, pairs.lower_slot.end(), 0);
  std::fill(pairs.lower.end() - kPadding, pairs.lower.end(), LowerNeighbour{0, 0});
  fill_upper(rows, pairs);
  rows.entry = LargeArray<uint32_t>();
  fill_lower(before, pairs);
  return pairs;
}

}  // namespace mgnn
