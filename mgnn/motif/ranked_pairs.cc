// Out- and in-rows of a node are merged into its row of S, with the type of every neighbour in the
// two low bits. Nodes are ranked by a counting sort of their degrees. Then a pair goes into the row
// of its lower node, whose size is thus at most sqrt(2 · pairs), and its slot there into two lists
// of the upper node: one by ascending rank, for the triangle pass, whose reads then go one way
// through memory, and one in the graph's order, in which results are written without a search.

#include "mgnn/motif/ranked_pairs.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"

namespace mgnn {
namespace {

constexpr size_t kPadding = 64;  // read, never used, by prefetches beyond the last row
constexpr NodeId kNodesPerTask = 256;
constexpr uint32_t kCountedDegrees = 4096;  // sorted by counting; nodes of larger ones are few
constexpr int kMaxParts = 16;
constexpr Offset kMaxPairs = (Offset(1) << 30) - 1;  // and nodes

static_assert(kOut == 0 && kIn == 1 && kBoth == 2);

// Merges two ascending rows to neighbour << 2 | type; returns the end of the output.
uint32_t* merge_rows(std::span<const NodeId> out, std::span<const NodeId> in, uint32_t* to) {
  const NodeId *a = out.data(), *b = in.data();
  const NodeId *const a_end = a + out.size(), *const b_end = b + in.size();
  while (a < a_end && b < b_end) {
    const NodeId x = *a, y = *b;
    const uint32_t from_out = x <= y, from_in = y <= x;  // branch-free: unpredictable
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
  int types = 0;  // bit t: some pair is of type t
#pragma omp parallel for schedule(dynamic, kNodesPerTask) \
    reduction(|                                           \
              : types) if (worth_threads(graph.num_arcs()))
  for (NodeId u = 0; u < n; u++) {
    if (interrupted()) continue;  // the caller throws
    uint32_t* const begin = rows.row(u);
    const uint32_t* const end = merge_rows(graph.out.row(u), graph.in.row(u), begin);
    const auto size = uint32_t(end - begin);
    const auto out = uint32_t(graph.out.row_size(u)), in = uint32_t(graph.in.row_size(u));
    const uint32_t both = out + in - size;
    pairs.profile[u] = {0, {out - both, in - both, both}};
    types |= (out > both ? 1 : 0) | (in > both ? 2 : 0) | (both > 0 ? 4 : 0);
  }
  for (int t = 0; t < kNumTypes; t++) pairs.has_type[t] = types >> t & 1;
  return rows;
}

// Nodes by degree, for each of several parts of the nodes.
struct DegreeCounts {
  std::vector<Array<uint32_t>> counts;     // (parts) of (kCountedDegrees)
  std::vector<std::vector<NodeId>> large;  // (parts) nodes of larger degrees

  int parts() const { return int(counts.size()); }
};

DegreeCounts degree_counts(const RankedPairs& pairs) {
  const auto n = int64_t(pairs.num_nodes());
  const auto parts = size_t(worth_threads(n) ? std::min(num_threads(), kMaxParts) : 1);
  DegreeCounts result{std::vector<Array<uint32_t>>(parts), std::vector<std::vector<NodeId>>(parts)};
  ParallelError error;
#pragma omp parallel for schedule(static, 1) if (result.parts() > 1)
  for (int part = 0; part < result.parts(); part++)
    error.run([&] {
      Array<uint32_t> counts(kCountedDegrees, 0);
      const int64_t end = split_point(n, result.parts(), part + 1);
      for (int64_t u = split_point(n, result.parts(), part); u < end; u++) {
        const uint32_t degree = pairs.profile[u].neighbours();
        if (degree < kCountedDegrees)
          counts[degree]++;
        else
          result.large[part].push_back(NodeId(u));
      }
      result.counts[part] = std::move(counts);
    });
  error.rethrow();
  return result;
}

std::vector<NodeId> by_descending_degree(const RankedPairs& pairs,
                                         const std::vector<std::vector<NodeId>>& parts) {
  std::vector<NodeId> nodes;
  for (const auto& part : parts) nodes.insert(nodes.end(), part.begin(), part.end());
  std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
    return pairs.profile[a].neighbours() > pairs.profile[b].neighbours();
  });
  return nodes;
}

// Ranks the nodes by a counting sort. Returns the ranks alone, too: an array that is read in random
// order, and small.
LargeArray<uint32_t> rank_by_degree(RankedPairs& pairs) {
  DegreeCounts degrees = degree_counts(pairs);
  LargeArray<uint32_t> rank_of(pairs.profile.size());
  uint32_t rank = 1;
  for (const NodeId u : by_descending_degree(pairs, degrees.large))
    rank_of[u] = pairs.profile[u].rank = rank++;
  std::vector<Array<uint32_t>>& next_rank = degrees.counts;
  for (size_t degree = kCountedDegrees; degree-- > 0;)
    for (auto& of_part : next_rank) rank += std::exchange(of_part[degree], rank);
  const auto n = int64_t(pairs.num_nodes());
#pragma omp parallel for schedule(static, 1) if (degrees.parts() > 1)
  for (int part = 0; part < degrees.parts(); part++) {
    const int64_t end = split_point(n, degrees.parts(), part + 1);
    for (int64_t u = split_point(n, degrees.parts(), part); u < end; u++) {
      NodeProfile& p = pairs.profile[u];
      if (p.neighbours() < kCountedDegrees) rank_of[u] = p.rank = next_rank[part][p.neighbours()]++;
    }
  }
  return rank_of;
}

void place_pattern(RankedPairs& pairs, PairLists lists) {
  const NodeId n = pairs.num_nodes();
  pairs.connected.start.resize(size_t(n) + 1);
  pairs.connected.start[0] = 0;
#pragma omp parallel for schedule(static) if (worth_threads(n))
  for (NodeId u = 0; u < n; u++) pairs.connected.start[u + 1] = pairs.profile[u].neighbours();
  sum_up(pairs.connected.start.data(), n + 1);
  if (lists == PairLists::for_triangles) return;
  pairs.connected.index.resize(size_t(pairs.connected.nnz()));
  prefer_large_pages(pairs.connected.index.data(), pairs.connected.index.size() * sizeof(NodeId));
}

// Writes row u of the pattern and moves the upper neighbours, rank << 2 | type, to the beginning of
// the merged row. Returns their number.
uint32_t place_row(NodeId u, const LargeArray<uint32_t>& rank_of, uint32_t* row,
                   RankedPairs& pairs) {
  const uint32_t rank = rank_of[u], *const ranks = rank_of.data();
  const auto size = uint32_t(pairs.connected.row_size(u));
  if (!pairs.connected.index.empty()) {
    NodeId* const index = pairs.connected.index.data() + pairs.connected.start[u];
    for (uint32_t p = 0; p < size; p++) index[p] = NodeId(row[p] >> 2);
  }
  uint32_t num_upper = 0;
  for (uint32_t p = 0; p < size; p++) {
    const uint32_t entry = row[p], other = ranks[entry >> 2];
    row[num_upper] = other << 2 | (entry & 3);  // overwritten by the next if not an upper one
    num_upper += other < rank;
  }
  return num_upper;
}

// Places all rows, and where upper and lower lists begin. Returns the sizes of the upper rows before
// each block of kNodesPerTask nodes, in the graph's order: (blocks + 1).
Array<Offset> place_rows(const LargeArray<uint32_t>& rank_of, MergedRows& rows,
                         RankedPairs& pairs) {
  const NodeId n = pairs.num_nodes();
  for (auto* const start : {&pairs.upper_start, &pairs.lower_start}) {
    start->resize(size_t(n) + 2);
    (*start)[0] = (*start)[1] = 0;
  }
  const auto num_blocks = (int64_t(n) + kNodesPerTask - 1) / kNodesPerTask;
  Array<Offset> upper_before(size_t(num_blocks) + 1, 0);
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(pairs.connected.nnz()))
  for (int64_t block = 0; block < num_blocks; block++) {
    if (interrupted()) continue;
    const auto first = NodeId(block * kNodesPerTask);
    const NodeId last = first + std::min(kNodesPerTask, n - first);
    Offset in_block = 0;
    for (NodeId u = first; u < last; u++) {
      const uint32_t num_upper = place_row(u, rank_of, rows.row(u), pairs), rank = rank_of[u];
      pairs.upper_start[rank + 1] = num_upper;
      pairs.lower_start[rank + 1] = uint32_t(pairs.connected.row_size(u)) - num_upper;
      in_block += num_upper;
    }
    upper_before[block + 1] = in_block;
  }
  sum_up(pairs.upper_start.data(), int64_t(n) + 2);
  sum_up(pairs.lower_start.data(), int64_t(n) + 2);
  sum_up(upper_before.data(), num_blocks + 1);
  return upper_before;
}

