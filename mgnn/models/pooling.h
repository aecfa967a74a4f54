// Networks for graphs that make them coarser on the way (PyG's nets for graph kernels): what a
// pooling method adds is how one level becomes the next.
//
//   GraphConv, relu | GraphConv, relu, pool | ... ;   after each the level is read out
//   readouts side by side, linear, relu, dropout, linear
//
// GraphConv: h'_i = W_own h_i + W_heard mean_j w_ij h_j + b. Pooling comes after every second layer
// but the last, so once for three layers.
//
// Operators: fixed[0] the mean over in-neighbours, patterns[0] the messages.
#pragma once

#include "mgnn/models/layers.h"
#include "mgnn/models/operators.h"

namespace mgnn {

// A set of graphs on the way.
template <class T>
struct PoolLevel {
  Var<T> h;                                  // (nodes, d)
  const Pattern* pattern = nullptr;          // messages; null: those of the batch
  Var<T> weight = {};                        // (nnz, 1) of the messages; no tape: 1 each
  std::span<const Offset> graph_start = {};  // (graphs + 1)

  const Csr& messages(Step<T>& step) const {
    return (pattern ? *pattern : step.batch.operators.patterns[0]).rows;
  }
};

struct PoolOptions {
  StackOptions stack = {.layers = {16, 16, 16}, .input_dropout = 0};
  double ratio = 0.8;  // share of the nodes that are kept, where the method has a say
};

// ---- for pooling methods

// The ceil(ratio size) rows of every graph whose `score` (rows) is largest, ascending; of equal
// ones the first. Lives as long as the step.
template <class T>
std::span<const NodeId> best_of_graphs(Step<T>& step, const T* score,
                                       std::span<const Offset> graph_start, double ratio);

// Where graphs begin once only the ascending rows `kept` are left.
template <class T>
std::span<const Offset> kept_graph_start(Step<T>& step, std::span<const NodeId> kept,
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

// Messages between clusters, each once; with those within a cluster if `loops`.
Csr coarse_pattern(const Csr& pattern, const Clusters& clusters, bool loops);

// The rows and columns of `kept`, ascending.
Csr induced_pattern(const Csr& pattern, std::span<const NodeId> kept);

// ---- the network; Pool has
//   Options options(PoolOptions&);
//   void build(int64_t width, const std::string& name, Parameters&, Rng&);  once per pooling
//   PoolLevel<T> pool(Step<T>&, size_t which, const PoolLevel<T>&, const PoolOptions&) const;
template <class Pool>
class PoolingNetwork : public Model {
 public:
  Options options() override {
    Options all = stack_options(o_.stack);
    append(all, pool_.options(o_));
    return all;
  }

  Operators operators(const Graph& graph) const override {
    return {.fixed = {message_operator(graph, MessageNorm::row, false)},
            .patterns = {make_pattern(message_pattern(graph, false))}};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    check_stack(o_.stack);
    check(shape.level == Level::graph, "pooling gives one output for each graph, none for nodes");
    check(o_.ratio > 0 && o_.ratio <= 1, "ratio is {}; use 0 < ratio <= 1", o_.ratio);
    int64_t in = shape.in, all = 0;
    for (const int64_t width : o_.stack.layers) {
      const std::string name = fmt::format("layer{}", layers_.size() + 1);
      Layer layer{
          make_linear(name + ".heard", in, width, weights, rng),
          make_linear(name + ".own", in, width, weights, rng, {.kind = Init::linear}, false),
          {}};
      if (o_.stack.head.readout == Readout::attention)
        layer.gate = make_linear(name + ".readout", width, 1, weights, rng);
      layers_.push_back(layer);
      if (pools_after(layers_.size() - 1)) pool_.build(width, name + ".pool", weights, rng);
      in = width, all += width;
    }
    hidden_ = make_linear("hidden", all, in, weights, rng);
    last_ = make_linear("last", in, shape.out, weights, rng, {.kind = o_.stack.head.init});
    check_probability("dropout", o_.stack.head.dropout);
  }

  Output<float> forward(Step<float>& step) const override { return run(step); }
  Output<double> forward(Step<double>& step) const override { return run(step); }

 private:
  struct Layer {
    Linear heard, own;  // (in, d)
    Linear gate;        // (d, 1), of readout by attention
  };

  bool pools_after(size_t layer) const {
    return layer % 2 == 1 && layer + 1 < o_.stack.layers.size();
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    PoolLevel<T> level{{}, nullptr, {}, step.batch.graph_start};
    Input<T> h = features_of(step);
    std::vector<Var<T>> readouts;
    size_t pools = 0;
    for (size_t l = 0; l < layers_.size(); l++) {
      level.h = convolve(step, layers_[l], level, h, l == 0 ? o_.stack.input_dropout : 0);
      readouts.push_back(
          read_out(step, o_.stack.head.readout, layers_[l].gate, level.h, level.graph_start));
      if (pools_after(l)) level = pool_.pool(step, pools++, level, o_);
      h = input_of(level.h);
    }
    const Var<T> graphs = concat_columns<T>(readouts);
    const Var<T> hidden = relu(apply(step, hidden_, graphs));
    return {graphs, apply(step, last_, hidden, o_.stack.head.dropout)};
  }

  template <class T>
  Var<T> convolve(Step<T>& step, const Layer& layer, const PoolLevel<T>& level, const Input<T>& h,
                  double p) const {
    const Var<T> both[] = {step.weight(layer.heard.weight), step.weight(layer.own.weight)};
    const Var<T> hw = times(h, concat_columns<T>(both), p);
    const int64_t width = layer.own.weight.cols;
    const Var<T> said = slice_columns(hw, 0, width);
    const Var<T> heard = level.pattern ? spmm(*level.pattern, mean_weights(step, level), said)
                                       : spmm(step.batch.operators.fixed[0], said);
    return relu(
        add_bias(add(heard, slice_columns(hw, width, width)), step.weight(layer.heard.bias)));
  }

  // (nnz, 1): w_ij over the number of messages that i hears.
  template <class T>
  static Var<T> mean_weights(Step<T>& step, const PoolLevel<T>& level) {
    const Csr& p = level.pattern->rows;
    const Var<T> share = step.tape.make(p.nnz(), 1, false);
    for (NodeId r = 0; r < p.rows; r++)
      std::fill(share.value + p.start[r], share.value + p.start[r + 1],
                1 / T(std::max<Offset>(p.row_size(r), 1)));
    return level.weight.tape ? mul(share, level.weight) : share;
  }

  PoolOptions o_;
  Pool pool_;
  std::vector<Layer> layers_;
  Linear hidden_, last_;
};

}  // namespace mgnn
