// Logarithms of k-step transition probabilities as linear maps, for GraRep.
#pragma once

#include "mgnn/embed/embedding.h"
#include "mgnn/sparse/randomized_svd.h"

namespace mgnn {

// With P = D^-1 A:
//   paper:       X_ij = max(0, log(P^k_ij / Σ_l P^k_lj) + log n)
//   karateclub:  X_ij = log P^k_ij - log n where P^k_ij > 0, else 0; every node has a self-loop
//                that counts twice in its degree; throws Error (usage) if there are weights
// P^k is never stored: memory is O(arcs + n threads). `input.graph` must outlive the map.
LinearMap log_transition_map(const EmbedInput& input, int k,
                             EmbeddingVariant variant = EmbeddingVariant::paper);

}  // namespace mgnn
