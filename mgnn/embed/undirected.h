// Methods for undirected graphs, given any.
#pragma once

#include "mgnn/embed/embedding.h"

namespace mgnn {

// (W + Wᵀ) / 2 for the weights W of the arcs; for arcs without weights, 1 wherever there is an arc
// one way or the other.
struct UndirectedWeights {
  Csr pattern;
  Array<double> value;  // (nnz)
};
UndirectedWeights undirected_weights(const EmbedInput& input);

}  // namespace mgnn
