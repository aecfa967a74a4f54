#include "mgnn/graph/line_graph.h"

#include <algorithm>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/memory.h"
#include "mgnn/graph/graph.h"

namespace mgnn {
namespace {

void check_size(int64_t nodes, int64_t arcs) {
  constexpr int64_t kBytesPerArc = 24;  // while the graph is built
  if (nodes > std::numeric_limits<NodeId>::max() || arcs > available_memory_bytes() / kBytesPerArc)
    fail("the line graph would have {} nodes and {} arcs, more than fits into memory",
         human_count(nodes), human_count(arcs));
}

// Every two of `nodes`, both ways.
void join_all(std::span<const NodeId> nodes, Array<Edge>& arcs) {
  for (const NodeId a : nodes)
    for (const NodeId b : nodes)
      if (a != b) arcs.push_back({a, b});
}

Array<Edge> undirected_arcs(const Graph& graph, const Array<Edge>& edges) {
  std::vector<std::vector<NodeId>> at(size_t(graph.num_nodes()));  // the edges of each node
  for (size_t e = 0; e < edges.size(); e++) {
    at[edges[e].from].push_back(NodeId(e));
    at[edges[e].to].push_back(NodeId(e));
  }
  Array<Edge> arcs;
  for (const auto& nodes : at) join_all(nodes, arcs);
  return arcs;
}

Array<Edge> directed_arcs(const Graph& graph, const Array<Edge>& edges) {
  Array<Edge> arcs;
  for (size_t e = 0; e < edges.size(); e++)
    for (Offset next = graph.out.start[edges[e].to]; next < graph.out.start[edges[e].to + 1];
         next++)
      arcs.push_back({NodeId(e), NodeId(next)});
  return arcs;
}

}  // namespace

bool is_undirected(const Graph& graph) {
  return graph.out.start == graph.in.start && graph.out.index == graph.in.index;
}

LineGraph line_graph(const Graph& graph, std::span<const NodeId> graph_start) {
  const bool undirected = is_undirected(graph);
  int64_t num_arcs = 0;
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    num_arcs += undirected ? graph.out.row_size(u) * (graph.out.row_size(u) - 1)
                           : graph.in.row_size(u) * graph.out.row_size(u);
  check_size(graph.num_arcs(), num_arcs);

  LineGraph line;
  for (const Edge& arc : arcs(graph))
    if (!undirected || arc.from < arc.to) line.edges.push_back(arc);
  line.graph = make_graph(NodeId(line.edges.size()), undirected ? undirected_arcs(graph, line.edges)
                                                                : directed_arcs(graph, line.edges));
  for (const NodeId first : graph_start)  // edges are sorted by their smaller, or their first, end
    line.graph_start.push_back(
        NodeId(std::lower_bound(line.edges.begin(), line.edges.end(), first,
                                [](const Edge& e, NodeId u) { return e.from < u; }) -
               line.edges.begin()));
  return line;
}

}  // namespace mgnn
