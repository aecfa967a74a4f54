// Motif matrices that add up the weights of instances in place of counting them.
#pragma once

#include <array>
#include <span>

#include "mgnn/motif/motifs.h"

namespace mgnn {

// The matrices of some motifs on one pattern: that of MotifMatrices.
struct WeightedMotifMatrices {
  Counting counting = Counting::subgraph;
  Entry entry = Entry::edge;
  MotifWeights weights = MotifWeights::mean;
  MotifSet motifs = {};
  Csr pattern = {};                                  // (nodes, nodes)
  std::array<Array<double>, kNumMotifs> value = {};  // (nnz) of motif k at k - 1; those asked for

  double sum(int motif) const;  // of all entries, in their order
};

// `arc_weight` is in the order of graph.out. Sums are in double precision and in a fixed order: the
// same for any number of threads. Parallel; O(Σ over connected pairs of the smaller degree, times the
// logarithm of the larger), with open motifs of entry `pair` O(wedges). Can be interrupted. Throws
// Error (usage) for counting `published`, for MotifWeights::none and for weights that are not finite,
// and Error if `pair` needs more memory than the limit.
WeightedMotifMatrices weighted_motif_matrices(const Graph& graph, std::span<const float> arc_weight,
                                              MotifWeights weights,
                                              const MotifOptions& options = {});

}  // namespace mgnn
