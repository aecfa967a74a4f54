#include "mgnn/embed/undirected.h"

#include "mgnn/embed/arc_matrix.h"
#include "mgnn/graph/line_graph.h"

namespace mgnn {

UndirectedWeights undirected_weights(const EmbedInput& input) {
  const Graph& graph = input.graph;
  if (input.arc_weight.empty() && is_undirected(graph))
    return {graph.out, Array<double>(size_t(graph.num_arcs()), 1)};
  const ArcMatrices arcs = arc_matrices(input);
  UndirectedWeights result{{graph.num_nodes(), graph.num_nodes(), {0}, {}}, {}};
  for (NodeId u = 0; u < graph.num_nodes(); u++) {
    Offset i = graph.out.start[u], j = graph.in.start[u];
    const Offset i_end = graph.out.start[u + 1], j_end = graph.in.start[u + 1];
    while (i < i_end || j < j_end) {
      const NodeId to = i < i_end ? graph.out.index[i] : graph.num_nodes();
      const NodeId from = j < j_end ? graph.in.index[j] : graph.num_nodes();
      double weight = 0;
      if (to <= from) weight += arcs.forward.value[size_t(i++)];
      if (from <= to) weight += arcs.backward.value[size_t(j++)];
      result.pattern.index.push_back(std::min(to, from));
      result.value.push_back(input.arc_weight.empty() ? 1 : weight / 2);
    }
    result.pattern.start.push_back(Offset(result.pattern.index.size()));
  }
  return result;
}

}  // namespace mgnn
