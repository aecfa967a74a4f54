#include "mgnn/links/two_hops.h"

#include <algorithm>
#include <memory>

namespace mgnn {

SourceScorer two_hop_scorer(const LinkEvidence& evidence, Array<float> weight) {
  const Csr& out = evidence.graph.out;
  // A std::function copies what it holds.
  const auto shared = std::make_shared<const Array<float>>(std::move(weight));
  return [&out, shared](std::span<const NodeId> sources, float* scores) {
    for (const NodeId u : sources) {
      std::fill_n(scores, out.rows, 0.f);
      for (const NodeId w : out.row(u))
        for (const NodeId v : out.row(w)) scores[v] += (*shared)[size_t(w)];
      scores += out.rows;
    }
  };
}

Offset num_neighbours(const Graph& graph, NodeId w) {
  Offset count = graph.out.row_size(w);
  for (const NodeId v : graph.in.row(w)) count += !graph.has_arc(w, v);
  return count;
}

}  // namespace mgnn
