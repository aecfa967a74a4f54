// What a count on several ranks will need, from the graph alone.
#pragma once

#include "mgnn/graph/graph.h"

namespace mgnn {

// Of one rank. Bytes are those that it sends to others.
struct RankNeeds {
  NodeId nodes = 0;
  Offset neighbours = 0;     // of its nodes
  NodeId foreign_nodes = 0;  // of other ranks, that are neighbours of its nodes
  int64_t lookups = 0;       // of the triangle pass: its work
  int64_t census_bytes = 0;  // that a census of totals sends, once the graph is there
};

// For each rank. O(arcs · log) for all together. REQUIRES: 1 <= ranks <= 512.
std::vector<RankNeeds> plan_ranks(const Graph& graph, int ranks);

}  // namespace mgnn
