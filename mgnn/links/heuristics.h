// Scores of pairs of nodes without learning: what a network that predicts links has to beat.
#pragma once

#include <functional>

#include "mgnn/data/negatives.h"

namespace mgnn {

// What heuristics see: edges of training alone. Where (u, v) and (v, u) are one pair, every arc of
// `graph` has its reverse.
struct LinkEvidence {
  Graph graph;     // all edges that messages may use, of any relation
  Graph partners;  // those asked about: partners.out of first ends, partners.in of second ends
  bool directed = false;
  bool two_sides = false;  // first and second ends are different nodes (of two types, for instance)
};
LinkEvidence link_evidence(const Graph& graph, const NodePairs& training_pairs, bool directed);

// Writes the scores of (sources[i], v) for all nodes v into row i of `scores` (sources, nodes). For
// several threads at once. What it was prepared from must outlive it.
using SourceScorer = std::function<void(std::span<const NodeId> sources, float* scores)>;
// Sources that are scored at once.
inline constexpr size_t kSourcesAtOnce = 16;

// With d the number of neighbours, Γ their set, A the adjacency matrix; directed: walks follow arcs.
struct LinkHeuristic {
  const char* name;
  const char* summary;
  const char* paper;
  SourceScorer (*prepare)(const LinkEvidence& evidence);
  bool two_sides_only = false;  // asks which end a node is
  // Sparse products with A that a block of sources takes; 0: looks at neighbours of neighbours only.
  int sweeps = 0;
};
std::span<const LinkHeuristic> link_heuristics();
// Those that suit the question.
std::vector<LinkHeuristic> link_heuristics_for(const LinkEvidence& evidence);

// Heuristics beside a network: those that do not take long, all, or none.
enum class HeuristicChoice { automatic, all, none };
constexpr auto enum_names(HeuristicChoice) {
  return std::to_array<Named<HeuristicChoice>>({{"auto", HeuristicChoice::automatic},
                                                {"all", HeuristicChoice::all},
                                                {"none", HeuristicChoice::none}});
}

SourceScorer degree_product(const LinkEvidence& evidence);
SourceScorer common_neighbours(const LinkEvidence& evidence);
SourceScorer adamic_adar(const LinkEvidence& evidence);
SourceScorer resource_allocation(const LinkEvidence& evidence);
SourceScorer katz(const LinkEvidence& evidence);
SourceScorer personalised_pagerank(const LinkEvidence& evidence);
SourceScorer neighbour_vote(const LinkEvidence& evidence);
SourceScorer neighbour_vote_of_sources(const LinkEvidence& evidence);
SourceScorer neighbour_vote_of_targets(const LinkEvidence& evidence);

// The scores of pairs, by their first ends. Parallel; the same for any number of threads.
std::vector<float> scores_of_pairs(const SourceScorer& scorer, NodeId num_nodes,
                                   const NodePairs& pairs);

}  // namespace mgnn
