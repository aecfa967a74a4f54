// Sums over walks of every length from a few nodes at once.
#pragma once

#include "mgnn/sparse/csr.h"

namespace mgnn {

// Row i of `sums` (sources, nodes) becomes  Σ_{k >= first} factor^k e_s Mᵏ  for s = sources[i], where
// row w of M is 1 / divisor[w] at the arcs of w. `in` is the transpose of the pattern of M. Stops
// once a term's maximum is below `tolerance` times the sum's, for every source.
struct WalkSeries {
  const Csr& in;
  std::span<const float> divisor;  // (nodes), or empty: all 1
  double factor = 0;
  int first = 0;
  double tolerance = 1e-7;
};
void add_walks(const WalkSeries& series, std::span<const NodeId> sources, float* sums);

}  // namespace mgnn
