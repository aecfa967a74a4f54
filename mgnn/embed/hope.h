// HOPE: vectors whose inner products are a similarity of nodes.
#pragma once

#include "mgnn/embed/embedding.h"
#include "mgnn/sparse/randomized_svd.h"

namespace mgnn {

enum class Similarity {
  katz,                 // Σ_k β^k A^k: all walks, long ones for less
  common_neighbours,    // A²
  adamic_adar,          // A D A, D = 1 / log(neighbours) of the node between
  resource_allocation,  // A D A, D = 1 / neighbours: what HOPE's paper calls Adamic-Adar
  rooted_pagerank,      // (1 - α) Σ_k (α P)^k, P = D^-1 A: where a walk is when it stops
};

struct HopeOptions {
  int64_t dimension = 128;  // even: half for a node as source, half as target
  Similarity similarity = Similarity::katz;
  double beta = 0;               // of katz, below 1 / ρ(A); 0: half of that
  double alpha = 0.5;            // of rooted pagerank: the probability to walk on
  int64_t power_iterations = 6;  // of the randomized decomposition
  uint64_t seed = 0;
};

// (n, dimension): U √s | V √s of the similarity S ≈ U s Vᵀ, so that the inner product of u's first
// half and v's second is S_uv. Directions and weights are heeded. Columns beyond the rank of S are
// zero. Throws Error (usage) on options that cannot be: among them a beta for which Katz' sum has
// no limit.
Matrix hope(const EmbedInput& input, const HopeOptions& options = {});

// The similarity as a linear map, for those who want it without the decomposition. `input.graph`
// must outlive it.
LinearMap similarity_map(const EmbedInput& input, const HopeOptions& options);

// What karateclub's HOPE does: common neighbours.
HopeOptions karateclub_hope();

}  // namespace mgnn
