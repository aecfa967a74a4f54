// GAT: graph attention network. Each head weighs the messages to a node, its own included:
//
//   e_ij  = leaky_relu(a_source · W h_j + a_target · W h_i)
//   α_ij  = softmax over j in N(i) and i of e_ij + log w_ij, w the weights of arcs, w_ii = 1
//   h'_i  = elu(||_heads Σ_j α_ij W h_j + b)
//
// GATv2 (option `v2`) puts the non-linearity before the inner product, so that the ranking of j may
// depend on i: e_ij = a · leaky_relu(W h_j + W_target h_i).
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
    Options options = stack_options(o_.stack);
    append(options,
           {option("heads", o_.heads, "attention heads; a layer's width is that of one head"),
            searched(option("attention_dropout", o_.attention_dropout,
                            "dropout on the attention coefficients"),
                     0, 0.8),
            option("slope", o_.slope, "negative slope of leaky ReLU"),
            option("v2", o_.v2, "GATv2: non-linearity before the inner product")});
    return options;
  }

  Operators operators(const GraphView& view) const override { return attention_operators(view); }
  ArcWeights arc_weights() const override { return ArcWeights::positive; }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    check(o_.heads > 0, "heads is 0; use at least 1");
    check_probability("attention_dropout", o_.attention_dropout);
    const auto make = [&](const std::string& name, int64_t in, int64_t width) {
      const auto add = [&](const char* part, int64_t rows, InitOptions init) {
        return weights.add(name + part, rows, o_.heads * width, init, rng);
      };
      const InitOptions init{.kind = Init::xavier_uniform}, zeros{.kind = Init::zeros};
      // Xavier initialisation of the vector of one head.
      const InitOptions score{.kind = Init::uniform, .scale = std::sqrt(6. / double(1 + width))};
      Layer layer;
      layer.weight = add(".weight", in, init);
      if (o_.v2) layer.target_weight = add(".target_weight", in, init);
      layer.source = add(".attention.source", 1, score);
      if (!o_.v2) layer.target = add(".attention.target", 1, score);
      layer.bias = add(".bias", 1, zeros);
      return layer;
    };
    head_ = build_stack(shape, o_.stack, weights, rng, layers_, make, o_.heads);
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(step, o_.stack, layers_, head_, [&](const Layer& layer, const Input<T>& h) {
      return o_.v2 ? attention_v2(step, layer, h) : attention(step, layer, h);
    });
  }

 private:
  template <class T>
  Var<T> attention(Step<T>& step, const Layer& layer, const Input<T>& h) const {
    if (!step.batch.operators.log_weight.empty()) return weighted_attention(step, layer, h);
    return attend(step.batch.operators.neighbours_and_self, times_weight(step, h, layer.weight),
                  step.weight(layer.target), step.weight(layer.source), step.weight(layer.bias),
                  {.heads = o_.heads, .slope = o_.slope, .dropout = o_.attention_dropout});
  }

  // What `attend` does, with the weights of arcs.
  template <class T>
  Var<T> weighted_attention(Step<T>& step, const Layer& layer, const Input<T>& h) const {
    const Pattern& neighbours = step.batch.operators.neighbours_and_self;
    const Var<T> hw = times_weight(step, h, layer.weight);
    const Var<T> score = edge_add(neighbours, block_dot(hw, step.weight(layer.target), o_.heads),
                                  block_dot(hw, step.weight(layer.source), o_.heads));
    return attended(step, layer, leaky_relu(score, o_.slope), hw);
  }

  template <class T>
  Var<T> attention_v2(Step<T>& step, const Layer& layer, const Input<T>& h) const {
    const Pattern& neighbours = step.batch.operators.neighbours_and_self;
    const int64_t width = layer.bias.cols;
    const Var<T> both[] = {step.weight(layer.weight), step.weight(layer.target_weight)};
    const Var<T> product = step.reuse_across_passes(
        h.deterministic(), [&] { return times(h, concat_columns<T>(both)); });
    const Var<T> hw = slice_columns(product, 0, width);
    const Var<T> pairs = edge_add(neighbours, slice_columns(product, width, width), hw);
    const Var<T> score =
        block_dot(leaky_relu(pairs, o_.slope), step.weight(layer.source), o_.heads);
    return attended(step, layer, score, hw);
  }

  template <class T>
  Var<T> attended(Step<T>& step, const Layer& layer, Var<T> score, Var<T> hw) const {
    const Pattern& neighbours = step.batch.operators.neighbours_and_self;
    const Var<T> alpha = segment_softmax<T>(with_log_weights(step, score), neighbours.rows.start);
    return elu(add_bias(spmm_heads(neighbours, dropout(alpha, o_.attention_dropout), hw),
                        step.weight(layer.bias)));
  }

  GatOptions o_;
  std::vector<Layer> layers_;
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_gat() { return make_model<Gat>(); }

}  // namespace mgnn
