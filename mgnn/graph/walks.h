// Random walks along arcs: of the first order, and node2vec's of the second.
#pragma once

#include <span>
#include <vector>

#include "mgnn/base/alias.h"
#include "mgnn/graph/graph.h"

namespace mgnn {

struct WalkOptions {
  // From v, reached from t, to a neighbour x of v with probability proportional to the weight of
  // v -> x times 1/p if x is t, 1 if x -> t is an arc, and 1/q otherwise. 1 and 1: first order.
  double p = 1, q = 1;
  // As if every node had an arc to itself; no weights, first order only.
  bool loops = false;
};

// Walks on one graph. Memory: 8 bytes an arc if there are weights, else nothing to speak of; no
// tables per pair of arcs. A step takes constant time for the first order; for the second it is a
// few tries, each with a binary search among neighbours.
//
// Any number of threads may use one Walker, each with its own Rng. The graph must outlive it.
class Walker {
 public:
  // `weight`: of the arcs, in the order of graph.out; empty: all 1. An arc of weight 0 is never
  // walked. Throws Error (usage) on weights that are negative or not finite, and on p or q that are
  // not above 0 (infinity will do).
  explicit Walker(const Graph& graph, std::span<const float> weight = {},
                  const WalkOptions& options = {});

  // Fills `walk` with a walk that begins at `start`, and gives the number of its nodes: fewer than
  // walk.size() if it ended at a node without a way on. REQUIRES: walk is not empty.
  size_t walk(NodeId start, Rng& rng, std::span<NodeId> walk) const;

  // The node after v; -1 if there is no way on.
  NodeId step(NodeId v, Rng& rng) const;
  // The node after t -> v. REQUIRES: v has a way on.
  NodeId step(NodeId t, NodeId v, Rng& rng) const;

 private:
  NodeId step_exactly(NodeId t, NodeId v, Rng& rng) const;
  double bias(NodeId t, NodeId x) const;
  double weight_back(NodeId t, NodeId v) const;

  const Graph& graph_;
  std::span<const float> weight_;
  Array<AliasSlot> slots_;          // (arcs) if there are weights
  std::vector<double> weight_sum_;  // (n) likewise
  double back_, on_;                // 1/p, 1/q
  double most_, least_;             // of 1 and 1/q
  bool loops_;
};

}  // namespace mgnn
