// |Γ(u) ∩ Γ(v)|; directed: nodes w with u -> w -> v.

#include "mgnn/links/two_hops.h"

namespace mgnn {

SourceScorer common_neighbours(const LinkEvidence& evidence) {
  return two_hop_scorer(evidence, Array<float>(size_t(evidence.graph.num_nodes()), 1.f));
}

}  // namespace mgnn
