// d(u) d(v): popular nodes get more links. Degrees are of the edges asked about: those of other
// relations say less of it.

#include <memory>

#include "mgnn/links/heuristics.h"

namespace mgnn {

SourceScorer degree_product(const LinkEvidence& evidence) {
  const Graph& partners = evidence.partners;
  return [&partners](std::span<const NodeId> sources, float* scores) {
    for (const NodeId u : sources) {
      const auto degree = float(partners.out.row_size(u));
      for (NodeId v = 0; v < partners.num_nodes(); v++)
        *scores++ = degree * float(partners.in.row_size(v));
    }
  };
}

}  // namespace mgnn