void fill_upper(MergedRows& rows, RankedPairs& pairs) {
  const NodeId n = pairs.num_nodes();
#pragma omp parallel for schedule(dynamic, kNodesPerTask) if (worth_threads(pairs.connected.nnz()))
  for (NodeId u = 0; u < n; u++) {
    const uint32_t rank = pairs.profile[u].rank, begin = pairs.upper_start[rank];
    std::copy_n(rows.row(u), pairs.upper_start[rank + 1] - begin, pairs.upper.data() + begin);
  }
}

// Fills the lower lists of all nodes with the nodes of an order, which has
//   rank_at(i)      the rank of its i-th node
//   node_after(p)   the node before which about p pairs come
// Two parts share a range of the order and the places that it has in every list: one fills them from
// the front with the first half of the range, the other from the back. So only where one range ends
// and the next begins has to be counted first.
template <class Order>
class LowerLists {
 public:
  LowerLists(const RankedPairs& pairs, const Order& order)
      : pairs_(pairs),
        order_(order),
        parts_(worth_threads(pairs.connected.nnz()) ? std::min(num_threads() & ~1, kMaxParts) : 1),
        next_(static_cast<size_t>(parts_)) {}

  // Calls write(place in the lists, rank of the lower node, slot of the pair) for every pair.
  template <class Write>
  void fill(Write&& write) {
    ParallelError error;
#pragma omp parallel for schedule(static, 1) if (parts_ > 1)
    for (int part = 0; part < parts_; part++) error.run([&] { count(part); });
    error.rethrow();
    check_interrupted();  // places would be wrong
    find_places();
#pragma omp parallel for schedule(static, 1) if (parts_ > 1)
    for (int part = 0; part < parts_; part++)
      part % 2 == 0 ? fill_forwards(part, write) : fill_backwards(part, write);
    check_interrupted();
  }

