// From a list of edges to a Graph.
#pragma once

#include "mgnn/graph/graph.h"

namespace mgnn {

struct BuildOptions {
  bool symmetrise = false;  // add the reverse of every arc
};

// What the builder left out, for the user to see.
struct BuildStats {
  Offset arcs_given = 0;
  Offset loops_dropped = 0;       // every listed u -> u
  Offset duplicates_dropped = 0;  // arcs listed before, repeated loops among them
  NodeId nodes_dropped = 0;       // outside the largest component, if the data were cut to it
};

struct BuiltGraph {
  Graph graph;
  BuildStats stats;
};

// Builds a graph of `num_nodes` nodes; loops and repeated arcs are dropped and counted. Takes the
// edges by value so that their memory can be freed early: std::move them in.
// Throws Error if an edge names a node outside [0, num_nodes). Parallel; O(nodes + edges); peak
// memory with the edges at most 3 times the final graph's.
BuiltGraph build_graph(NodeId num_nodes, Array<Edge> edges, const BuildOptions& options = {});

// build_graph without options and statistics.
Graph make_graph(NodeId num_nodes, Array<Edge> edges);

// For every arc, in the order of graph.out, the sum of `value` over the `edges` that list it
// (edges that are loops are passed over). REQUIRES: every other edge is an arc of `graph`.
Array<float> arc_values(const Graph& graph, std::span<const Edge> edges,
                        std::span<const float> value);

// The graph of `kept` nodes (ascending) and the arcs among them, renumbered in that order.
Graph induced_subgraph(const Graph& graph, std::span<const NodeId> kept);

}  // namespace mgnn
