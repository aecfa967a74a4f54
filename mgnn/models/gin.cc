// GIN: graph isomorphism network. Sums tell multisets of neighbours apart where means and maxima
// cannot:
//
//   h'_i = MLP((1 + ε) h_i + Σ_{j in N(i)} h_j),   MLP: linear, relu, batch norm, twice
//
// Where arcs have weights, the sum is that of w_ij h_j.
// The first linear layer commutes with the sum, so the sum is taken of H W_1.
//
// Xu, Hu, Leskovec, Jegelka. "How powerful are graph neural networks?", ICLR 2019.

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

struct GinOptions {
  StackOptions stack = {};
  double eps = 0;          // ε, or its initial value
  bool learn_eps = false;  // GIN-ε; otherwise, with ε = 0, GIN-0
  bool batch_norm = true;
};

struct Layer {
  Linear first, second;  // (in, d), (d, d)
  BatchNorm first_norm, second_norm;
  Parameter eps;  // (1, 1)
};

class Gin : public Model {
 public:
  Options options() override {
    Options options = stack_options(o_.stack);
    append(options, {option("eps", o_.eps, "epsilon, or its initial value"),
                     option("learn_eps", o_.learn_eps, "learn epsilon"),
                     option("batch_norm", o_.batch_norm, "batch norm after each linear layer")});
    return options;
  }

  Operators operators(const GraphView& view) const override {
    return {.adjacency = message_operator(view, MessageNorm::none, SelfLoops::none)};
  }
  ArcWeights arc_weights() const override { return ArcWeights::finite; }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    const auto make = [&](const std::string& name, int64_t in, int64_t width) {
      Layer layer;
      layer.first = make_linear(name + ".first", in, width, weights, rng);
      if (o_.batch_norm)
        layer.first_norm = make_batch_norm(name + ".first_norm", width, weights, rng);
      layer.second = make_linear(name + ".second", width, width, weights, rng);
      if (o_.batch_norm)
        layer.second_norm = make_batch_norm(name + ".second_norm", width, weights, rng);
      if (o_.learn_eps)
        layer.eps =
            weights.add(name + ".eps", 1, 1, {.kind = Init::constant, .scale = o_.eps}, rng);
      return layer;
    };
    head_ = build_stack(shape, o_.stack, weights, rng, layers_, make);
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(step, o_.stack, layers_, head_, [&](const Layer& layer, const Input<T>& h) {
      const Var<T> hw = times_weight(step, h, layer.first.weight);
      Var<T> x = add(spmm(step.batch.operators.adjacency, hw), root(step, layer, hw));
      x = normed(step, layer.first_norm, relu(add_bias(x, step.weight(layer.first.bias))));
      return normed(step, layer.second_norm, relu(apply(step, layer.second, x)));
    });
  }

 private:
  template <class T>
  Var<T> root(Step<T>& step, const Layer& layer, Var<T> hw) const {
    if (o_.learn_eps) return add(hw, scale(hw, step.weight(layer.eps)));
    return o_.eps == 0 ? hw : scale(hw, 1 + o_.eps);
  }

  template <class T>
  Var<T> normed(Step<T>& step, const BatchNorm& norm, Var<T> x) const {
    return o_.batch_norm ? apply(step, norm, x) : x;
  }

  GinOptions o_;
  std::vector<Layer> layers_;
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_gin() { return make_model<Gin>(); }

}  // namespace mgnn
