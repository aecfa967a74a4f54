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
  StackOptions stack = {};
  MessageNorm norm = MessageNorm::sym_in;
  bool loops = true;  // every node also hears itself
};

class Gcn : public Model {
 public:
  Options options() override {
    Options all = stack_options(o_.stack);
    append(all, {choice("norm", o_.norm, message_norm_names(), "normalisation of messages"),
                 option("loops", o_.loops, "every node also hears itself")});
    return all;
  }

  Operators operators(const Graph& graph) const override {
    return {.fixed = {message_operator(graph, o_.norm, o_.loops)}};
  }

  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    check_stack(o_.stack);
    int64_t width = shape.in;
    for (const int64_t next : o_.stack.layers) {
      layers_.push_back(make_linear(fmt::format("layer{}", layers_.size() + 1), width, next,
                                    weights, rng, {.kind = Init::xavier_uniform}));
      width = next;
    }
    head_ = make_head(shape, width, o_.stack.head, weights, rng);
  }

  Output<float> forward(Step<float>& step) const override { return run(step); }
  Output<double> forward(Step<double>& step) const override { return run(step); }

 private:
  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(
        step, o_.stack, layers_, head_,
        [&](const Linear& layer, const Input<T>& h, double p, bool first) {
          return relu(convolved(step, step.batch.operators.fixed[0], layer, h, p, first));
        });
  }

  GcnOptions o_;
  std::vector<Linear> layers_;  // W (in, d), b
  Head head_;
};

}  // namespace

std::unique_ptr<Model> make_gcn() { return std::make_unique<Gcn>(); }

}  // namespace mgnn
