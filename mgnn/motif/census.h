// How often each motif occurs: in a graph, at each node, in each graph of a set.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "mgnn/base/rng.h"
#include "mgnn/motif/motifs.h"
#include "mgnn/motif/roles.h"

namespace mgnn {

struct CensusOptions {
  Counting counting = Counting::subgraph;
  bool per_node = false;
  bool per_role = false;
  bool per_arc = false;
  // A set of graphs as one graph of blocks: graph g has the nodes graph_start[g] ..
  // graph_start[g + 1] - 1. Empty: one graph.
  std::vector<NodeId> graph_start = {};
};

struct Census {
  Counting counting = Counting::subgraph;
  MotifCounts total = {};
  Array<MotifCounts> per_node = {};  // (nodes) instances that the node is part of, if asked for
  Array<RoleCounts> per_role =
      {};  // (nodes) instances in which the node has each role, if asked for
  Array<MotifCounts> per_graph = {};  // (graphs) if there is a graph_start
  MotifMatrices per_arc = {};  // instances that contain each arc (`arc` entries), if asked for
};

// By one pass over the triangles and the degrees; no wedge is enumerated. Parallel; the same for any
// number of threads. Throws Error (usage) for `published`, whose open matrices are not made of
// instances, and for a graph_start that does not run from 0 to the number of nodes.
Census census(const Graph& graph, const CensusOptions& options = {});

// The 16 kinds of three nodes, by Davis and Leinhardt: the 13 motifs, and those that are not
// connected. Their sum is the number of triples, which must be below 2^63 (n < 3.8 million).
struct TriadCensus {
  MotifCounts connected{};                               // induced
  int64_t one_arc = 0, one_mutual_pair = 0, no_arc = 0;  // 012, 102, 003
};
TriadCensus triad_census(const Graph& graph);

// How unusual the counts of a graph are among random graphs of the same degrees.
struct NullModel {
  int graphs = 0;
  std::array<double, kNumMotifs> mean = {}, deviation = {};  // of the random graphs (n - 1 below)
  // (count - mean) / deviation; 0 if both are zero, and ±infinity if only the deviation is.
  std::array<double, kNumMotifs> z_score = {};
  // Empirical, two-sided: of how many random graphs the count is at least, or at most, as large as
  // that of the graph, the graph itself among them. Never below smallest_p_value(graphs); 1 where all
  // random graphs have the graph's count.
  std::array<double, kNumMotifs> p_value = {};
  std::array<double, kNumMotifs> q_value = {};  // p_value, adjusted for all 13 tests
};

// min(1, 2 (1 + min(at_least, at_most)) / (1 + graphs)): `at_least` and `at_most` are the numbers of random
// graphs whose count is at least, and at most, that of the graph.
double empirical_p_value(int at_least, int at_most, int graphs);
double smallest_p_value(int graphs);  // 2 / (1 + graphs)
// By Benjamini and Hochberg: the false discovery rate at which each test would just be rejected.
std::vector<double> false_discovery_rates(std::span<const double> p_values);

// `random_graph(i)` gives random graph i, 0 <= i < graphs; the default rewires `graph` keeping
// every node's one-way out-, one-way in- and mutual degree (graph/rewire.h).
using RandomGraph = std::function<Graph(int)>;
RandomGraph rewiring_null(const Graph& graph, Rng rng);
// REQUIRES: graphs >= 2, else Error (usage). Can be interrupted.
NullModel null_model(const MotifCounts& observed, Counting counting, int graphs,
                     const RandomGraph& random_graph);

}  // namespace mgnn
