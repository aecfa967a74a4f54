// Nodes are ordered by descending number of neighbours; above(v) are the neighbours that come before v.
// A triangle v, u, w, last first, is a w in above(v) and in above(u), where u is in above(v). So the rank
// that has v needs above(u) of those u: lists of its own nodes, and of other ranks' nodes in batches. The
// list of u is marked, and the rows of the v below u are looked up in the marks, up to u.
// Such a triangle counts for the pairs (v, u) and (v, w), which are this rank's, and for (u, w), which is
// that of the rank that has u: what was counted for it goes back after each batch.

#include "mgnn/cluster/triangles.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"

namespace mgnn {
namespace {

constexpr uint32_t kElsewhere = RankGraph::kElsewhere;

// A row of above(v), and where in it the node stands that is asked for.
struct Below {
  uint32_t begin, slot;  // in AboveLists::entry
};

// above(v) of this rank's nodes v, and the same the other way round.
struct AboveLists {
  Array<Offset> start;    // (rows + 1)
  Array<uint32_t> entry;  // place among known nodes << 2 | type as v sees it; ascending in a row
  Array<Offset> below_start;  // (known + 1)
  Array<Below> below;         // those that are not first in their row

  std::span<const uint32_t> row(uint32_t r) const {
    return {entry.data() + start[r], size_t(start[r + 1] - start[r])};
  }
  std::span<const Below> below_of(uint32_t place) const {
    return {below.data() + below_start[place], size_t(below_start[place + 1] - below_start[place])};
  }
};

AboveLists above_lists(const RankGraph& graph, const KnownNodes& known) {
  AboveLists lists;
  const uint32_t rows = graph.num_rows();
  lists.start.assign(size_t(rows) + 1, 0);
  const auto each_above = [&](uint32_t r, const auto& visit) {
    const uint32_t own = known.place_of[graph.node[r]];
    for (const uint32_t e : graph.row(r))
      if (const uint32_t place = known.place_of[node_of(e)]; place < own)
        visit(place << 2 | uint32_t(type_of(e)));
  };
  const bool threads = worth_threads(Offset(graph.neighbour.size()));
#pragma omp parallel for schedule(dynamic, 1024) if (threads)
  for (uint32_t r = 0; r < rows; r++) each_above(r, [&](uint32_t) { lists.start[r + 1]++; });
  for (uint32_t r = 0; r < rows; r++) lists.start[r + 1] += lists.start[r];
  if (lists.start[rows] >= Offset(kElsewhere))
    fail("a rank has {} pairs of neighbours; use more ranks, for at most 2^32 each",
         lists.start[rows]);
  lists.entry.resize(size_t(lists.start[rows]));
#pragma omp parallel for schedule(dynamic, 1024) if (threads)
  for (uint32_t r = 0; r < rows; r++) {
    uint32_t* to = lists.entry.data() + lists.start[r];
    each_above(r, [&](uint32_t e) { *to++ = e; });
    std::sort(lists.entry.data() + lists.start[r], to);
  }
  lists.below_start.assign(known.node.size() + 1, 0);
  for (uint32_t r = 0; r < rows; r++)
    for (Offset s = lists.start[r] + 1; s < lists.start[r + 1]; s++)
      lists.below_start[(lists.entry[s] >> 2) + 1]++;
  for (size_t p = 0; p < known.node.size(); p++) lists.below_start[p + 1] += lists.below_start[p];
  lists.below.resize(size_t(lists.below_start.back()));
  Array<Offset> next = lists.below_start;
  for (uint32_t r = 0; r < rows; r++)
    for (Offset s = lists.start[r] + 1; s < lists.start[r + 1]; s++)
      lists.below[next[lists.entry[s] >> 2]++] = {uint32_t(lists.start[r]), uint32_t(s)};
  return lists;
}

// above(u), perhaps of another rank's node, with those that are known here.
struct MarkedList {
  uint32_t place;                    // of u
  std::span<const uint32_t> entry;   // as in AboveLists
  std::span<const uint32_t> origin;  // of each entry, where it stands at u's rank: see Returned
};

// Counts for the pair at a place of another rank's lists.
struct Returned {
  uint32_t slot;
  CommonCounts count;
};

// What a thread marks, by place. Positions are those in the marked list.
struct Marks {
  LargeArray<uint8_t> type;  // + 1; 0: not marked
  LargeArray<uint32_t> position;
  explicit Marks(size_t known, bool positions) : type(known, 0), position(positions ? known : 0) {}

