// Chen, Koga. "GL2vec: Graph Embedding Enriched by Line Graph with Edge Features", ICONIP 2019.

#include "mgnn/embed/gl2vec.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/graph/line_graph.h"

namespace mgnn {
namespace {

// Labels of the line graph's nodes; empty if arcs have none.
std::vector<int32_t> edge_labels(const EmbedInput& input, const LineGraph& line) {
  std::vector<int32_t> label;
  if (input.arc_label.empty()) return label;
  const Csr& out = input.graph.out;
  for (const Edge& edge : line.edges) {
    const auto row = out.row(edge.from);
    const auto place = std::lower_bound(row.begin(), row.end(), edge.to) - row.begin();
    label.push_back(input.arc_label[size_t(out.start[edge.from] + place)]);
  }
  return label;
}

Matrix of_line_graphs(const EmbedInput& input, const Graph2VecOptions& options) {
  const LineGraph line = line_graph(input.graph, input.graph_start);
  const std::vector<int32_t> label = edge_labels(input, line);
  return graph2vec({.graph = line.graph, .graph_start = line.graph_start, .node_label = label},
                   options);
}

}  // namespace

Matrix gl2vec(const EmbedInput& input, const Gl2VecOptions& o) {
  if (!o.concat) return of_line_graphs(input, o.graph2vec);
  const int64_t dimension = o.graph2vec.skip_gram.dimension;
  check(dimension >= 2, "gl2vec: a dimension of {} cannot be halved", dimension);
  Graph2VecOptions half = o.graph2vec;
  half.skip_gram.dimension = dimension / 2;
  const Matrix lines = of_line_graphs(input, half);
  half.skip_gram.dimension = dimension - dimension / 2;
  const Matrix graphs = graph2vec(input, half);
  Matrix z(graphs.rows, dimension);
  for (int64_t g = 0; g < z.rows; g++) {
    std::copy_n(graphs.row(g).begin(), graphs.cols, z.row(g).begin());
    std::copy_n(lines.row(g).begin(), lines.cols, z.row(g).begin() + graphs.cols);
  }
  return z;
}

Gl2VecOptions karateclub_gl2vec() { return {.concat = false, .graph2vec = karateclub_graph2vec()}; }

}  // namespace mgnn
