// Networks that coarsen graphs between layers (PyG's networks for graph kernels). A pooling method
// adds how one level becomes the next.
//
//   GraphConv, relu | GraphConv, relu, pool | ... ;   readout after each layer
//   concatenated readouts, linear, relu, dropout, linear
//
// GraphConv: h'_i = W_root h_i + W mean_j w_ij h_j + b. Pooling comes after every second layer but
// the last, so once for three layers.
#pragma once

#include "mgnn/models/layers.h"
#include "mgnn/models/operators.h"

namespace mgnn {

// The graphs at one pooling level.
template <class T>
struct PoolLevel {
  Var<T> h;                                  // (nodes, d)
  const Pattern* pattern = nullptr;          // in-neighbours; null: those of the batch
  Var<T> weight = {};                        // (nnz, 1) edge weights; no tape: 1 each
  std::span<const Offset> graph_start = {};  // (graphs + 1)

  const Pattern& neighbours(Step<T>& step) const {
    return pattern ? *pattern : step.batch.operators.neighbours;
  }
};

struct PoolOptions {
  StackOptions stack = {.layers = {16, 16, 16}, .input_dropout = 0};
  double ratio = 0.8;  // share of the nodes that are kept, by methods that select nodes
};

// ---- for pooling methods

// The ceil(ratio size) rows of every graph with the highest `score` (rows), ascending; ties go to
// the first. Lives as long as the step.
template <class T>
std::span<const NodeId> top_rows(Step<T>& step, const T* score, std::span<const Offset> graph_start,
                                 double ratio);

// The graph starts of the ascending rows `kept_nodes`.
template <class T>
std::span<const Offset> kept_graph_start(Step<T>& step, std::span<const NodeId> kept_nodes,
                                         std::span<const Offset> graph_start);

// Nodes to clusters of one or two: cluster_of[v] = min(v, partner).
struct Clusters {
  std::span<const NodeId> order;  // nodes by cluster
  std::span<const Offset> start;  // (clusters + 1) in `order`
  std::span<const NodeId> first;  // (clusters) smallest node of each, ascending
  std::span<const NodeId> of;     // (nodes) number of the cluster
  int64_t count() const { return int64_t(first.size()); }
};
template <class T>
Clusters numbered_clusters(Step<T>& step, std::span<const NodeId> partner);

// Edges between clusters, each once; with `loops` also those within a cluster, as self loops.
Csr coarse_pattern(const Csr& pattern, const Clusters& clusters, SelfLoops loops);

// The rows and columns of `kept_nodes`, ascending.
Csr induced_pattern(const Csr& pattern, std::span<const NodeId> kept_nodes);

// ---- the network; Pool has
//   Options options(PoolOptions&);
//   void build(int64_t width, const std::string& name, Parameters&, Rng&);  once per pooling
//   PoolLevel<T> pool(Step<T>&, size_t which, const PoolLevel<T>&, const PoolOptions&) const;
template <class Pool>
class PoolingNetwork : public Model {
 public:
  Options options() override {
    Options options = stack_options(o_.stack);
    append(options, pool_.options(o_));
    return options;
  }

  Operators operators(const GraphView& view) const override {
    return {.adjacency = message_operator(view.graph, MessageNorm::row, SelfLoops::none),
            .neighbours = make_pattern(message_pattern(view.graph, SelfLoops::none))};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    check_stack(o_.stack);
    check(shape.level == Level::graph, "pooling has an output for each graph, none for nodes");
    check(o_.ratio > 0 && o_.ratio <= 1, "ratio is {}; use 0 < ratio <= 1", o_.ratio);
    int64_t in = shape.in, readouts = 0;
    for (const int64_t width : o_.stack.layers) {
      const std::string name = fmt::format("layer{}", layers_.size() + 1);
      Layer layer{.neighbour = make_linear(name + ".neighbour", in, width, weights, rng),
                  .root = make_linear(name + ".root", in, width, weights, rng, {.bias = false}),
                  .gate = {}};
      if (o_.stack.head.readout == Readout::attention)
        layer.gate = make_linear(name + ".readout", width, 1, weights, rng);
      layers_.push_back(layer);
      if (pools_after(layers_.size() - 1)) pool_.build(width, name + ".pool", weights, rng);
      in = width, readouts += width;
    }
    hidden_ = make_linear("hidden", readouts, in, weights, rng);
    output_ =
        make_linear("output", in, shape.out, weights, rng, {.init = {.kind = o_.stack.head.init}});
    check_probability("dropout", o_.stack.head.dropout);
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    PoolLevel<T> level{{}, nullptr, {}, step.batch.graph_start};
    Input<T> h = features_of(step, o_.stack.input_dropout);
    std::vector<Var<T>> readouts;
    size_t pools = 0;
    for (size_t l = 0; l < layers_.size(); l++) {
      level.h = convolve(step, layers_[l], level, h);
      readouts.push_back(
          read_out(step, o_.stack.head.readout, layers_[l].gate, level.h, level.graph_start));
      if (pools_after(l)) level = pool_.pool(step, pools++, level, o_);
      h = {.dense = level.h, .layer = l + 1};
    }
    const Var<T> graphs = concat_columns<T>(readouts);
    const Var<T> hidden = relu(apply(step, hidden_, graphs));
    return {graphs, apply(step, output_, hidden, o_.stack.head.dropout)};
  }

 private:
  struct Layer {
    Linear neighbour, root;  // W and b, W_root (in, d)
    Linear gate;             // (d, 1), attention readout
  };

  bool pools_after(size_t layer) const {
    return layer % 2 == 1 && layer + 1 < o_.stack.layers.size();
  }

  template <class T>
  Var<T> convolve(Step<T>& step, const Layer& layer, const PoolLevel<T>& level,
                  const Input<T>& h) const {
    const Var<T> both[] = {step.weight(layer.neighbour.weight), step.weight(layer.root.weight)};
    const Var<T> hw = times(h, concat_columns<T>(both));
    const int64_t width = layer.root.weight.cols;
    const Var<T> message = slice_columns(hw, 0, width), self = slice_columns(hw, width, width);
    const Var<T> mean = level.pattern ? spmm(*level.pattern, mean_weights(step, level), message)
                                      : spmm(step.batch.operators.adjacency, message);
    return relu(add_bias(add(mean, self), step.weight(layer.neighbour.bias)));
  }

  // (nnz, 1): w_ij over the number of in-neighbours of i.
  template <class T>
  static Var<T> mean_weights(Step<T>& step, const PoolLevel<T>& level) {
    const Csr& p = level.pattern->rows;
    const Var<T> share = step.tape.make_constant(p.nnz(), 1);
    for (NodeId r = 0; r < p.rows; r++)
      std::fill(share.value + p.start[r], share.value + p.start[r + 1],
                1 / T(std::max<Offset>(p.row_size(r), 1)));
    return level.weight.tape ? mul(share, level.weight) : share;
  }

  PoolOptions o_;
  Pool pool_;
  std::vector<Layer> layers_;
  Linear hidden_, output_;
};

}  // namespace mgnn
