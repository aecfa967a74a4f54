// Σ 1 / d(w) over common neighbours w: what v gets of u's resource if every w divides its share.

#include "mgnn/links/two_hops.h"

namespace mgnn {

SourceScorer resource_allocation(const LinkEvidence& evidence) {
  Array<float> weight;
  for (NodeId w = 0; w < evidence.graph.num_nodes(); w++) {
    const Offset d = num_neighbours(evidence.graph, w);
    weight.push_back(d == 0 ? 0.f : float(1 / double(d)));
  }
  return two_hop_scorer(evidence, std::move(weight));
}

}  // namespace mgnn
