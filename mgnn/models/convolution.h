// H' = relu(S H W + b), layer upon layer: networks that differ in the matrix S only.
#pragma once

#include "mgnn/models/layers.h"

namespace mgnn {

// A network adds its options and the operator S, `adjacency`.
class Convolution : public Model {
 public:
  void build(const Shape& shape, Parameters& weights, Rng& rng) override {
    const auto make = [&](const std::string& name, int64_t in, int64_t width) {
      return make_linear(name, in, width, weights, rng, {.init = {.kind = Init::xavier_uniform}});
    };
    head_ = build_stack(shape, stack_, weights, rng, layers_, make);
  }

  template <class T>
  Output<T> run(Step<T>& step) const {
    return run_stack(step, stack_, layers_, head_, [&](const Linear& layer, const Input<T>& h) {
      // H W first: it has fewer columns than H.
      const Var<T> hw = times_weight(step, h, layer.weight);
      return relu(add_bias(spmm(step.batch.operators.adjacency, hw), step.weight(layer.bias)));
    });
  }

 protected:
  StackOptions stack_;

 private:
  std::vector<Linear> layers_;  // W (in, d), b
  Head head_;
};

}  // namespace mgnn
