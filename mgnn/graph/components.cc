// Union-find with path halving; the smaller number becomes the root, so that roots are smallest
// nodes. O(arcs) in practice.

#include "mgnn/graph/components.h"

#include <numeric>

namespace mgnn {

Components weak_components(const Graph& graph) {
  const NodeId n = graph.num_nodes();
  Array<NodeId> parent(static_cast<size_t>(n));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](NodeId u) {
    while (parent[u] != u) u = parent[u] = parent[parent[u]];
    return u;
  };
  for (NodeId u = 0; u < n; u++) {
    for (NodeId v : graph.out.row(u)) {
      const NodeId a = root(u), b = root(v);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }
  Components result{Array<NodeId>(static_cast<size_t>(n)), {}};
  for (NodeId u = 0; u < n; u++) {  // a root comes before the rest of its component
    if (parent[u] == u) {
      result.of[u] = NodeId(result.size.size());
      result.size.push_back(0);
    } else {
      result.of[u] = result.of[root(u)];
    }
    result.size[result.of[u]]++;
  }
  return result;
}

}  // namespace mgnn
