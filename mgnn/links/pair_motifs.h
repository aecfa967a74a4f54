// How many instances of each motif an edge between two nodes would make.
#pragma once

#include "mgnn/motif/motifs.h"
#include "mgnn/motif/node_sums.h"

namespace mgnn {

// What arcs an edge is of: u -> v, v -> u, or both.
enum class PairArcs { forward, backward, both };

// The graph with types of neighbours beside them; what makes counting fast.
class PairMotifs {
 public:
  PairMotifs(const Graph& graph, PairArcs arcs);

  // Entry (u, v) of each motif matrix (subgraph counting, `edge` entries) of the graph in which u and
  // v are joined by these arcs and no others: instances that contain the pair as an edge. What joins
  // them in the graph already plays no part. Row i is of targets[i]. REQUIRES: no target is u.
  // O(d(u) + Σ d(target)). For several threads at once.
  void count(NodeId u, std::span<const NodeId> targets, std::span<MotifCounts> counts) const;

 private:
  Csr joined_;                                   // neighbours in either direction
  Array<uint8_t> type_;                          // (nnz) as the row's node sees them
  std::vector<std::array<uint32_t, 3>> degree_;  // (nodes) neighbours of each type
  PairArcs arcs_;
};

// The arcs that edges of training are made of: both where most have both. `pairs` are in `graph`.
PairArcs usual_arcs(const Graph& graph, std::span<const NodeId> from, std::span<const NodeId> to);

}  // namespace mgnn
