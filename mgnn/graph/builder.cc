// Edges go into rows by `group_rows` (sparse/group.h); each row is sorted while its bucket is in
// the cache, and loses its loops and repetitions there. The in-rows are the transpose.

#include <algorithm>
#include <numeric>

#include "mgnn/base/error.h"
#include "mgnn/graph/graph.h"
#include "mgnn/sparse/group.h"

namespace mgnn {
namespace {

void check_ends(NodeId num_nodes, std::span<const Edge> edges) {
  Offset wrong = Offset(edges.size());  // the first one, so that the message is the same every time
  const auto bound = static_cast<uint32_t>(num_nodes);
#pragma omp parallel for schedule(static) \
    reduction(min                         \
              : wrong) if (worth_threads(Offset(edges.size())))
  for (Offset e = 0; e < Offset(edges.size()); e++)
    if (uint32_t(edges[e].from) >= bound || uint32_t(edges[e].to) >= bound)
      wrong = std::min(wrong, e);
  if (wrong < Offset(edges.size()))
    fail_data("edge {} is {} -> {}, but the nodes are 0 to {}", wrong, edges[wrong].from,
              edges[wrong].to, num_nodes - 1);
}

RowBuckets bucket_edges(NodeId num_nodes, const Array<Edge>& edges, bool symmetrise) {
  const int parts = worth_threads(Offset(edges.size())) ? num_threads() : 1;
  return bucket_rows(num_nodes, parts, [&](int part, auto&& emit) {
    const Offset end = split_point(Offset(edges.size()), parts, part + 1);
    for (Offset e = split_point(Offset(edges.size()), parts, part); e < end; e++) {
      emit(edges[e].from, edges[e].to);
      if (symmetrise && edges[e].from != edges[e].to) emit(edges[e].to, edges[e].from);
    }
  });
}

}  // namespace

BuiltGraph build_graph(NodeId num_nodes, Array<Edge> edges, const BuildOptions& options) {
  check(num_nodes >= 0, "invalid number of nodes: {}", num_nodes);
  check_ends(num_nodes, edges);
  BuiltGraph built;
  built.stats.arcs_given = Offset(edges.size());
  RowBuckets buckets = bucket_edges(num_nodes, edges, options.symmetrise);
  edges = Array<Edge>();  // `= {}` would keep the memory

  std::atomic<Offset> loops = 0, duplicates = 0;
  Graph& graph = built.graph;
  const auto finish_row = [&](NodeId row, std::span<NodeId> columns) {
    const auto [first_loop, after_loops] = std::equal_range(columns.begin(), columns.end(), row);
    const Offset loops_of_row = after_loops - first_loop;
    auto end = std::unique(columns.begin(), columns.end());
    const Offset repeated = columns.end() - end;
    if (loops_of_row > 0) {
      end = std::remove(columns.begin(), end, row);
      loops.fetch_add(loops_of_row, std::memory_order_relaxed);
    }
    if (repeated > 0) duplicates.fetch_add(repeated, std::memory_order_relaxed);
    return end - columns.begin();
  };
  graph.out = group_rows(num_nodes, num_nodes, std::move(buckets), finish_row, RowOrder::ascending);
  built.stats.loops_dropped = loops;
  built.stats.duplicates_dropped = duplicates;

  graph.in = transpose(graph.out);
  return built;
}

Graph make_graph(NodeId num_nodes, Array<Edge> edges) {
  return build_graph(num_nodes, std::move(edges)).graph;
}

Array<float> arc_values(const Graph& graph, std::span<const Edge> edges,
                        std::span<const float> value) {
  check(edges.size() == value.size(), "{} edges, but {} values", edges.size(), value.size());
  Array<float> sum(size_t(graph.num_arcs()), 0.f);
  for (size_t e = 0; e < edges.size(); e++) {
    if (edges[e].from == edges[e].to) continue;
    const auto row = graph.out.row(edges[e].from);
    const Offset place = std::lower_bound(row.begin(), row.end(), edges[e].to) - row.begin();
    sum[graph.out.start[edges[e].from] + place] += value[e];
  }
  return sum;
}

Graph induced_subgraph(const Graph& graph, std::span<const NodeId> nodes) {
  Array<NodeId> renumbered(size_t(graph.num_nodes()), NodeId(-1));
  for (size_t i = 0; i < nodes.size(); i++) renumbered[nodes[i]] = NodeId(i);
  const auto size = NodeId(nodes.size());
  Csr out{size, size, Array<Offset>(nodes.size() + 1, 0), {}};
  for (size_t i = 0; i < nodes.size(); i++) {
    for (NodeId v : graph.out.row(nodes[i]))
      if (renumbered[v] >= 0) out.index.push_back(renumbered[v]);
    out.start[i + 1] = Offset(out.index.size());
  }
  Csr in = transpose(out);
  return {std::move(out), std::move(in)};
}

}  // namespace mgnn
