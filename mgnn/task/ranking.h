// The likeliest of all pairs of nodes that no edge joins.
#pragma once

#include <optional>

#include "mgnn/motif/roles.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {

struct RankedPair {
  NodeId from, to;
  float score;
};

// What each motif adds to the scores of pairs. The last layer of MGNN is h = [h_1 | … | h_K], one
// block for each motif, and both ends of a pair are linear in it: left[u] = Σ_k h_k(u) L_k + b. The
// score left[u] · right[v] then is the sum over k of
//
//   ½ (h_k(u) L_k · right[v] + left[u] · h_k(v) R_k)
//
// and of the same with the biases, which stands last as "bias": what a pair's score would lose, to
// first order, without motif k. It says what the network used, not what causes links; where two
// motifs have the same matrix (as on undirected graphs), how they share is arbitrary.
struct Contributions {
  std::vector<std::string> names;  // (K + 1) M1 …, bias; empty if the network has no such blocks
  Matrix value;                    // (pairs, K + 1), rows sum to the scores
};

// What pairs are ranked by: the network's score, or its combination with heuristics, degrees and motif
// counts that training fitted to the validation edges (link.heuristics).
enum class RankScore { network, combined };
constexpr auto enum_names(RankScore) {
  return std::to_array<Named<RankScore>>(
      {{"network", RankScore::network}, {"combined", RankScore::combined}});
}

// Why a pair may be an edge: what is round it in the training edges.
struct PairEvidence {
  MotifCounts instances = {};       // of each motif that the edge would make
  std::vector<NodeId> shared = {};  // neighbours of both in either direction, those with few first
};

struct RankOptions {
  // Pairs of two node types ("Disease,Gene"), or of the types that a relation joins; both empty:
  // what the network was trained for. Not both.
  std::string between = {}, relation = {};
  std::string partner_of = {};  // only pairs with this node, by its id; empty: all
  int64_t top = 1000;           // number of pairs
  RankScore score = RankScore::network;
  // Pairs in which a node may be, but for partner_of; further ones are passed over. 0: any number.
  int64_t at_most_per_node = 0;
};

struct Ranking {
  std::vector<RankedPair> pairs;    // highest score first, of equal ones the smaller nodes first
  std::vector<double> probability;  // (pairs) calibrated on the validation pairs of the training
  // To the scores: of motifs; of a combination "heuristics", "degrees", "counts", "network" and "bias".
  Contributions motifs;
  std::vector<PairEvidence> evidence = {};  // (pairs)
  RankScore scored_by = RankScore::network;
  bool directed = false;  // (u, v) and (v, u) are two pairs
  double candidates = 0;  // pairs scored
  double seconds = 0;     // of scoring and choosing
  // What makes it doubtful: one sentence each.
  std::vector<std::string> warnings = {};
};
// The `options.top` likeliest pairs without an edge in `dataset`, by a network for links and the
// data of its training (load_for_prediction). Throws Error (usage) for a combination that the model has not.
// Scores are made tile by tile and never stored: memory
// is that of the nodes' vectors and of `top` pairs for each thread. The same for any number of
// threads. Throws Error (usage) if the network is not for links, or a node, type or relation is not
// in the data, (data) if the data are not those of the training, and (interrupted).
Ranking rank_links(TrainedModel& model, const Dataset& dataset, const RankOptions& options = {});

// Which of the ranked pairs a list supports, and how many of the list could not be looked up.
struct Support {
  std::vector<uint8_t> supported;        // (pairs)
  int64_t listed = 0;                    // pairs in the list
  int64_t edges = 0;                     // of them, those that the data have: they are not ranked
  std::vector<std::string> unknown_ids;  // not in the graph, in the order of the list
  double precision_at(int64_t k) const;  // share of the first k that are supported
};
// `path`: an edge list with the data's ids, in either order unless directed.
Support support_of(const std::string& path, const Dataset& dataset,
                   std::span<const RankedPair> pairs, bool directed);

// The first five, for a message: "a", "b", …
std::string listed(const std::vector<std::string>& names);

}  // namespace mgnn