 private:
  NodeId begin_of(int part) const {
    const NodeId n = pairs_.num_nodes();
    if (part == parts_) return n;
    return std::min(n, order_.node_after(split_point(pairs_.num_pairs(), parts_, part)));
  }

  void count(int part) {
    next_[part].assign(size_t(pairs_.num_nodes()) + 1, 0);
    if (part + 2 >= parts_) return;  // no range comes after the last
    uint32_t* const counts = next_[part].data();
    const NodeId end = begin_of(part + 1);
    for (NodeId i = begin_of(part); i < end && !interrupted(); i++) {
      const uint32_t rank = order_.rank_at(i), last = pairs_.upper_start[rank + 1];
      for (uint32_t s = pairs_.upper_start[rank]; s < last; s++) counts[pairs_.upper[s] >> 2]++;
    }
  }

  // From counts to the places at which each part begins in every list.
  void find_places() {
#pragma omp parallel for schedule(static) if (worth_threads(pairs_.num_nodes()))
    for (NodeId r = 1; r <= pairs_.num_nodes(); r++) {
      uint32_t begin = pairs_.lower_start[r];
      for (int part = 0; part < parts_; part += 2) {
        const bool last = part + 2 >= parts_;
        const uint32_t end =
            last ? pairs_.lower_start[r + 1] : begin + next_[part][r] + next_[part + 1][r];
        next_[part][r] = begin;
        if (part + 1 < parts_) next_[part + 1][r] = end;
        begin = end;
      }
    }
  }

  template <class Write>
  void fill_forwards(int part, Write& write) {
    uint32_t* const next = next_[part].data();
    const NodeId end = begin_of(part + 1);
    for (NodeId i = begin_of(part); i < end && !interrupted(); i++) {
      const uint32_t rank = order_.rank_at(i), last = pairs_.upper_start[rank + 1];
      for (uint32_t s = pairs_.upper_start[rank]; s < last; s++)
        write(next[pairs_.upper[s] >> 2]++, rank, s);
    }
  }

  template <class Write>
  void fill_backwards(int part, Write& write) {
    uint32_t* const next = next_[part].data();
    const NodeId begin = begin_of(part);
    for (NodeId i = begin_of(part + 1); i-- > begin && !interrupted();) {
      const uint32_t rank = order_.rank_at(i), first = pairs_.upper_start[rank];
      for (uint32_t s = pairs_.upper_start[rank + 1]; s-- > first;)
        write(--next[pairs_.upper[s] >> 2], rank, s);
    }
  }

  const RankedPairs& pairs_;
  const Order& order_;
  const int parts_;
  std::vector<Array<uint32_t>> next_;  // (parts) of (nodes + 1), by rank
};

// The nodes in the graph's order, for LowerLists.
struct GraphOrder {
  const RankedPairs& pairs;
  const Array<Offset>& upper_before;  // as place_rows gives it

  uint32_t rank_at(NodeId i) const { return pairs.profile[i].rank; }
  NodeId node_after(Offset entries) const {
    const auto block = std::lower_bound(upper_before.begin(), upper_before.end(), entries);
    return NodeId(block - upper_before.begin()) * kNodesPerTask;
  }
};

