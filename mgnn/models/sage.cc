// GraphSAGE: separate weights for a node itself and for an aggregate of its in-neighbours,
//
//   h'_i = relu(W agg_{j in N(i)} h_j + W_root h_i + b)
//
// agg is the mean, the maximum of each column (max), or the maximum of relu(W_pool h_j + b_pool)
// (pool). An empty neighbourhood gives 0. Neighbours are not sampled: all are aggregated.
// The mean is weighted where arcs have weights. Mean and product commute, so the mean is taken of H W, which has fewer columns.
//
// Hamilton, Ying, Leskovec. "Inductive representation learning on large graphs", NeurIPS 2017.

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

enum class Aggregate { max, mean, pool };
constexpr auto enum_names(Aggregate) {
  return std::to_array<Named<Aggregate>>(
      {{"max", Aggregate::max}, {"mean", Aggregate::mean}, {"pool", Aggregate::pool}});
}

struct SageOptions {
  StackOptions stack = {};
  Aggregate aggregate = Aggregate::max;
  int64_t pool_width = 0;  // columns of W_pool; 0: width of the layer
  bool normalise = false;  // every h'_i to length 1
};

struct Layer {
  int64_t width = 0;
  Linear pool;                // W_pool (in, q), b_pool
  Parameter neighbour, root;  // W (in or q, d), W_root (in, d)
  Parameter bias;             // (1, d)
};

class Sage : public Model {
 public:
  Options options() override {
    Options options = stack_options(o_.stack);
    append(options, {choice("aggregate", o_.aggregate, "aggregation over neighbours"),
                     option("pool_width", o_.pool_width,
                            "width of the linear layer before pool; 0: the layer's width"),
                     option("normalise", o_.normalise, "L2-normalise the output of every layer")});
    return options;
  }

  Operators operators(const GraphView& view) const override {
    if (o_.aggregate == Aggregate::mean)
      return {.adjacency = message_operator(view, MessageNorm::row, SelfLoops::none)};
    return {.neighbours = make_pattern(message_pattern(view.graph, SelfLoops::none))};
  }
  ArcWeights arc_weights() const override {
    return o_.aggregate == Aggregate::mean ? ArcWeights::non_negative : ArcWeights::unused;
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    const auto make = [&](const std::string& name, int64_t in, int64_t width) {
      Layer layer{.width = width};
      int64_t aggregated = in;
      if (o_.aggregate == Aggregate::pool) {
        aggregated = o_.pool_width > 0 ? o_.pool_width : width;
        layer.pool = make_linear(name + ".pool", in, aggregated, weights, rng);
      }
      const InitOptions init{.kind = Init::xavier_uniform}, zeros{.kind = Init::zeros};
      layer.neighbour = weights.add(name + ".neighbour.weight", aggregated, width, init, rng);
      layer.root = weights.add(name + ".root.weight", in, width, init, rng);
      layer.bias = weights.add(name + ".bias", 1, width, zeros, rng);
      return layer;
    };
    head_ = build_stack(shape, o_.stack, weights, rng, layers_, make);
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(step, o_.stack, layers_, head_, [&](const Layer& layer, const Input<T>& h) {
      const Var<T> x = step.reuse_across_passes(
          h.deterministic(), [&] { return neighbours_and_root(step, layer, h); });
      const Var<T> y = relu(add_bias(x, step.weight(layer.bias)));
      return o_.normalise ? l2_normalise_rows(y) : y;
    });
  }

 private:
  // W agg_j h_j + W_root h_i
  template <class T>
  Var<T> neighbours_and_root(Step<T>& step, const Layer& layer, const Input<T>& h) const {
    const Operators& operators = step.batch.operators;
    const Var<T> w = step.weight(layer.neighbour), root = step.weight(layer.root);
    if (o_.aggregate == Aggregate::max) {
      if (h.sparse)
        return sparse_features_max_times(operators.neighbours, *h.sparse, w, root, 1, h.dropout);
      const Var<T> x = dropout(h.dense, h.dropout);
      return add(matmul(neighbour_max(operators.neighbours, x), w), matmul(x, root));
    }
    // One product with both weights, so that the features are read, and dropped out, once.
    const bool pool = o_.aggregate == Aggregate::pool;
    const Var<T> first = pool ? step.weight(layer.pool.weight) : w;
    const Var<T> both[] = {first, root};
    const Var<T> hw = times(h, concat_columns<T>(both));
    const Var<T> message = slice_columns(hw, 0, first.cols);
    const Var<T> self = slice_columns(hw, first.cols, layer.width);
    if (!pool) return add(spmm(operators.adjacency, message), self);
    const Var<T> projected = relu(add_bias(message, step.weight(layer.pool.bias)));
    return add(matmul(neighbour_max(operators.neighbours, projected), w), self);
  }

  SageOptions o_;
  std::vector<Layer> layers_;
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_sage() { return make_model<Sage>(); }

}  // namespace mgnn
