#include <algorithm>

#include "mgnn/graph/graph.h"
#include "mgnn/graph/line_graph.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

// In the order of graph.in: of the reversed arcs.
Array<float> reversed_weights(const GraphView& view) {
  Array<float> weight;
  if (view.arc_weight.empty()) return weight;
  for (const Offset e : transposed_places(view.graph.out, view.graph.in))
    weight.push_back(view.arc_weight[e]);
  return weight;
}

bool is_undirected(const GraphView& view) {
  return is_undirected(view.graph) &&
         std::equal(view.arc_weight.begin(), view.arc_weight.end(), reversed_weights(view).begin());
}

class DirectedNetwork : public Model {
 public:
  DirectedNetwork(std::unique_ptr<Model> network, Direction direction)
      : network_(std::move(network)), direction_(direction) {}

  Options options() override { return network_->options(); }
  Operators operators(const GraphView& view) const override {
    if (is_undirected(view)) return network_->operators(view);
    const MessageArcs messages = message_arcs(view, direction_);
    Operators result = network_->operators({messages.graph, messages.weight, view.relations});
    if (result.motifs.set.empty() && !uses_relations()) return result;
    Operators own = network_->operators(view);
    result.motifs = std::move(own.motifs);
    result.relational = std::move(own.relational);
    return result;
  }
  ArcWeights arc_weights() const override { return network_->arc_weights(); }
  bool uses_relations() const override { return network_->uses_relations(); }
  std::optional<MotifWeights> motif_weights() const override { return network_->motif_weights(); }
  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    network_->build(shape, weights, rng);
  }
  void before_epoch(const EpochContext& context) override { network_->before_epoch(context); }
  std::vector<MotifBlock> motif_blocks() const override { return network_->motif_blocks(); }
  Linear output_layer() const override { return network_->output_layer(); }
  template <class T>
  Output<T> run(Step<T>& step) const {
    return network_->forward(step);
  }

 private:
  std::unique_ptr<Model> network_;
  Direction direction_;
};

}  // namespace

Graph message_graph(const Graph& graph, Direction direction) {
  switch (direction) {
    case Direction::in:
      return graph;
    case Direction::out:
      return {.out = graph.in, .in = graph.out};
    case Direction::both:
    case Direction::undirected:
      break;
  }
  return build_graph(graph.num_nodes(), arcs(graph), {.symmetrise = true}).graph;
}

MessageArcs message_arcs(const GraphView& view, Direction direction) {
  const std::span<const float> weight = view.arc_weight;
  if (direction == Direction::in || is_undirected(view))
    return {view.graph, {weight.begin(), weight.end()}};
  MessageArcs result{message_graph(view.graph, direction), {}};
  if (direction == Direction::out) result.weight = reversed_weights(view);
  if (direction == Direction::out || weight.empty()) return result;
  Array<Edge> edges = arcs(view.graph);
  Array<float> both(weight.begin(), weight.end());
  both.insert(both.end(), weight.begin(), weight.end());
  const size_t given = edges.size();
  for (size_t e = 0; e < given; e++) edges.push_back({edges[e].to, edges[e].from});
  result.weight = arc_values(result.graph, edges, both);
  return result;
}

std::unique_ptr<Model> with_direction(std::unique_ptr<Model> network, Direction direction) {
  if (direction == Direction::in) return network;
  return make_model<DirectedNetwork>(std::move(network), direction);
}

}  // namespace mgnn