// Ranks by length of the upper row, in steps of a vector, and by rank: so the triangle pass scans
// rows of like length after each other, and its loops end when expected.
struct ScanOrder {
  LargeArray<uint32_t> rank;  // (nodes)
  LargeArray<uint32_t> work;  // (nodes + 1) sizes of upper rows before

  uint32_t rank_at(NodeId i) const { return rank[i]; }
  NodeId node_after(Offset entries) const {
    return NodeId(std::lower_bound(work.begin(), work.end(), uint32_t(entries)) - work.begin());
  }

  explicit ScanOrder(const RankedPairs& pairs)
      : rank(size_t(pairs.num_nodes())), work(rank.size() + 1) {
    Before before[kMaxParts][kClasses] = {};
    const auto each_rank = [&](int part, auto&& visit) {
      const auto first = uint32_t(int64_t(rank.size()) * part / kMaxParts);
      const auto last = uint32_t(int64_t(rank.size()) * (part + 1) / kMaxParts);
      for (uint32_t r = first + 1; r <= last; r++) {
        const uint32_t size = pairs.upper_start[r + 1] - pairs.upper_start[r];
        visit(r, size, before[part][class_of(size)]);
      }
    };
    const bool threads = worth_threads(pairs.num_nodes());
#pragma omp parallel for schedule(static) if (threads)
    for (int part = 0; part < kMaxParts; part++)
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
    for (int part = 0; part < kMaxParts; part++)
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

void fill_lower_lists(const Array<Offset>& upper_before, PairLists lists, RankedPairs& pairs) {
  const auto type_above = [&](uint32_t slot) {
    return uint32_t(reversed(int(pairs.upper[slot] & 3)));
  };
  const ScanOrder by_rank(pairs);
  LowerLists(pairs, by_rank).fill([&](uint32_t place, uint32_t rank, uint32_t slot) {
    pairs.lower[place] = {rank << 2 | type_above(slot), slot};
  });
  if (lists == PairLists::for_triangles) return;
  const GraphOrder by_node{pairs, upper_before};
  LowerLists(pairs, by_node).fill([&](uint32_t place, uint32_t, uint32_t slot) {
    pairs.lower_slot[place] = slot << 2 | type_above(slot);
  });
}

// With zeros at the end, for prefetches.
template <class T>
void resize_padded(LargeArray<T>& array, Offset size) {
  array.resize(size_t(size) + kPadding);
  std::fill(array.end() - kPadding, array.end(), T{});
}

}  // namespace

uint32_t RankBlocks::first_of(int64_t block) const {
  const int64_t before = first_work_ + block * kWork;
  return uint32_t(first_after(before, end_, [&](int64_t x) { return work_before(x); }));
}

Array<uint8_t> place_types(const RankedPairs& pairs) {
  Array<uint8_t> type(size_t(pairs.connected.nnz()));
#pragma omp parallel for schedule(dynamic, kNodesPerTask) if (worth_threads(pairs.connected.nnz()))
  for (NodeId u = 0; u < pairs.num_nodes(); u++) {
    const uint32_t rank = pairs.profile[u].rank;
    uint32_t above = pairs.upper_start[rank], below = pairs.lower_start[rank];
    Offset place = pairs.connected.start[u];
    for (const NodeId v : pairs.connected.row(u))
      type[place++] = uint8_t(
          3 & (pairs.profile[v].rank < rank ? pairs.upper[above++] : pairs.lower_slot[below++]));
  }
  return type;
}

RankedPairs ranked_pairs(const Graph& graph, PairLists lists) {
  const NodeId n = graph.num_nodes();
  if (n > kMaxPairs) fail("{} nodes; motif counting supports at most {}", n, kMaxPairs);
  RankedPairs pairs;
  pairs.connected.rows = pairs.connected.cols = n;
  pairs.profile.resize(size_t(n));
  MergedRows rows = merge_all_rows(graph, pairs);
  check_interrupted();
  LargeArray<uint32_t> rank_of = rank_by_degree(pairs);
  place_pattern(pairs, lists);
  if (pairs.num_pairs() > kMaxPairs)
    fail("{} connected pairs; motif counting supports at most {}", pairs.num_pairs(), kMaxPairs);
  const Array<Offset> upper_before = place_rows(rank_of, rows, pairs);
  check_interrupted();
  rank_of = LargeArray<uint32_t>();
  resize_padded(pairs.upper, pairs.num_pairs());
  fill_upper(rows, pairs);
  rows.entry = LargeArray<uint32_t>();
  resize_padded(pairs.lower, pairs.num_pairs());
  if (lists == PairLists::all) resize_padded(pairs.lower_slot, pairs.num_pairs());
  fill_lower_lists(upper_before, lists, pairs);
  return pairs;
}

}  // namespace mgnn
