#include "mgnn/models/direction.h"

#include "mgnn/graph/builder.h"
#include "mgnn/graph/line_graph.h"

namespace mgnn {
namespace {

class DirectedNetwork : public Model {
 public:
  DirectedNetwork(std::unique_ptr<Model> network, Direction direction)
      : network_(std::move(network)), direction_(direction) {}

  Options options() override { return network_->options(); }
  Operators operators(const Graph& graph) const override {
    if (is_undirected(graph)) return network_->operators(graph);
    Operators result = network_->operators(message_graph(graph, direction_));
    if (!result.motifs.set.empty()) result.motifs = network_->operators(graph).motifs;
    return result;
  }
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

std::unique_ptr<Model> with_direction(std::unique_ptr<Model> network, Direction direction) {
  if (direction == Direction::in) return network;
  return make_model<DirectedNetwork>(std::move(network), direction);
}

}  // namespace mgnn
