// GraphSAGE: a node's own features and an aggregate of its in-neighbours' have weights of their
// own,
//
//   h'_i = relu(W_heard agg_{j in N(i)} h_j + W_own h_i + b)
//
// agg is the mean, the largest of each column (max), or the largest of relu(W_pool h_j + b_pool)
// (pool). An empty neighbourhood gives 0. There is no sampling: all neighbours are heard.
// Mean and product commute, so the mean is taken of H W_heard, which has fewer columns.
//
// Operators: patterns[0] the messages, or, for mean, fixed[0] their row-normalised matrix.
//
// Hamilton, Ying, Leskovec. "Inductive representation learning on large graphs", NeurIPS 2017.

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

enum class Aggregate { max, mean, pool };

struct SageOptions {
  StackOptions stack = {};
  Aggregate aggregate = Aggregate::max;
  int64_t pool_width = 0;  // columns of W_pool; 0: as many as the layer has
  bool normalise = false;  // every h'_i is divided by its length
};

struct Layer {
  int64_t width = 0;
  Linear pool;           // W_pool (in, q), b_pool
  Parameter heard, own;  // (in or q, d), (in, d)
  Parameter bias;        // (1, d)
};

class Sage : public Model {
 public:
  Options options() override {
    Options all = stack_options(o_.stack);
    append(all,
           {choice<Aggregate>(
                "aggregate", o_.aggregate,
                {{"max", Aggregate::max}, {"mean", Aggregate::mean}, {"pool", Aggregate::pool}},
                "of what the neighbours say"),
            option("pool_width", o_.pool_width,
                   "columns of which pool takes the largest; 0: the layer's width"),
            option("normalise", o_.normalise, "divide the output of a layer by its length")});
    return all;
  }

  Operators operators(const Graph& graph) const override {
    if (o_.aggregate == Aggregate::mean)
      return {.fixed = {message_operator(graph, MessageNorm::row, false)}};
    return {.patterns = {make_pattern(message_pattern(graph, false))}};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    const auto make = [&](const std::string& name, int64_t in, int64_t width) {
      Layer layer{.width = width};
      int64_t heard = in;
      if (o_.aggregate == Aggregate::pool) {
        heard = o_.pool_width > 0 ? o_.pool_width : width;
        layer.pool = make_linear(name + ".pool", in, heard, weights, rng);
      }
      const InitOptions init{.kind = Init::xavier_uniform}, zeros{.kind = Init::zeros};
      layer.heard = weights.add(name + ".heard", heard, width, init, rng);
      layer.own = weights.add(name + ".own", in, width, init, rng);
      layer.bias = weights.add(name + ".bias", 1, width, zeros, rng);
      return layer;
    };
    head_ = build_stack(shape, o_.stack, weights, rng, layers_, make);
  }

  Output<float> forward(Step<float>& step) const override { return run(step); }
  Output<double> forward(Step<double>& step) const override { return run(step); }

 private:
  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(step, o_.stack, layers_, head_,
                     [&](const Layer& layer, const Input<T>& h, double p, bool first) {
                       const Var<T> sum =
                           step.once(first && p == 0, [&] { return both(step, layer, h, p); });
                       const Var<T> y = relu(add_bias(sum, step.weight(layer.bias)));
                       return o_.normalise ? l2_normalise_rows(y) : y;
                     });
  }

  template <class T>
  Var<T> both(Step<T>& step, const Layer& layer, const Input<T>& h, double p) const {
    const Var<T> heard = step.weight(layer.heard), own = step.weight(layer.own);
    if (o_.aggregate == Aggregate::max) {
      const Pattern& listed = step.batch.operators.patterns[0];
      if (h.sparse) return sparse_features_max_times(listed, *h.sparse, heard, own, 1, p);
      const Var<T> x = dropout(h.dense, p);
      return add(matmul(neighbour_max(listed, x), heard), matmul(x, own));
    }
    // One product with both weights: the features are read, and dropped, once.
    const bool pool = o_.aggregate == Aggregate::pool;
    const Var<T> first = pool ? step.weight(layer.pool.weight) : heard;
    const Var<T> side_by_side[] = {first, own};
    const Var<T> hw = times(h, concat_columns<T>(side_by_side), p);
    const Var<T> said = slice_columns(hw, 0, first.cols);
    const Var<T> kept = slice_columns(hw, first.cols, layer.width);
    if (!pool) return add(spmm(step.batch.operators.fixed[0], said), kept);
    const Var<T> projected = relu(add_bias(said, step.weight(layer.pool.bias)));
    const Var<T> most = neighbour_max(step.batch.operators.patterns[0], projected);
    return add(matmul(most, heard), kept);
  }

  SageOptions o_;
  std::vector<Layer> layers_;
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_sage() { return std::make_unique<Sage>(); }

}  // namespace mgnn
