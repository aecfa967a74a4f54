// Sizes, degrees, reciprocity and components of a graph.
#pragma once

#include "mgnn/graph/graph.h"

namespace mgnn {

struct DegreeSummary {
  Offset min = 0, max = 0;
  double mean = 0, median = 0;  // median of an even number: the mean of the two in the middle
};

struct GraphSummary {
  NodeId nodes = 0;
  Offset arcs = 0;
  Offset reciprocal_pairs = 0;  // unordered pairs with both arcs
  Offset undirected_edges = 0;  // unordered pairs with at least one
  NodeId isolated = 0;          // nodes without arcs
  NodeId components = 0;        // weakly connected
  NodeId largest_component = 0;
  DegreeSummary out = {}, in = {};

  double reciprocity() const {  // share of arcs whose reverse is an arc
    return arcs == 0 ? 0 : 2. * double(reciprocal_pairs) / double(arcs);
  }
};

// O(nodes + arcs), parallel but for the components.
GraphSummary summarise(const Graph& graph);

}  // namespace mgnn
