// An arc is sent to the owners of both its ends, as the entry of a row: column and direction. Sorting a
// row brings the two directions of a pair together.

#include "mgnn/cluster/rank_graph.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"

namespace mgnn {
namespace {

struct RowEntry {
  NodeId row;
  uint32_t column;  // packed_neighbour with kOut or kIn
};

// Calls visit(entry) for what an edge puts into the rows of its ends.
template <class Visit>
void each_entry(const Edge& e, bool symmetrise, const Visit& visit) {
  if (e.from == e.to) return;
  for (const Edge& arc : {e, Edge{e.to, e.from}}) {
    visit(RowEntry{arc.from, packed_neighbour(arc.to, kOut)});
    visit(RowEntry{arc.to, packed_neighbour(arc.from, kIn)});
    if (!symmetrise) return;
  }
}

PerRank<RowEntry> entries_by_owner(const Owners& owners, const Array<Edge>& edges,
                                   bool symmetrise) {
  std::vector<int64_t> counts(size_t(owners.ranks), 0);
  for (const Edge& e : edges)
    each_entry(e, symmetrise, [&](const RowEntry& entry) { counts[owners.of(entry.row)]++; });
  PerRank<RowEntry> out = per_rank<RowEntry>(counts);
  std::vector<int64_t> next = out.start;
  for (const Edge& e : edges)
    each_entry(e, symmetrise,
               [&](const RowEntry& entry) { out.values[next[owners.of(entry.row)]++] = entry; });
  return out;
}

void find_own_nodes(RankGraph& graph, int rank) {
  graph.row_of.assign(size_t(graph.num_nodes), RankGraph::kElsewhere);
  for (NodeId u = 0; u < graph.num_nodes; u++)
    if (graph.owners.of(u) == rank) {
      graph.row_of[u] = graph.num_rows();
      graph.node.push_back(u);
    }
}

// Sorts a row and joins what belongs to one neighbour; gives its new size.
Offset settle_row(std::span<uint32_t> row, TypeDegrees& degrees) {
  std::sort(row.begin(), row.end());
  size_t size = 0;
  for (const uint32_t e : row) {
    const bool same = size > 0 && node_of(row[size - 1]) == node_of(e);
    if (!same)
      row[size++] = e;
    else if (type_of(row[size - 1]) == kOut && type_of(e) == kIn)
      row[size - 1] = packed_neighbour(node_of(e), kBoth);
  }
  for (size_t i = 0; i < size; i++) degrees.of[type_of(row[i])]++;
  return Offset(size);
}

void fill_rows(RankGraph& graph, const Array<RowEntry>& entries) {
  const uint32_t rows = graph.num_rows();
  Array<Offset> begin(size_t(rows) + 1, 0);
  for (const RowEntry& e : entries) begin[graph.row_of[e.row] + 1]++;
  for (uint32_t r = 0; r < rows; r++) begin[r + 1] += begin[r];
  Array<uint32_t> column(entries.size());
  Array<Offset> next = begin;
  for (const RowEntry& e : entries) column[next[graph.row_of[e.row]]++] = e.column;
  graph.degrees.assign(rows, {});
  graph.start.assign(size_t(rows) + 1, 0);
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1024) if (worth_threads(int64_t(entries.size())))
  for (uint32_t r = 0; r < rows; r++)
    error.run([&] {
      graph.start[r + 1] =
          settle_row({column.data() + begin[r], size_t(begin[r + 1] - begin[r])}, graph.degrees[r]);
    });
  error.rethrow();
  for (uint32_t r = 0; r < rows; r++) graph.start[r + 1] += graph.start[r];
  graph.neighbour.resize(size_t(graph.start[rows]));
#pragma omp parallel for schedule(dynamic, 1024) if (worth_threads(int64_t(entries.size())))
  for (uint32_t r = 0; r < rows; r++)
    std::copy_n(column.data() + begin[r], graph.start[r + 1] - graph.start[r],
                graph.neighbour.data() + graph.start[r]);
}

// What all ranks know of the whole, by sums.
void describe_whole(Comm& comm, RankGraph& graph) {
  int64_t sums[kNumTypes + 1] = {};
  for (uint32_t r = 0; r < graph.num_rows(); r++) {
    for (int t = 0; t < kNumTypes; t++) sums[t] += graph.degrees[r].of[t];
    for (const uint32_t e : graph.row(r))  // as fingerprint(Graph)
      if (type_of(e) != kIn)
        sums[kNumTypes] +=
            int64_t(mix_bits(mix_bits(uint64_t(graph.node[r]) << 32 | uint32_t(node_of(e))) + 1));
  }
  sum_over_ranks(comm, sums);
  for (int t = 0; t < kNumTypes; t++) graph.has_type[t] = sums[t] > 0;
  graph.num_arcs = sums[kOut] + sums[kBoth];
  graph.undirected = sums[kOut] == 0;
  graph.fingerprint = mix_bits(uint64_t(graph.num_nodes) + 1) + uint64_t(sums[kNumTypes]);
}

RankGraph empty_graph(Comm& comm, NodeId num_nodes) {
  if (num_nodes > RankGraph::kMaxNodes)
    fail("{} nodes are more than several ranks can count together: {}", num_nodes,
         RankGraph::kMaxNodes);
  RankGraph graph;
  graph.owners.ranks = comm.size();
  graph.num_nodes = num_nodes;
  find_own_nodes(graph, comm.rank());
  return graph;
}

}  // namespace

RankGraph divided_graph(Comm& comm, NodeId num_nodes, Array<Edge> edges, bool symmetrise) {
  RankGraph graph = empty_graph(comm, num_nodes);
  PerRank<RowEntry> out = entries_by_owner(graph.owners, edges, symmetrise);
  edges = {};
  const PerRank<RowEntry> in = exchange_lists(comm, out);
  out = {};
  fill_rows(graph, in.values);
  describe_whole(comm, graph);
  return graph;
}

RankGraph part_of_graph(Comm& comm, const Graph& whole) {
  RankGraph graph = empty_graph(comm, whole.num_nodes());
  Array<RowEntry> entries;
  for (const NodeId u : graph.node) {
    for (const NodeId v : whole.out.row(u)) entries.push_back({u, packed_neighbour(v, kOut)});
    for (const NodeId v : whole.in.row(u)) entries.push_back({u, packed_neighbour(v, kIn)});
  }
  fill_rows(graph, entries);
  describe_whole(comm, graph);
  return graph;
}

NodeIds gather_ids(Comm& comm, const RankGraph& graph) {
  const auto to_first = [&]<class T>(const Array<T>& mine) {
    std::vector<int64_t> counts(size_t(comm.size()), 0);
    counts[0] = int64_t(mine.size());
    PerRank<T> out = per_rank<T>(counts);
    out.values = mine;
    return exchange_lists(comm, out).values;
  };
  NodeIds ids;
  ids.number = to_first(graph.ids.number);
  const bool texts = sum_over_ranks(comm, int64_t(graph.ids.are_strings())) > 0;
  if (!texts) return ids;
  Array<Offset> sizes;
  for (size_t i = 0; i + 1 < graph.ids.text_start.size(); i++)
    sizes.push_back(graph.ids.text_start[i + 1] - graph.ids.text_start[i]);
  ids.text = to_first(graph.ids.text);
  sizes = to_first(sizes);
  if (comm.rank() != 0) return ids;
  ids.text_start = {0};
  for (const Offset size : sizes) ids.text_start.push_back(ids.text_start.back() + size);
  return ids;
}

}  // namespace mgnn
