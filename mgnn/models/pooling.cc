#include "mgnn/models/pooling.h"

#include <cmath>
#include <numeric>

namespace mgnn {

template <class T>
std::span<const NodeId> top_rows(Step<T>& step, const T* score, std::span<const Offset> graph_start,
                                 double ratio) {
  const std::span<NodeId> kept_nodes = scratch<NodeId>(step, graph_start.back());
  size_t count = 0;
  for (size_t g = 0; g + 1 < graph_start.size(); g++) {
    const Offset first = graph_start[g], size = graph_start[g + 1] - first;
    const auto best = Offset(std::ceil(ratio * double(size) - 1e-9));
    const auto begin = kept_nodes.begin() + Offset(count);
    std::vector<NodeId> rows(static_cast<size_t>(size));
    std::iota(rows.begin(), rows.end(), NodeId(first));
    std::stable_sort(rows.begin(), rows.end(),
                     [&](NodeId a, NodeId b) { return score[a] > score[b]; });
    std::copy_n(rows.begin(), best, begin);
    std::sort(begin, begin + best);
    count += size_t(best);
  }
  return kept_nodes.first(count);
}

template <class T>
std::span<const Offset> kept_graph_start(Step<T>& step, std::span<const NodeId> kept_nodes,
                                         std::span<const Offset> graph_start) {
  const std::span<Offset> start = scratch<Offset>(step, int64_t(graph_start.size()));
  for (size_t g = 0; g < graph_start.size(); g++)
    start[g] =
        std::lower_bound(kept_nodes.begin(), kept_nodes.end(), graph_start[g]) - kept_nodes.begin();
  return start;
}

template <class T>
Clusters numbered_clusters(Step<T>& step, std::span<const NodeId> partner) {
  const auto n = int64_t(partner.size());
  const std::span<NodeId> order = scratch<NodeId>(step, n), first = scratch<NodeId>(step, n),
                          of = scratch<NodeId>(step, n);
  const std::span<Offset> start = scratch<Offset>(step, n + 1);
  size_t placed = 0, count = 0;
  for (NodeId v = 0; v < n; v++) {
    const NodeId other = partner[v];
    if (other < v) continue;
    of[v] = of[other] = NodeId(count);
    first[count] = v;
    start[count++] = Offset(placed);
    order[placed++] = v;
    if (other > v) order[placed++] = other;
  }
  start[count] = Offset(placed);
  return {order, start.first(count + 1), first.first(count), of};
}

Csr coarse_pattern(const Csr& pattern, const Clusters& clusters, SelfLoops loops) {
  const auto count = NodeId(clusters.count());
  Csr coarse{count, count, Array<Offset>(size_t(count) + 1, 0), {}};
  std::vector<NodeId> row;
  for (NodeId c = 0; c < count; c++) {
    row.clear();
    for (Offset i = clusters.start[c]; i < clusters.start[c + 1]; i++)
      for (const NodeId u : pattern.row(clusters.order[i]))
        if (const NodeId from = clusters.of[u]; loops == SelfLoops::added || from != c)
          row.push_back(from);
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    coarse.index.insert(coarse.index.end(), row.begin(), row.end());
    coarse.start[c + 1] = Offset(coarse.index.size());
  }
  return coarse;
}

Csr induced_pattern(const Csr& pattern, std::span<const NodeId> kept_nodes) {
  std::vector<NodeId> number(size_t(pattern.rows), -1);
  for (size_t i = 0; i < kept_nodes.size(); i++) number[kept_nodes[i]] = NodeId(i);
  const auto count = NodeId(kept_nodes.size());
  Csr induced{count, count, Array<Offset>(kept_nodes.size() + 1, 0), {}};
  for (size_t i = 0; i < kept_nodes.size(); i++) {
    for (const NodeId u : pattern.row(kept_nodes[i]))
      if (number[u] >= 0) induced.index.push_back(number[u]);
    induced.start[i + 1] = Offset(induced.index.size());
  }
  return induced;
}

#define MGNN_INSTANTIATE(T)                                                                       \
  template std::span<const NodeId> top_rows(Step<T>&, const T*, std::span<const Offset>, double); \
  template std::span<const Offset> kept_graph_start(Step<T>&, std::span<const NodeId>,            \
                                                    std::span<const Offset>);                     \
  template Clusters numbered_clusters(Step<T>&, std::span<const NodeId>);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE
#undef MGNN_INSTANTIATE

}  // namespace mgnn
