// Σ_{k >= 1} β^k (A^k)_uv. β is a tenth of 1 / ρ(A), at which the series would diverge: every term
// is a tenth of the one before at most, and short walks decide.

#include "mgnn/links/heuristics.h"
#include "mgnn/links/walk_series.h"
#include "mgnn/sparse/eigen.h"

namespace mgnn {

SourceScorer katz(const LinkEvidence& evidence) {
  const Graph& graph = evidence.graph;
  const double radius =
      largest_eigenvalue(graph.out, std::vector<double>(size_t(graph.num_arcs()), 1.));
  const double beta = 0.1 / (radius > 0 ? radius : 1);  // without cycles any converges
  return [&graph, beta](std::span<const NodeId> sources, float* scores) {
    add_walks({.in = graph.in, .divisor = {}, .factor = beta, .first = 1}, sources, scores);
  };
}

}  // namespace mgnn
