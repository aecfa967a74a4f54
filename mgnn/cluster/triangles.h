// The triangles of a graph that is divided among ranks. Each is found once, by the rank that has the
// node of the three with the fewest neighbours.
#pragma once

#include "mgnn/cluster/rank_graph.h"
#include "mgnn/motif/triangle_totals.h"

namespace mgnn {

// Common neighbours of a pair (i, j) by 3 · type(i, w) + type(j, w).
using CommonCounts = std::array<uint32_t, 9>;

// Of the nodes that are neighbours of this rank's nodes and of these.
struct KnownNodes {
  Array<NodeId> node;          // by descending number of neighbours, then by number
  Array<TypeDegrees> degrees;  // of these
  Array<uint32_t> place_of;    // (num_nodes) where a node is among them, or kElsewhere
};
KnownNodes known_nodes(Comm& comm, const RankGraph& graph);

struct TriangleOptions {
  int64_t batch_bytes = int64_t(1) << 30;  // of lists of other ranks' nodes at a time
};

// Of all ranks together; all have the same sums.
TriangleTotals divided_totals(Comm& comm, const RankGraph& graph, const KnownNodes& known,
                              const TriangleOptions& options = {});

// For every place of this rank's rows, in their order, the common neighbours of its pair.
Array<CommonCounts> divided_histograms(Comm& comm, const RankGraph& graph, const KnownNodes& known,
                                       const TriangleOptions& options = {});

}  // namespace mgnn
