// π_u(v): the chance that a walk from u, going on with chance ½ at every step, ends at v; walks that
// cannot go on start again. Undirected: π_u(v) + π_v(u), where π_v(u) d(v) = π_u(v) d(u).

#include <memory>
#include <numeric>

#include "mgnn/links/heuristics.h"
#include "mgnn/links/walk_series.h"

namespace mgnn {

SourceScorer personalised_pagerank(const LinkEvidence& evidence) {
  const Graph& graph = evidence.graph;
  const bool directed = evidence.directed;
  Array<float> degree;
  for (NodeId v = 0; v < graph.num_nodes(); v++) degree.push_back(float(graph.out.row_size(v)));
  const auto shared = std::make_shared<const Array<float>>(std::move(degree));
  return [&graph, directed, shared](std::span<const NodeId> sources, float* scores) {
    const Array<float>& d = *shared;
    add_walks({.in = graph.in, .divisor = d, .factor = 0.5}, sources, scores);
    for (const NodeId u : sources) {
      const double sum = std::accumulate(scores, scores + d.size(), 0.);
      for (size_t v = 0; v < d.size(); v++) {
        scores[v] = float(double(scores[v]) / sum);
        if (!directed && d[v] > 0) scores[v] *= 1 + d[size_t(u)] / d[v];
      }
      scores += d.size();
    }
  };
}

}  // namespace mgnn
