// What every embedding method is given.
#pragma once

#include <span>
#include <utility>

#include "mgnn/graph/graph.h"
#include "mgnn/tensor/matrix.h"

namespace mgnn {

// One graph, or a set of graphs as their block-diagonal union. Methods for nodes give a row for
// every node, methods for graphs one for every graph. What a method has no use for it does not look
// at. Everything here must outlive the call.
struct EmbedInput {
  const Graph& graph;
  std::span<const NodeId> graph_start = {};  // (graphs + 1); empty: one graph
  std::span<const float> arc_weight = {};    // (arcs), in the order of graph.out; empty: all 1
  std::span<const int32_t> node_label = {};  // (n), or empty
  std::span<const int32_t> arc_label = {};   // (arcs), or empty

  NodeId num_graphs() const { return graph_start.empty() ? 1 : NodeId(graph_start.size()) - 1; }
  // First node of graph g, and the one after its last.
  std::pair<NodeId, NodeId> nodes_of(NodeId g) const {
    if (graph_start.empty()) return {0, graph.num_nodes()};
    return {graph_start[size_t(g)], graph_start[size_t(g) + 1]};
  }
};

}  // namespace mgnn
