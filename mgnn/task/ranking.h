// The likeliest of all pairs of nodes that no edge joins.
#pragma once

#include "mgnn/task/link_prediction.h"
#include "mgnn/task/model_file.h"

namespace mgnn {

// All pairs (u, v), u of `sources` and v of `targets`; not directed: (u, v) and (v, u) are one.
struct RankQuestion {
  std::vector<NodeId> sources, targets;  // ascending
  bool directed = false;
};
// What `options` ask about (a relation, a pair of types, or any nodes); `partner_of` >= 0: only
// pairs with that node. Throws Error (usage) if the node is of neither type.
RankQuestion rank_question(const Dataset& dataset, const LinkOptions& options,
                           NodeId partner_of = -1);

struct RankedPair {
  NodeId from, to;
  float score;
};

// The `top` pairs by left[u] · right[v], highest first, of equal ones the smaller nodes first,
// without those that an arc of `known` joins (in either direction unless directed) and without
// loops. Scores are made tile by tile and never stored: memory is that of the targets' rows and of
// `top` pairs for each thread. The same for any number of threads.
std::vector<RankedPair> rank_pairs(const Matrix& left, const Matrix& right,
                                   const RankQuestion& question, const Graph& known, int64_t top);

// Columns of `out` (of a network with a decoder) that are left and right ends; see pair_ends.
struct EndMatrices {
  Matrix left, right;  // (n, d)
};
EndMatrices end_matrices(const Matrix& out, Decoder decoder);

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
Contributions motif_contributions(const TrainedModel& model, const Matrix& representation,
                                  const Matrix& out, std::span<const RankedPair> pairs);

// Which of the ranked pairs a list supports, and how many of the list could not be looked up.
struct Support {
  std::vector<uint8_t> supported;        // (pairs)
  int64_t listed = 0;                    // pairs in the list
  std::vector<std::string> unknown_ids;  // not in the graph, in the order of the list
  double precision_at(int64_t k) const;  // share of the first k that are supported
};
// `path`: an edge list with the data's ids, in either order unless directed.
Support support_of(const std::string& path, const Dataset& dataset,
                   std::span<const RankedPair> pairs, bool directed);

// The first five, for a message: "a", "b", …
std::string listed(const std::vector<std::string>& names);

}  // namespace mgnn
