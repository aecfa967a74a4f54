// Sums over the nodes between two nodes.
#pragma once

#include "mgnn/links/heuristics.h"

namespace mgnn {

// score(u, v) = Σ weight[w] over arcs u -> w -> v of evidence.graph: Σ_w∈Γ(u) d(w) steps for a source.
SourceScorer two_hop_scorer(const LinkEvidence& evidence, Array<float> weight);

// Different nodes joined to w in either direction.
Offset num_neighbours(const Graph& graph, NodeId w);

}  // namespace mgnn
