// How often a node has each role: from sums over its pairs.
#pragma once

#include <array>
#include <cstdint>

#include "mgnn/motif/roles.h"
#include "mgnn/motif/triangle_pass.h"
#include "mgnn/motif/triangle_totals.h"

namespace mgnn {

// Of a node i: how it is joined to others, and these among each other. Sums of sums are those of
// several nodes.
struct NodeSums {
  int64_t wedges[kNumTypes][kNumTypes] = {};  // two neighbours by their types; in both orders
  // Triangles of i and two others by the type of (i, j) and, as in a histogram, 3 · type(i, w) +
  // type(j, w); each once as (j, w) and once as (w, j).
  int64_t triangles[kNumTypes][9] = {};
  // i, j, w by the types of (i, j) and (j, w), whether w is joined to i or not.
  int64_t paths[kNumTypes][kNumTypes] = {};
};

// Nodes by rank: what sums of a node read of its neighbours, and where its result goes.
struct RankedNode {
  uint32_t degree[kNumTypes];
  NodeId node;
};
LargeArray<RankedNode> ranked_nodes(const RankedPairs& pairs);  // (nodes + 1), [rank]

// REQUIRES: pairs.lower is there. O(neighbours of the node).
NodeSums node_sums(const RankedPairs& pairs, const PairHistograms& histograms,
                   const LargeArray<RankedNode>& by_rank, uint32_t rank);

// Of all nodes together. REQUIRES no more of `pairs` than the degrees.
NodeSums sums_of_all_nodes(const RankedPairs& pairs, const TriangleTotals& totals);

// In how many instances the node has each role.
RoleCounts induced_roles(const NodeSums& sums);
// The same for `subgraph`: every induced triple holds instances of smaller motifs.
RoleCounts subgraph_roles(const RoleCounts& induced);

}  // namespace mgnn
