// Random graphs that share every node's degrees with a given one: the null model of motif counts.
#pragma once

#include "mgnn/base/rng.h"
#include "mgnn/graph/graph.h"

namespace mgnn {

struct RewireOptions {
  double swaps_per_edge = 10;  // tried, for every one-way arc and every mutual pair
};

struct Rewired {
  Graph graph;
  Offset tried = 0, done = 0;  // swaps
};

// A random graph in which every node has as many one-way out-arcs, one-way in-arcs and mutual
// neighbours as in `graph`: so out-degree, in-degree and reciprocity stay. A Markov chain of
// double-edge swaps, a -> b, c -> d to a -> d, c -> b, among one-way arcs and among mutual pairs;
// a swap that would make a loop, or join two nodes already joined in any way, is not done. The
// chain is symmetric, so in the long run all graphs it can reach are equally likely. (It cannot
// turn round a cycle of three that is alone: no swap does.)
// One thread; O(swaps), 24 bytes an edge. Throws Error (usage) if swaps_per_edge is negative, and
// (interrupted).
Rewired rewired(const Graph& graph, Rng rng, const RewireOptions& options = {});

}  // namespace mgnn
