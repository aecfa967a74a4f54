// Lemma 2: two graphs that every network fails to tell apart which only passes messages along
// edges. Two triangles and a hexagon have the same number of nodes, all with two neighbours and the
// same feature. What a network with random weights gives for the two is compared.

#include <cmath>

#include "experiments/comparison.h"
#include "experiments/experiments.h"
#include "mgnn/graph/graph.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/training.h"

namespace mgnn {
namespace {

constexpr double kTolerance = 1e-4;  // of the size of the output; far above rounding

// Six nodes in cycles of that length: two triangles or a hexagon.
Dataset six_nodes_in_cycles(NodeId length) {
  Array<Edge> edges;
  for (NodeId v = 0; v < 6; v++) {
    const NodeId next = v / length * length + (v + 1) % length;
    edges.push_back({v, next});
    edges.push_back({next, v});
  }
  Dataset data;
  data.graph = make_graph(6, std::move(edges));
  Matrix ones(6, 1);
  std::fill(ones.data.begin(), ones.data.end(), 1.f);
  data.features = std::move(ones);
  data.graph_start = {0, 6};
  return data;
}

std::vector<float> output_of(const Model& model, Parameters& weights, const Dataset& data) {
  std::vector<float> values;
  evaluate(model, weights, whole_batch(data, model), [&](const Output<float>& out) {
    values.assign(out.out.value, out.out.value + out.out.size());
  });
  return values;
}

// The largest difference over a few random weights, as a share of the largest output.
Stored difference_of(const Method& method) {
  const Dataset triangles = six_nodes_in_cycles(3), hexagon = six_nodes_in_cycles(6);
  double largest = 0;
  for (uint64_t seed = 0; seed < 5; seed++) {
    const std::unique_ptr<Model> model = method.make();
    Parameters weights;
    Rng rng(seed);
    model->build({1, 4, Level::graph}, weights, rng);
    const std::vector<float> a = output_of(*model, weights, triangles);
    const std::vector<float> b = output_of(*model, weights, hexagon);
    double size = 0, difference = 0;
    for (size_t i = 0; i < a.size(); i++) {
      size = std::max({size, double(std::abs(a[i])), double(std::abs(b[i]))});
      difference = std::max(difference, double(std::abs(a[i] - b[i])));
    }
    if (size > 0) largest = std::max(largest, difference / size);
  }
  return {{{"difference", largest}}, {}};
}

}  // namespace

Section expressiveness(Study& study) {
  TableBlock block{"Two triangles and a hexagon",
                   {.columns = {text_column("network"),
                                text_column("what"),
                                {"difference", Align::decimal, 6},
                                text_column("distinguishes them")},
                    .rows = {}}};
  for (const Method& method : methods()) {
    if (!method.supports(Level::graph)) continue;
    const CellKey key{.kind = "expressiveness",
                      .data = "lemma2",
                      .method = method.name,
                      .settings = Json::object(),
                      .command = "mgnn reproduce expressiveness"};
    const Stored stored = study.cell(key, [&] { return difference_of(method); });
    const double difference = stored.value["difference"];
    block.table.rows.push_back(
        {method.name, method.summary, difference, difference > kTolerance ? "yes" : "no"});
    block.tips.push_back({"", "", stored.file, stored.file});
  }
  Section section{"Expressiveness", {}};
  section.blocks.push_back(Paragraph{
      "The pair of the paper's Lemma 2: every node has two neighbours and the same feature, so "
      "that "
      "passing messages along edges cannot tell the graphs apart; motifs can, since only one of "
      "them "
      "has triangles. The largest difference of the outputs over five random weights, as a share "
      "of "
      "the largest output. Pooling that picks or merges nodes may also see a difference."});
  section.blocks.push_back(std::move(block));
  return section;
}

}  // namespace mgnn
