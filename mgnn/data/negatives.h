// Pairs of nodes that no edge joins: what a model of links learns to tell from edges.
#pragma once

#include <unordered_set>

#include "mgnn/base/rng.h"
#include "mgnn/graph/graph.h"

namespace mgnn {

// Pair i is (from[i], to[i]).
struct NodePairs {
  Array<NodeId> from, to;

  size_t size() const { return from.size(); }
  void push_back(Edge pair) {
    from.push_back(pair.from);
    to.push_back(pair.to);
  }
  Edge operator[](size_t i) const { return {from[i], to[i]}; }
};

// Pairs that may not be drawn again, in either order.
using TakenPairs = std::unordered_set<uint64_t>;

// Draws pairs (u, v), u != v, without an arc u -> v in `known`, nor v -> u unless `directed`.
//
// With `node_type` (one number for every node) both ends of a drawn pair have the types of the pair
// that it stands beside; without it they are any nodes. Uniform among such pairs, but for graphs
// so dense that a hundred tries find none: then it is the next one after a random pair.
// Same source of random numbers, same pairs, for any number of threads.
class NegativeSampler {
 public:
  // Both must outlive the sampler.
  NegativeSampler(const Graph& known, std::span<const int32_t> node_type, bool directed);

  // One for each of `beside`, with repetitions: for training. Throws Error (data) if all pairs are
  // joined.
  NodePairs draw(const NodePairs& beside, const Rng& rng) const;
  // All different, as unordered pairs, from each other and from `taken`, to which they are added:
  // for validation and test. Throws Error (data) if there are not enough.
  NodePairs draw_distinct(const NodePairs& beside, Rng rng, TakenPairs& taken) const;

 private:
  std::span<const NodeId> nodes_like(NodeId node) const;
  bool may_be(Edge pair, const TakenPairs* taken) const;
  Edge one(Edge beside, Rng& rng, const TakenPairs* taken) const;
  [[noreturn]] void fail_too_dense(size_t sources, size_t targets, bool some_drawn) const;

  const Graph& known_;
  std::span<const int32_t> type_;
  bool directed_;
  Array<NodeId> order_;  // nodes by type
  Array<Offset> start_;  // where each type begins
};

}  // namespace mgnn
