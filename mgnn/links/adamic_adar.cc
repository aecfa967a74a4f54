// Σ 1 / log d(w) over common neighbours w: rare ones say more. One that joins two nodes has d >= 2.

#include <cmath>

#include "mgnn/links/two_hops.h"

namespace mgnn {

SourceScorer adamic_adar(const LinkEvidence& evidence) {
  Array<float> weight;
  for (NodeId w = 0; w < evidence.graph.num_nodes(); w++) {
    const Offset d = num_neighbours(evidence.graph, w);
    weight.push_back(d < 2 ? 0.f : float(1 / std::log(double(d))));
  }
  return two_hop_scorer(evidence, std::move(weight));
}

}  // namespace mgnn
