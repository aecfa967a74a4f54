// The best pairs of nodes by the inner products of their vectors.
#pragma once

#include "mgnn/task/link_prediction.h"
#include "mgnn/task/ranking.h"

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

// Which pairs of a question are candidates: no loops, each once, without those that an arc of `known` joins
// (in either direction unless directed). `known` must outlive it.
class AskedPairs {
 public:
  AskedPairs(const RankQuestion& question, const Graph& known);
  bool operator()(NodeId u, NodeId v) const {
    if (u == v || known_.has_arc(u, v)) return false;
    if (directed_) return true;
    const bool twice = is_source_[v] && is_target_[u];  // it is there as (v, u) too
    return !(twice && u > v) && !known_.has_arc(v, u);
  }

 private:
  bool directed_;
  const Graph& known_;
  std::vector<uint8_t> is_source_, is_target_;
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

// The contributions of motifs to the scores of `pairs`; `out` and `representation` are those of the
// network on the data of its training.
Contributions motif_contributions(const TrainedModel& model, const Matrix& representation,
                                  const Matrix& out, std::span<const RankedPair> pairs);

}  // namespace mgnn
