// CADNet: class-attentive diffusion. The logits of a multilayer perceptron diffuse along a random
// walk that prefers neighbours of the same predicted class:
//
//   Z = MLP(X),   P_i = softmax(Z_i)
//   s_ij = P_i · P_j for j in N(i) and i,   T_ij = softmax over j of s_ij
//   γ_i = β + (1 - β) mean_j s_ij                       (γ is detached: no gradient)
//   Z'_i = (1 - γ_i) Z_i + γ_i (T^K Z)_i
//   loss = that of the task + λ mean_i entropy(P_i)
//
// Logits are diffused, not probabilities. For graphs the head reads out Z'.
//
// Lim, Um, Chang, Jo, Choi. "Class-attentive diffusion network for semi-supervised classification",
// AAAI 2021.

#include "mgnn/models/layers.h"
#include "mgnn/models/methods.h"
#include "mgnn/models/operators.h"

namespace mgnn {
namespace {

struct CadnetOptions {
  StackOptions stack = {};  // hidden layers of the MLP
  int64_t steps = 4;        // K
  double beta = 0.8;        // β, minimum weight of the diffused logits
  double entropy = 0.5;     // λ
  double slope = 0.05;      // negative slope of leaky ReLU
  bool loops = true;
};

class Cadnet : public Model {
 public:
  Options options() override {
    Options options = stack_options(o_.stack);
    append(options,
           {option("steps", o_.steps, "diffusion steps"),
            searched(option("beta", o_.beta, "minimum weight of the diffused logits"), 0.5, 0.95),
            searched(option("entropy", o_.entropy, "weight of the entropy penalty (node tasks)"), 0,
                     1),
            option("slope", o_.slope, "negative slope of leaky ReLU"),
            option("loops", o_.loops, "add self loops")});
    return options;
  }

  Operators operators(const GraphView& view) const override {
    if (o_.loops)
      return {.neighbours_and_self = make_pattern(message_pattern(view.graph, SelfLoops::added))};
    return {.neighbours = make_pattern(message_pattern(view.graph, SelfLoops::none))};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    check_stack(o_.stack);
    check(o_.beta >= 0 && o_.beta <= 1, "beta is {}; use 0 to 1", o_.beta);
    level_ = shape.level;
    int64_t width = shape.in;
    for (const int64_t next : o_.stack.layers) {
      layers_.push_back(
          make_linear(fmt::format("layer{}", layers_.size() + 1), width, next, weights, rng));
      width = next;
    }
    // For graphs, Z keeps the width of the last layer: the head maps it to classes.
    const int64_t out = level_ == Level::node ? shape.out : width;
    logits_ = make_linear("logits", width, out, weights, rng);
    if (level_ == Level::graph) head_ = make_head(shape, out, o_.stack.head, weights, rng);
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    const Input<T> h =
        run_layers(step, o_.stack, layers_, [&](const Linear& layer, const Input<T>& x) {
          const Var<T> product = times_weight(step, x, layer.weight);
          return leaky_relu(add_bias(product, step.weight(layer.bias)), o_.slope);
        });
    const Var<T> z = apply(step, logits_, h.dense, h.dropout);
    const Var<T> diffused = diffusion(step, z);
    Output<T> out{h.dense, diffused, {}};
    if (level_ == Level::graph) out = apply(step, head_, diffused);
    // For graphs, Z's columns are not classes; an entropy penalty would collapse them.
    if (o_.entropy > 0 && level_ == Level::node && z.rows > 0)
      out.penalty = scale(sum(mul(softmax(z), log_softmax(z))), -o_.entropy / double(z.rows));
    return out;
  }

 private:
  template <class T>
  Var<T> diffusion(Step<T>& step, Var<T> z) const {
    if (o_.steps == 0) return z;
    const Operators& operators = step.batch.operators;
    const Pattern& neighbours = o_.loops ? operators.neighbours_and_self : operators.neighbours;
    const Var<T> probability = softmax(z);
    const Var<T> similarity = edge_dot(neighbours, probability, probability);
    const Var<T> transition = segment_softmax<T>(similarity, neighbours.rows.start);
    Var<T> diffused = z;
    for (int64_t k = 0; k < o_.steps; k++) diffused = spmm(neighbours, transition, diffused);
    const Var<T> confidence = segment_mean<T>(detached(similarity), neighbours.rows.start);
    const Var<T> gamma = shift(scale(confidence, 1 - o_.beta), o_.beta);
    return add(z, scale_rows(sub(diffused, z), gamma));
  }

  CadnetOptions o_;
  Level level_ = Level::node;
  std::vector<Linear> layers_;
  Linear logits_;
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_cadnet() { return make_model<Cadnet>(); }

}  // namespace mgnn
