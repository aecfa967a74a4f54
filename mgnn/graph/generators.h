// Random and regular graphs, as edges for the builder. The same seed gives the same edges for any
// number of threads.
#pragma once

#include "mgnn/base/rng.h"
#include "mgnn/graph/graph.h"

namespace mgnn {

struct GeneratedEdges {
  NodeId num_nodes = 0;
  Array<Edge> edges = {};
  std::vector<int32_t> block = {};  // (num_nodes) of the stochastic block model; else empty
};

// Every function here throws Error (usage) for an invalid size or probability, and Error (failed)
// if the edges would not fit into memory.

// Erdős and Rényi, G(n, p): every ordered pair of different nodes is an arc with this probability,
// by itself. Ascending, none twice. O(arcs), parallel.
GeneratedEdges er_edges(NodeId num_nodes, double probability, Rng rng);

// Erdős and Rényi, G(n, m): `num_arcs` different arcs, every such set with the same probability.
// Ascending. O(arcs), parallel unless more than half of the pairs are arcs.
GeneratedEdges er_edges_exactly(NodeId num_nodes, Offset num_arcs, Rng rng);

struct RmatOptions {
  NodeId nodes = 1 << 16;               // any number; powers of two are fastest
  Offset arcs = 1 << 20;                // loops and repetitions count
  double a = 0.57, b = 0.19, c = 0.19;  // share of each quarter of the matrix, d = 1 - a - b - c
  double noise = 0;      // shares differ from level to level by up to this (at most min(b, c)),
                         // which takes the waves out of the degree distribution
  bool shuffle = false;  // number the nodes at random; otherwise hubs have small numbers
};

// R-MAT, also called stochastic Kronecker graph (Chakrabarti, Zhan, Faloutsos 2004; noise as
// Seshadhri, Pinar, Kolda 2011). Loops and repetitions are left in. O(arcs log nodes), parallel.
GeneratedEdges rmat_edges(const RmatOptions& options, Rng rng);

struct SbmOptions {
  NodeId nodes = 1000;
  int blocks = 4;                  // of equal size (±1), numbered one after the other
  std::vector<NodeId> sizes = {};  // of the blocks, if not equal; then `nodes`, `blocks` are unused
  double p_in = 0.02, p_out = 0.002;  // of an arc within a block, between two blocks
  bool directed = true;               // false: of an edge, listed as two arcs
};

// Stochastic block model. None twice. O(nodes + arcs), parallel.
GeneratedEdges sbm_edges(const SbmOptions& options, Rng rng);

// Configuration model: a uniform matching of out-stubs to in-stubs, so with loops and repetitions
// (few if the degrees are small beside the number of nodes). REQUIRES: equally many of both; Error
// (usage) otherwise. O(nodes + arcs), parallel.
GeneratedEdges configuration_edges(std::span<const NodeId> out_degree,
                                   std::span<const NodeId> in_degree, Rng rng);

struct PowerLawOptions {
  NodeId nodes = 1000;
  double exponent = 2.5;  // share of nodes with degree k ~ k^-exponent
  NodeId min_degree = 1;
  NodeId max_degree = 0;  // 0: the square root of nodes x min_degree
};

// `nodes` degrees by the power law.
Array<NodeId> power_law_degrees(const PowerLawOptions& options, Rng rng);
// Configuration model with out- and in-degrees drawn apart; the smaller sum is topped up at random.
GeneratedEdges power_law_edges(const PowerLawOptions& options, Rng rng);

GeneratedEdges star_edges(NodeId num_nodes);      // 0 -> 1, 0 -> 2, …
GeneratedEdges path_edges(NodeId num_nodes);      // 0 -> 1 -> 2 …
GeneratedEdges cycle_edges(NodeId num_nodes);     // the path, and the last -> 0; from 2 nodes on
GeneratedEdges complete_edges(NodeId num_nodes);  // every u -> v

}  // namespace mgnn
