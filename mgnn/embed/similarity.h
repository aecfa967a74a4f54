// Similarities of nodes as linear maps.
#pragma once

#include "mgnn/embed/embedding.h"
#include "mgnn/sparse/randomized_svd.h"

namespace mgnn {

enum class Similarity {
  katz,                 // Σ_k β^k A^k: all walks, discounted by length
  common_neighbours,    // A²
  adamic_adar,          // A D A, D = 1 / log(neighbours) of the node between
  resource_allocation,  // A D A, D = 1 / neighbours: what HOPE's paper calls Adamic-Adar
  rooted_pagerank,      // (1 - α) Σ_k (α P)^k, P = D^-1 A: where a walk stops
};
constexpr auto enum_names(Similarity) {
  return std::to_array<Named<Similarity>>({{"katz", Similarity::katz},
                                           {"common-neighbours", Similarity::common_neighbours},
                                           {"adamic-adar", Similarity::adamic_adar},
                                           {"resource-allocation", Similarity::resource_allocation},
                                           {"rooted-pagerank", Similarity::rooted_pagerank}});
}

struct SimilarityOptions {
  Similarity similarity = Similarity::katz;
  double beta = 0;     // katz: decay, below 1 / ρ(A); 0: half of that
  double alpha = 0.5;  // rooted pagerank: probability to continue a walk
};

// S (n, n), never stored: a product is a few sparse products with A, or of Katz and PageRank as
// many as their series takes to converge. Directed and weighted. `input.graph` must outlive it.
// Throws Error (usage) on a beta for which Katz' series diverges, and on alpha outside [0, 1).
LinearMap similarity_map(const EmbedInput& input, const SimilarityOptions& options);

}  // namespace mgnn
