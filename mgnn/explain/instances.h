// The instances of motifs that an entry of a motif matrix counts, one by one.
#pragma once

#include <functional>
#include <span>

#include "mgnn/graph/graph.h"
#include "mgnn/motif/motifs.h"

namespace mgnn {

struct InstanceOptions {
  Counting counting = Counting::subgraph;  // not published: it counts no instances
  Entry entry = Entry::edge;
  MotifWeights weights = MotifWeights::none;
  std::span<const float> arc_weight =
      {};  // (arcs) in the order of graph.out, where they have weights
};

struct Triple {
  std::array<NodeId, 3> nodes;  // ascending
  int arcs;                     // of the instance, as arc_bit: places in `nodes`
  double weight;                // what it adds to the entry
};

// All arcs among three nodes, as arc_bit.
int arcs_among(const Graph& graph, const std::array<NodeId, 3>& nodes);

// Calls `use` for every instance that entry (i, j) of the matrix of `motif` counts, by ascending third node.
// O(degrees of i and j, times the logarithm of the largest degree).
void for_each_instance(const Graph& graph, const InstanceOptions& options, int motif, NodeId i,
                       NodeId j, const std::function<void(const Triple&)>& use);

}  // namespace mgnn
