// GraRep: a factorisation for each number of steps.
#pragma once

#include "mgnn/embed/embedding.h"
#include "mgnn/sparse/randomized_svd.h"

namespace mgnn {

struct GraRepOptions {
  int64_t dimension = 128;  // of all steps together, as evenly as can be
  int64_t steps = 4;        // K
  bool normalise = true;    // the rows of each step's part to length 1, as in the authors' code
  bool karateclub = false;  // what karateclub's code does instead: see grarep.cc
  int64_t power_iterations = 2;  // of the randomized decomposition
  uint64_t seed = 0;
};

// (n, dimension). With P = D^-1 A, for k = 1..K: X_ij = max(0, log(P^k_ij / Σ_l P^k_lj) + log n),
// X ≈ U s Vᵀ, and the part of step k is U √s. Rows of P^k are made when they are needed and thrown
// away, so memory is O(arcs + n dimension). Directions and weights are heeded; nodes without arcs
// have zeros.
Matrix grarep(const EmbedInput& input, const GraRepOptions& options = {});

// X of step k as a linear map; `input.graph` must outlive it.
LinearMap grarep_map(const EmbedInput& input, int k, bool karateclub = false);

}  // namespace mgnn