  void set(std::span<const uint32_t> list) {
    for (size_t i = 0; i < list.size(); i++) {
      type[list[i] >> 2] = uint8_t((list[i] & 3) + 1);
      if (!position.empty()) position[list[i] >> 2] = uint32_t(i);
    }
  }
  void clear(std::span<const uint32_t> list) {
    for (const uint32_t e : list) type[e >> 2] = 0;
  }
};

struct TotalsCounter {
  static constexpr bool kPositions = false;
  const AboveLists& lists;
  TriangleTotals& totals;  // of all threads

  struct Local {
    int64_t count[kNumTypes * 12] = {};
  };
  void count(const MarkedList& u, const Marks& marks, Local& mine) const {
    const uint32_t* const entry = lists.entry.data();
    const uint8_t* const mark = marks.type.data();
    for (const Below& v : lists.below_of(u.place)) {
      int64_t* const of_type = mine.count + (entry[v.slot] & 3) * 12;
      // Misses are counted, too: cells 0, 4, 8 are theirs.
      for (uint32_t s = v.begin; s < v.slot; s++)
        of_type[(entry[s] & 3) * 4 + mark[entry[s] >> 2]]++;
    }
  }
  void finish(const Local& mine) {
    for (size_t t = 0; t < kNumTypes; t++)
      for (size_t c = 0; c < 9; c++)
        totals.count[t][c] += mine.count[t * 12 + c / 3 * 4 + c % 3 + 1];
  }
};

// Threads that count for the same pair add in any order; sums are the same.
inline void add_to(uint32_t& sum, uint32_t value) {
  __atomic_fetch_add(&sum, value, __ATOMIC_RELAXED);
}

struct HistogramCounter {
  static constexpr bool kPositions = true;
  const AboveLists& lists;
  Array<CommonCounts>& own;         // of the pairs of lists.entry
  std::vector<Returned>& returned;  // of other ranks'
  bool shared;                      // by several threads

  struct Local {
    std::vector<CommonCounts> below;
    std::vector<Returned> returned;
  };
  template <bool kShared>
  void scan(const MarkedList& u, const Marks& marks, Local& mine) const {
    const auto add = [](uint32_t& sum, uint32_t value) {
      if (kShared)
        add_to(sum, value);
      else
        sum += value;
    };
    const uint32_t* const entry = lists.entry.data();
    for (const Below& v : lists.below_of(u.place)) {
      const uint32_t vu = entry[v.slot] & 3;
      CommonCounts of_vu{};
      bool any = false;
      for (uint32_t s = v.begin; s < v.slot; s++) {
        const uint32_t place = entry[s] >> 2, vw = entry[s] & 3;
        if (marks.type[place] == 0) continue;
        const auto uw = uint32_t(marks.type[place] - 1);
        of_vu[3 * vw + uw]++;
        any = true;
        add(own[s][3 * vu + uint32_t(reversed(int(uw)))], 1);
        mine.below[marks.position[place]][uint32_t(3 * reversed(int(vu)) + reversed(int(vw)))]++;
      }
      if (!any) continue;
      for (size_t c = 0; c < 9; c++)
        if (of_vu[c] > 0) add(own[v.slot][c], of_vu[c]);
    }
  }
  void count(const MarkedList& u, const Marks& marks, Local& mine) const {
    mine.below.assign(u.entry.size(), {});
    if (shared)
      scan<true>(u, marks, mine);
    else
      scan<false>(u, marks, mine);
    for (size_t i = 0; i < u.entry.size(); i++) {
      if (mine.below[i] == CommonCounts{}) continue;
      if (!u.origin.empty()) {
        mine.returned.push_back({u.origin[i], mine.below[i]});
        continue;
      }
      CommonCounts& sum = own[size_t(u.entry.data() - lists.entry.data()) + i];
      for (size_t c = 0; c < 9; c++)
        if (mine.below[i][c] > 0) add_to(sum[c], mine.below[i][c]);
    }
  }
  void finish(const Local& mine) {
    returned.insert(returned.end(), mine.returned.begin(), mine.returned.end());
  }
};

template <class Counter>
void count_lists(Counter& counter, size_t known, std::span<const MarkedList> lists) {
  ParallelError error;
#pragma omp parallel if (num_threads() > 1 && lists.size() > 64)
  {
    std::unique_ptr<Marks> marks;
    typename Counter::Local mine;
    error.run([&] { marks = std::make_unique<Marks>(known, Counter::kPositions); });
#pragma omp for schedule(dynamic, 64)
    for (size_t i = 0; i < lists.size(); i++)
      error.run([&] {
        check_interrupted();
        marks->set(lists[i].entry);
        counter.count(lists[i], *marks, mine);
        marks->clear(lists[i].entry);
      });
#pragma omp critical(mgnn_divided_count)
    error.run([&] { counter.finish(mine); });
  }
  error.rethrow();
}

// ---- lists of other ranks' nodes

// What a rank says of a list before it sends it.
struct ListHead {
  uint32_t first_slot, size;
};

// Which lists of other ranks' nodes are needed, and how they are cut into batches.
struct ForeignLists {
  Array<NodeId> node;
  Array<ListHead> head;
  std::vector<size_t> batch;  // where each begins, and the end

