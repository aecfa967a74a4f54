// Spectra of normalised Laplacians, exact or by stochastic Lanczos quadrature.
#pragma once

#include <vector>

#include "mgnn/base/rng.h"
#include "mgnn/embed/embedding.h"

namespace mgnn {

// Eigenvalues with weights, whose sum is the number of nodes. The trace of f(L) is Σ weight f(value).
struct Spectrum {
  std::vector<double> value, weight;
};

// Of the graphs of a set, L = I - D^-½ W D^-½ with W = (weights + transpose) / 2; without weights W
// is 1 wherever there is an arc in either direction. Nodes without edges have eigenvalue 0.
// Any number of threads may ask for spectra.
class LaplacianSpectra {
 public:
  explicit LaplacianSpectra(const EmbedInput& input);

  // All eigenvalues, ascending, with weights 1. REQUIRES: a graph of `input`. O(n³).
  Spectrum exact(NodeId graph) const;
  // Quadrature nodes of `probes` random vectors, `steps` Lanczos steps each. O(probes steps (arcs +
  // steps n)) time, 8 steps n bytes; traces have a relative error of about 1 %.
  Spectrum sampled(NodeId graph, int64_t probes, int64_t steps, Rng rng) const;

 private:
  EmbedInput input_;
  Csr pattern_;               // of W
  Array<double> weight_;      // (nnz)
  std::vector<double> root_;  // (n) of the weighted degree
};

}  // namespace mgnn
