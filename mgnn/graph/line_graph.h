// The graph of a graph's edges.
#pragma once

#include <vector>

#include "mgnn/graph/graph.h"

namespace mgnn {

struct LineGraph {
  Graph graph;
  Array<Edge> edges;                // (nodes of `graph`) the edge that each node stands for
  std::vector<NodeId> graph_start;  // of a set of graphs, else empty
};

// Whether every arc has its reverse.
bool is_undirected(const Graph& graph);

// Undirected graphs: a node for every edge {u, v}, u < v, in ascending order; two of them are
// joined if they share an end. Directed graphs: a node for every arc, and (u, v) -> (v, w). An edge
// that meets no other is a node without arcs. A set of graphs, as a union with the places where
// each begins, gives a set again. O(Σ degree²), which hubs make large: throws Error (failed) if it
// would not fit into memory.
LineGraph line_graph(const Graph& graph, std::span<const NodeId> graph_start = {});

}  // namespace mgnn
