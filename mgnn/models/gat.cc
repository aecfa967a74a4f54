// GAT: graph attention network. Each of the heads weighs what a node hears, itself included:
//
//   e_ij  = leaky_relu(a_source · W h_j + a_target · W h_i)
//   α_ij  = softmax over j in N(i) and i of e_ij
//   h'_i  = elu(||_heads Σ_j α_ij W h_j + b)
//
// GATv2 (option `v2`) puts the non-linearity before the inner product, so that the ranking of j may
// depend on i: e_ij = a · leaky_relu(W h_j + W_target h_i).
//
// Operators: patterns[0] the messages with a loop at every node.
//
// Veličković et al. "Graph attention networks", ICLR 2018.
// Brody, Alon, Yahav. "How attentive are graph attention networks?", ICLR 2022.

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

struct GatOptions {
  StackOptions stack = {.layers = {8}};  // widths are those of one head
  int64_t heads = 13;
  double attention_dropout = 0.5;  // on α
  double slope = 0.2;              // of leaky_relu
  bool v2 = false;
};

struct Layer {
  Parameter weight;          // W (in, heads d)
  Parameter target_weight;   // W_target (in, heads d), v2
  Parameter source, target;  // a_source, a_target (1, heads d); v2: a is `source`
  Parameter bias;            // (1, heads d)
};

class Gat : public Model {
 public:
  Options options() override {
    Options all = stack_options(o_.stack);
    append(all, {option("heads", o_.heads, "of every layer; a layer's width is that of one head"),
                 searched(option("attention_dropout", o_.attention_dropout,
                                 "on the weights of what is heard"),
                          0, 0.8),
                 option("slope", o_.slope, "of leaky_relu below 0"),
                 option("v2", o_.v2, "GATv2: the non-linearity before the inner product")});
    return all;
  }

  Operators operators(const Graph& graph) const override {
    return {.patterns = {make_pattern(message_pattern(graph, true))}};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    check(o_.heads > 0, "heads is 0; use at least 1");
    check_probability("attention_dropout", o_.attention_dropout);
    const auto make = [&](const std::string& name, int64_t in, int64_t one) {
      const auto add = [&](const char* part, int64_t rows, InitOptions init) {
        return weights.add(name + part, rows, o_.heads * one, init, rng);
      };
      const InitOptions init{.kind = Init::xavier_uniform}, zeros{.kind = Init::zeros};
      // Glorot of a vector of one head.
      const InitOptions score{.kind = Init::uniform, .scale = std::sqrt(6. / double(1 + one))};
      Layer layer;
      layer.weight = add(".weight", in, init);
      if (o_.v2) layer.target_weight = add(".target_weight", in, init);
      layer.source = add(".source", 1, score);
      if (!o_.v2) layer.target = add(".target", 1, score);
      layer.bias = add(".bias", 1, zeros);
      return layer;
    };
    head_ = build_stack(shape, o_.stack, weights, rng, layers_, make, o_.heads);
  }

  Output<float> forward(Step<float>& step) const override { return run(step); }
  Output<double> forward(Step<double>& step) const override { return run(step); }

 private:
  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(step, o_.stack, layers_, head_,
                     [&](const Layer& layer, const Input<T>& h, double p, bool first) {
                       return o_.v2 ? heard_v2(step, layer, h, p, first)
                                    : heard(step, layer, h, p, first);
                     });
  }

  template <class T>
  Var<T> heard(Step<T>& step, const Layer& layer, const Input<T>& h, double p, bool first) const {
    return attend(step.batch.operators.patterns[0], times_weight(step, h, layer.weight, p, first),
                  step.weight(layer.target), step.weight(layer.source), step.weight(layer.bias),
                  {.heads = o_.heads, .slope = o_.slope, .dropout = o_.attention_dropout});
  }

  template <class T>
  Var<T> heard_v2(Step<T>& step, const Layer& layer, const Input<T>& h, double p,
                  bool first) const {
    const Pattern& listed = step.batch.operators.patterns[0];
    const int64_t width = layer.bias.cols;
    const Var<T> both[] = {step.weight(layer.weight), step.weight(layer.target_weight)};
    const Var<T> all =
        step.once(first && p == 0, [&] { return times(h, concat_columns<T>(both), p); });
    const Var<T> hw = slice_columns(all, 0, width);
    const Var<T> pairs = edge_add(listed, slice_columns(all, width, width), hw);
    const Var<T> score =
        block_dot(leaky_relu(pairs, o_.slope), step.weight(layer.source), o_.heads);
    const Var<T> alpha = segment_softmax<T>(score, listed.rows.start);
    return elu(add_bias(spmm_heads(listed, dropout(alpha, o_.attention_dropout), hw),
                        step.weight(layer.bias)));
  }

  GatOptions o_;
  std::vector<Layer> layers_;
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_gat() { return std::make_unique<Gat>(); }

}  // namespace mgnn
