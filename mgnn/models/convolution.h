// H' = relu(S H W + b), layer upon layer: networks that differ in the matrix S only.
#pragma once

#include "mgnn/models/layers.h"

namespace mgnn {

// What is left to a network is its options and operators; fixed[0] is S.
class Convolution : public Model {
 public:
  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    const auto make = [&](const std::string& name, int64_t in, int64_t width) {
      return make_linear(name, in, width, weights, rng, {.kind = Init::xavier_uniform});
    };
    head_ = build_stack(shape, stack_, weights, rng, layers_, make);
  }

  Output<float> forward(Step<float>& step) const override { return run(step); }
  Output<double> forward(Step<double>& step) const override { return run(step); }

 protected:
  StackOptions stack_;

 private:
  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(
        step, stack_, layers_, head_,
        [&](const Linear& layer, const Input<T>& h, double p, bool first) {
          // H W first: it has fewer columns than H.
          const Var<T> hw = times_weight(step, h, layer.weight, p, first);
          return relu(add_bias(spmm(step.batch.operators.fixed[0], hw), step.weight(layer.bias)));
        });
  }

  std::vector<Linear> layers_;  // W (in, d), b
  Head head_;
};

}  // namespace mgnn