  ForeignLists(Comm& comm, const RankGraph& graph, const KnownNodes& known, const AboveLists& lists,
               int64_t batch_bytes) {
    for (size_t p = 0; p < known.node.size(); p++)
      if (graph.row_of[known.node[p]] == kElsewhere && !lists.below_of(uint32_t(p)).empty())
        node.push_back(known.node[p]);
    head = Asked(comm, graph.owners, node).answers<ListHead>(comm, [&](NodeId u) {
      const uint32_t r = graph.row_of[u];
      return ListHead{uint32_t(lists.start[r]), uint32_t(lists.start[r + 1] - lists.start[r])};
    });
    constexpr int64_t kBytesPerEntry = 4 + 4 + 4 + int64_t(sizeof(Returned));
    batch = {0};
    int64_t bytes = 0;
    for (size_t i = 0; i < node.size(); i++) {
      const int64_t more = kBytesPerEntry * head[i].size;
      if (bytes > 0 && bytes + more > batch_bytes) batch.push_back(i), bytes = 0;
      bytes += more;
    }
    batch.push_back(node.size());
    const auto batches = gather(comm, int64_t(batch.size()));  // all take part in as many
    batch.resize(size_t(*std::max_element(batches.begin(), batches.end())), node.size());
  }
};

// The lists of one batch, in memory.
struct FetchedLists {
  Array<uint32_t> entry, origin;
  std::vector<MarkedList> lists;
  std::vector<int> owner;  // of each list
};

FetchedLists fetch(Comm& comm, const RankGraph& graph, const KnownNodes& known,
                   const AboveLists& above, std::span<const NodeId> nodes,
                   std::span<const ListHead> heads) {
  const auto ranks = size_t(comm.size());
  const Asked asked(comm, graph.owners, nodes);
  const PerRank<NodeId>& wanted = asked.of_others();
  std::vector<int64_t> counts(ranks, 0);
  for (size_t r = 0; r < ranks; r++)
    for (const NodeId u : wanted.of(int(r)))
      counts[r] += int64_t(above.row(graph.row_of[u]).size());
  PerRank<uint32_t> out = per_rank<uint32_t>(counts);
  uint32_t* to = out.values.data();
  for (const NodeId u : wanted.values)
    for (const uint32_t e : above.row(graph.row_of[u])) *to++ = known.node[e >> 2] << 2 | (e & 3);
  const PerRank<uint32_t> in = exchange_lists(comm, out);
  out = {};
  FetchedLists fetched;
  fetched.entry.reserve(in.values.size());
  fetched.origin.reserve(in.values.size());
  std::vector<int64_t> next = in.start;
  for (size_t i = 0; i < nodes.size(); i++) {
    const int owner = graph.owners.of(nodes[i]);
    const size_t begin = fetched.entry.size();
    for (uint32_t j = 0; j < heads[i].size; j++) {
      const uint32_t e = in.values[next[owner]++];
      const uint32_t place = known.place_of[node_of(e)];
      if (place == kElsewhere) continue;
      fetched.entry.push_back(place << 2 | uint32_t(type_of(e)));
      fetched.origin.push_back(heads[i].first_slot + j);
    }
    const size_t size = fetched.entry.size() - begin;
    fetched.lists.push_back({known.place_of[nodes[i]],
                             {fetched.entry.data() + begin, size},
                             {fetched.origin.data() + begin, size}});
    fetched.owner.push_back(owner);
  }
  return fetched;
}

template <class Counter, class AfterBatch>
void count_all(Comm& comm, const RankGraph& graph, const KnownNodes& known, const AboveLists& above,
               const TriangleOptions& options, Counter& counter, const AfterBatch& after_batch) {
  std::vector<MarkedList> own;
  for (uint32_t r = 0; r < graph.num_rows(); r++)
    if (const uint32_t place = known.place_of[graph.node[r]]; !above.below_of(place).empty())
      own.push_back({place, above.row(r), {}});
  count_lists(counter, known.node.size(), own);
  const ForeignLists foreign(comm, graph, known, above, options.batch_bytes);
  Progress progress("triangles", int64_t(foreign.batch.size()) - 1, "batches");
  for (size_t b = 0; b + 1 < foreign.batch.size(); b++) {
    const size_t first = foreign.batch[b], count = foreign.batch[b + 1] - first;
    const FetchedLists fetched =
        fetch(comm, graph, known, above, std::span(foreign.node).subspan(first, count),
              std::span(foreign.head).subspan(first, count));
    for (int owner = 0; owner < comm.size(); owner++) {  // so that what returns has one address
      std::vector<MarkedList> of_owner;
      for (size_t i = 0; i < count; i++)
        if (fetched.owner[i] == owner) of_owner.push_back(fetched.lists[i]);
      count_lists(counter, known.node.size(), of_owner);
      after_batch(owner);
    }
    after_batch(-1);
    progress.advance(1);
  }
}

// The place of a neighbour in a row.
Offset place_in_row(const RankGraph& graph, uint32_t r, NodeId neighbour) {
  const auto row = graph.row(r);
  return graph.start[r] +
         (std::lower_bound(row.begin(), row.end(), packed_neighbour(neighbour, 0)) - row.begin());
}

CommonCounts transposed(const CommonCounts& counts) {
  CommonCounts result;
  for (size_t c = 0; c < 9; c++) result[c] = counts[c % 3 * 3 + c / 3];
  return result;
}

struct PairCounts {
  NodeId row, column;
  CommonCounts count;
};

// From the pairs, each stored where its later node is, to all places of the rows.
Array<CommonCounts> spread(Comm& comm, const RankGraph& graph, const KnownNodes& known,
                           const AboveLists& above, Array<CommonCounts> of_slot) {
  Array<CommonCounts> of_place(graph.neighbour.size());
  const auto each_pair = [&](const auto& visit) {
    for (uint32_t r = 0; r < graph.num_rows(); r++)
      for (Offset s = above.start[r]; s < above.start[r + 1]; s++)
        visit(r, known.node[above.entry[s] >> 2], of_slot[s]);
  };
  std::vector<int64_t> counts(size_t(comm.size()), 0);
  each_pair([&](uint32_t r, NodeId u, const CommonCounts& count) {
    of_place[place_in_row(graph, r, u)] = count;
    if (const uint32_t row = graph.row_of[u]; row != kElsewhere)
      of_place[place_in_row(graph, row, graph.node[r])] = transposed(count);
    else
      counts[graph.owners.of(u)]++;
  });
  PerRank<PairCounts> out = per_rank<PairCounts>(counts);
  std::vector<int64_t> next = out.start;
  each_pair([&](uint32_t r, NodeId u, const CommonCounts& count) {
    if (graph.row_of[u] == kElsewhere)
      out.values[next[graph.owners.of(u)]++] = {u, graph.node[r], transposed(count)};
  });
  of_slot = {};
  const PerRank<PairCounts> in = exchange_lists(comm, out);
  for (const PairCounts& pair : in.values)
    of_place[place_in_row(graph, graph.row_of[pair.row], pair.column)] = pair.count;
  return of_place;
}

}  // namespace

KnownNodes known_nodes(Comm& comm, const RankGraph& graph) {
  KnownNodes known;
  known.place_of.assign(size_t(graph.num_nodes), kElsewhere);
  Array<NodeId> foreign;
  for (const uint32_t e : graph.neighbour)
    if (const NodeId u = node_of(e);
        graph.row_of[u] == kElsewhere && known.place_of[u] == kElsewhere) {
      known.place_of[u] = 0;
      foreign.push_back(u);
    }
  std::sort(foreign.begin(), foreign.end());
  const Array<TypeDegrees> asked =
      Asked(comm, graph.owners, foreign).answers<TypeDegrees>(comm, [&](NodeId u) {
        return graph.degrees[graph.row_of[u]];
      });
  struct Order {
    uint64_t key;  // fewer neighbours are larger; then the number
    TypeDegrees degrees;
  };
  Array<Order> order;
  const auto add = [&](NodeId u, const TypeDegrees& degrees) {
    order.push_back({uint64_t(~degrees.total()) << 32 | uint32_t(u), degrees});
  };
  for (uint32_t r = 0; r < graph.num_rows(); r++) add(graph.node[r], graph.degrees[r]);
  for (size_t i = 0; i < foreign.size(); i++) add(foreign[i], asked[i]);
  std::sort(order.begin(), order.end(),
            [](const Order& a, const Order& b) { return a.key < b.key; });
  for (const Order& o : order) {
    known.place_of[NodeId(uint32_t(o.key))] = uint32_t(known.node.size());
    known.node.push_back(NodeId(uint32_t(o.key)));
    known.degrees.push_back(o.degrees);
  }
  return known;
}

TriangleTotals divided_totals(Comm& comm, const RankGraph& graph, const KnownNodes& known,
                              const TriangleOptions& options) {
  const AboveLists above = above_lists(graph, known);
  TriangleTotals totals;
  TotalsCounter counter{above, totals};
  count_all(comm, graph, known, above, options, counter, [](int) {});
  sum_over_ranks(comm, std::span(&totals.count[0][0], kNumTypes * 9));
  return totals;
}

Array<CommonCounts> divided_histograms(Comm& comm, const RankGraph& graph, const KnownNodes& known,
                                       const TriangleOptions& options) {
  const AboveLists above = above_lists(graph, known);
  Array<CommonCounts> own(above.entry.size(), CommonCounts{});
  std::vector<Returned> returned;
  std::vector<int64_t> sizes(size_t(comm.size()), 0);
  PerRank<Returned> out;
  HistogramCounter counter{above, own, returned, num_threads() > 1};
  count_all(comm, graph, known, above, options, counter, [&](int owner) {
    if (owner >= 0) {
      sizes[owner] = int64_t(returned.size()) -
                     std::accumulate(sizes.begin(), sizes.begin() + owner, int64_t(0));
      return;
    }
    out = per_rank<Returned>(sizes);
    std::copy(returned.begin(), returned.end(), out.values.begin());
    returned.clear();
    std::fill(sizes.begin(), sizes.end(), 0);
    const PerRank<Returned> in = exchange_lists(comm, out);
    for (const Returned& r : in.values)
      for (size_t c = 0; c < 9; c++) own[r.slot][c] += r.count[c];
  });
  return spread(comm, graph, known, above, std::move(own));
}

}  // namespace mgnn
