// GL2vec: graph2vec of graphs and of their line graphs, side by side, half of the dimension each.
// Nodes of a line graph begin with the label of their edge (of the arc from the smaller to the
// larger node) if there are any, else with their degree.
//
// The karateclub variant uses the line graph alone, and that package's defaults for graph2vec.
//
// Chen, Koga. "GL2vec: Graph Embedding Enriched by Line Graph with Edge Features", ICONIP 2019.

#include <algorithm>

#include "mgnn/embed/methods.h"
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
    label.push_back(input.arc_label[out.start[edge.from] + place]);
  }
  return label;
}

class Gl2Vec : public Embedding {
 public:
  Options options() override {
    Options options = {option("concat", concat_, "graph and line graph; else line graph alone")};
    append(options, graph2vec_->options());
    return options;
  }

  Matrix run(const EmbedInput& input) const override {
    const int64_t dimension =
        std::get<int64_t>(find_option(graph2vec_->options(), "dimension").get());
    if (!concat_) return line_vectors(input, dimension);
    check(dimension >= 2, "gl2vec: dimension is {}; it must be at least 2, half for each graph",
          dimension);
    const Matrix lines = line_vectors(input, dimension / 2);
    const Matrix graphs = vectors(input, dimension - dimension / 2);
    Matrix z(graphs.rows, dimension);
    for (int64_t g = 0; g < z.rows; g++) {
      std::copy_n(graphs.row(g).begin(), graphs.cols, z.row(g).begin());
      std::copy_n(lines.row(g).begin(), lines.cols, z.row(g).begin() + graphs.cols);
    }
    return z;
  }

 private:
  Matrix vectors(const EmbedInput& input, int64_t dimension) const {
    const std::unique_ptr<Embedding> graph2vec = make_graph2vec();
    copy_values(graph2vec_->options(), graph2vec->options());
    set_option(graph2vec->options(), {"dimension", dimension});
    return graph2vec->run(input);
  }

  Matrix line_vectors(const EmbedInput& input, int64_t dimension) const {
    const LineGraph line = line_graph(input.graph, input.graph_start);
    const std::vector<int32_t> label = edge_labels(input, line);
    return vectors({.graph = line.graph, .graph_start = line.graph_start, .node_label = label},
                   dimension);
  }

  bool concat_ = true;                                       // else the line graph alone
  std::unique_ptr<Embedding> graph2vec_ = make_graph2vec();  // its options
};

}  // namespace

std::unique_ptr<Embedding> make_gl2vec() { return std::make_unique<Gl2Vec>(); }

}  // namespace mgnn
