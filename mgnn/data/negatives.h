// Pairs of nodes that no edge joins: what a model of links learns to tell from edges.
#pragma once

#include <unordered_set>

#include "mgnn/base/names.h"
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

// Which pairs stand beside edges as negatives:
//   typed           any nodes with the types of the edge's ends
//   uniform         any nodes
//   degree_matched  ends of other edges, of the same types: every node is as often an end of negatives as
//                   of edges, so that degrees alone tell nothing
enum class Negatives { typed, uniform, degree_matched };
constexpr auto enum_names(Negatives) {
  return std::to_array<Named<Negatives>>({{"typed", Negatives::typed},
                                          {"uniform", Negatives::uniform},
                                          {"degree-matched", Negatives::degree_matched}});
}

// Pairs that may not be drawn again, in either order.
using TakenPairs = std::unordered_set<uint64_t>;

// Draws pairs (u, v), u != v, without an arc u -> v in `known`, nor v -> u unless `directed`.
//
// With `node_type` (one number for every node) both ends of a drawn pair have the types of the pair
// that it stands beside; without it they are any nodes. With `ends` its first end is the first end of
// one of these pairs, its second end the second end of another. Uniform among such pairs, but for graphs
// so dense that a hundred tries find none: then it is the next one after a random pair.
// Same source of random numbers, same pairs, for any number of threads.
class NegativeSampler {
 public:
  // `known` and `node_type` must outlive the sampler. REQUIRES: pairs to stand beside have types that
  // `ends` have, if there are any.
  NegativeSampler(const Graph& known, std::span<const int32_t> node_type, bool directed,
                  const NodePairs* ends = nullptr);

  // One for each of `beside`, with repetitions: for training. Throws Error (data) if all pairs are
  // joined.
  NodePairs draw(const NodePairs& beside, const Rng& rng) const;
  // All different, as unordered pairs, from each other and from `taken`, to which they are added:
  // for validation and test. Throws Error (data) if there are not enough.
  NodePairs draw_distinct(const NodePairs& beside, Rng rng, TakenPairs& taken) const;

 private:
  struct Pool {
    Array<NodeId> nodes;  // by type
    Array<Offset> start;  // where each type begins
  };
  Pool pool_of(Array<NodeId> nodes) const;
  std::span<const NodeId> nodes_like(const Pool& pool, NodeId node) const;
  bool may_be(Edge pair, const TakenPairs* taken) const;
  Edge one(Edge beside, Rng& rng, const TakenPairs* taken) const;
  [[noreturn]] void fail_too_dense(size_t sources, size_t targets, bool some_drawn) const;

  const Graph& known_;
  std::span<const int32_t> type_;
  bool directed_;
  bool matched_;  // drawn from ends of edges, not from all nodes
  Pool sources_, targets_;
};

}  // namespace mgnn
