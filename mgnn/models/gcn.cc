// GCN: graph convolutional network. With M the messages along arcs and a loop at every node,
//
//   H' = relu(M̂ H W + b),   M̂ = D^-½ M D^-½,   D the degrees, loops counted
//
// H W is made first: it has fewer columns than H.
//
// Kipf, Welling. "Semi-supervised classification with graph convolutional networks", ICLR 2017.

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

struct GcnOptions {
  std::vector<int64_t> layers = {16};  // width of every layer
  double input_dropout = 0.5;          // on the features
  HeadOptions head = {};
  MessageNorm norm = MessageNorm::sym_in;
  bool loops = true;  // every node also hears itself
};

class Gcn : public Model {
 public:
  Options options() override {
    Options all = {
        option("layers", o_.layers, "width of every layer"),
        searched(option("input_dropout", o_.input_dropout, "on the features"), 0, 0.8),
        choice("norm", o_.norm, message_norm_names(), "normalisation of messages"),
        option("loops", o_.loops, "every node also hears itself"),
    };
    append(all, head_options(o_.head));
    return all;
  }

  Operators operators(const Graph& graph) const override {
    return {.fixed = {message_operator(graph, o_.norm, o_.loops)}};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    int64_t width = shape.in;
    for (size_t l = 0; l < o_.layers.size(); l++) {
      layers_.push_back(make_linear(fmt::format("layer{}", l + 1), width, o_.layers[l], weights,
                                    rng, {.kind = Init::xavier_uniform}));
      width = o_.layers[l];
    }
    head_ = make_head(shape, width, o_.head, weights, rng);
  }

  Output<float> forward(Step<float>& step) const override { return run(step); }
  Output<double> forward(Step<double>& step) const override { return run(step); }

 private:
  template <class T>
  Output<T> run(Step<T>& step) const {
    Input<T> h = features_of(step);
    double p = o_.input_dropout;
    for (const Linear& layer : layers_) {
      const Var<T> hw = step.once(&layer == &layers_[0] && p == 0,
                                  [&] { return times(h, step.weight(layer.weight), p); });
      h = input_of(
          relu(add_bias(spmm(step.batch.operators.fixed[0], hw), step.weight(layer.bias))));
      p = o_.head.dropout;
    }
    return apply(step, head_, h.dense);
  }

  GcnOptions o_;
  std::vector<Linear> layers_;  // W (in, d), b
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_gcn() { return std::make_unique<Gcn>(); }

}  // namespace mgnn
