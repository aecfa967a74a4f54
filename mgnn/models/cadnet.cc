// CADNet: class-attentive diffusion. A multilayer perceptron says what a node is by itself; then
// its opinion walks to neighbours of the same opinion:
//
//   Z = MLP(X),   P_i = softmax(Z_i)
//   s_ij = P_i · P_j for j in N(i) and i,   T_ij = softmax over j of s_ij
//   γ_i = β + (1 - β) mean_j s_ij                       (nothing flows back through γ)
//   Z'_i = (1 - γ_i) Z_i + γ_i (T^K Z)_i
//   loss = that of the task + λ mean_i entropy(P_i)
//
// The logits walk, not the probabilities. For graphs the head reads out Z'.
//
// Operators: patterns[0] the messages, with a loop at every node unless told otherwise.
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
  double beta = 0.8;        // β, least share of what walks in
  double entropy = 0.5;     // λ
  double slope = 0.05;      // of leaky_relu below 0
  bool loops = true;
};

class Cadnet : public Model {
 public:
  Options options() override {
    Options all = stack_options(o_.stack);
    append(all,
           {option("steps", o_.steps, "of the walk"),
            searched(option("beta", o_.beta, "least share of what walks in"), 0.5, 0.95),
            searched(option("entropy", o_.entropy, "weight of the entropy in the loss, of nodes"),
                     0, 1),
            option("slope", o_.slope, "of leaky_relu below 0"),
            option("loops", o_.loops, "a node also walks to itself")});
    return all;
  }

  Operators operators(const Graph& graph) const override {
    return {.patterns = {make_pattern(message_pattern(graph, o_.loops))}};
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
    // Of graphs, Z has as many columns as the layer before: the head makes classes of them.
    const int64_t out = level_ == Level::node ? shape.out : width;
    logits_ = make_linear("logits", width, out, weights, rng);
    if (level_ == Level::graph) head_ = make_head(shape, out, o_.stack.head, weights, rng);
  }

  Output<float> forward(Step<float>& step) const override { return run(step); }
  Output<double> forward(Step<double>& step) const override { return run(step); }

 private:
  template <class T>
  Output<T> run(Step<T>& step) const {
    Input<T> h = features_of(step);
    double p = o_.stack.input_dropout;
    for (const Linear& layer : layers_) {
      const Var<T> hw = times_weight(step, h, layer.weight, p, &layer == &layers_[0]);
      h = input_of(leaky_relu(add_bias(hw, step.weight(layer.bias)), o_.slope));
      p = o_.stack.head.dropout;
    }
    const Var<T> z = apply(step, logits_, h.dense, p);
    const Var<T> walked = walk(step, z);
    Output<T> out{h.dense, walked, {}};
    if (level_ == Level::graph) out = apply(step, head_, walked);
    // Of graphs, the columns of Z are no classes, and to be sure of one would empty them.
    if (o_.entropy > 0 && level_ == Level::node && z.rows > 0)
      out.penalty = scale(sum(mul(softmax(z), log_softmax(z))), -o_.entropy / double(z.rows));
    return out;
  }

  template <class T>
  Var<T> walk(Step<T>& step, Var<T> z) const {
    if (o_.steps == 0) return z;
    const Pattern& listed = step.batch.operators.patterns[0];
    const Var<T> probability = softmax(z);
    const Var<T> alike = edge_dot(listed, probability, probability);
    const Var<T> transition = segment_softmax<T>(alike, listed.rows.start);
    Var<T> walked = z;
    for (int64_t k = 0; k < o_.steps; k++) walked = spmm(listed, transition, walked);
    const Var<T> sure = segment_mean<T>(detached(alike), listed.rows.start);
    const Var<T> gamma = shift(scale(sure, 1 - o_.beta), o_.beta);
    return add(z, scale_rows(sub(walked, z), gamma));
  }

  CadnetOptions o_;
  Level level_ = Level::node;
  std::vector<Linear> layers_;
  Linear logits_;
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_cadnet() { return std::make_unique<Cadnet>(); }

}  // namespace mgnn
