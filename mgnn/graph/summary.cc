#include <algorithm>

#include "mgnn/base/parallel.h"
#include "mgnn/graph/components.h"
#include "mgnn/graph/graph.h"

namespace mgnn {
namespace {

DegreeSummary degrees(const Csr& csr) {
  const NodeId n = csr.rows;
  if (n == 0) return {};
  Array<NodeId> degree(static_cast<size_t>(n));
  for (NodeId u = 0; u < n; u++) degree[u] = NodeId(csr.row_size(u));
  const auto middle = degree.begin() + n / 2;
  std::nth_element(degree.begin(), middle, degree.end());
  const auto [smallest, below] = std::minmax_element(degree.begin(), middle);
  const double lower = middle == degree.begin() ? *middle : *below;
  return {.min = middle == degree.begin() ? *middle : *smallest,
          .max = *std::max_element(middle, degree.end()),
          .mean = double(csr.nnz()) / n,
          .median = n % 2 ? *middle : (lower + *middle) / 2};
}

Offset common(std::span<const NodeId> a, std::span<const NodeId> b) {
  Offset count = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    count += a[i] == b[j];
    const bool first = a[i] <= b[j], second = b[j] <= a[i];
    i += first;
    j += second;
  }
  return count;
}

}  // namespace

GraphSummary summarise(const Graph& graph) {
  GraphSummary result{.nodes = graph.num_nodes(), .arcs = graph.num_arcs()};
  Offset mutual = 0;
  NodeId isolated = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : mutual, isolated) \
    if (worth_threads(graph.num_arcs()))
  for (NodeId u = 0; u < graph.num_nodes(); u++) {
    mutual += common(graph.out.row(u), graph.in.row(u));
    isolated += graph.out.row_size(u) + graph.in.row_size(u) == 0;
  }
  result.reciprocal_pairs = mutual / 2;
  result.undirected_edges = result.arcs - result.reciprocal_pairs;
  result.isolated = isolated;
  const Components components = weak_components(graph);
  result.components = NodeId(components.size.size());
  for (const NodeId size : components.size)
    result.largest_component = std::max(result.largest_component, size);
  result.out = degrees(graph.out);
  result.in = degrees(graph.in);
  return result;
}

}  // namespace mgnn
