#include "mgnn/graph/graph.h"

#include <algorithm>

#include "mgnn/base/parallel.h"
#include "mgnn/base/rng.h"

namespace mgnn {

bool Graph::has_arc(NodeId u, NodeId v) const {
  const auto row = out.row(u);
  return std::binary_search(row.begin(), row.end(), v);
}

// A sum over arcs does not depend on the order in which threads add.
uint64_t fingerprint(const Graph& graph) {
  uint64_t sum = mix_bits(uint64_t(graph.num_nodes()) + 1);
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : sum) \
    if (worth_threads(graph.num_arcs()))
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    for (NodeId v : graph.out.row(u))
      sum += mix_bits(mix_bits(uint64_t(u) << 32 | uint32_t(v)) + 1);
  return sum;
}

Array<Edge> arcs(const Graph& graph) {
  Array<Edge> edges(size_t(graph.num_arcs()));
#pragma omp parallel for schedule(dynamic, 4096) if (worth_threads(graph.num_arcs()))
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    for (Offset e = graph.out.start[u]; e < graph.out.start[u + 1]; e++)
      edges[e] = {u, graph.out.index[e]};
  return edges;
}

}  // namespace mgnn
