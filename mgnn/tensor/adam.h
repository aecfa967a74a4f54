// Adam and its relatives, in one sweep over the flat arrays.
#pragma once

#include "mgnn/tensor/parameters.h"

namespace mgnn {

struct AdamOptions {
  double learning_rate = 0.001;
  double beta1 = 0.9;       // decay of the mean of gradients
  double beta2 = 0.999;     // decay of the mean of squares
  double eps = 1e-8;        // added to the root of the square
  double weight_decay = 0;  // times each parameter's own factor
  bool decoupled = false;   // AdamW: decay the weights themselves instead of adding to the gradient
  bool amsgrad = false;     // AMSGrad: divide by the largest square so far
};

// Kingma, Ba 2015; with weight decay in the gradient as PyTorch's Adam. Deterministic.
template <class T>
class AdamOf {
 public:
  // What a checkpoint must keep besides the parameters.
  struct State {
    int64_t steps = 0;
    Array<T> mean, square, largest;  // as long as the parameters; `largest` only for amsgrad
  };

  // Throws Error for invalid options.
  AdamOf(const ParametersOf<T>& parameters, const AdamOptions& options);

  // One step with this learning rate (see schedule.h) from `parameters.grad`, which it scales by
  // `grad_scale` (for clipping, see grad_norm) and then sets to zero.
  void step(ParametersOf<T>& parameters, double learning_rate, double grad_scale = 1);
  void step(ParametersOf<T>& parameters) { step(parameters, options_.learning_rate); }

  const AdamOptions& options() const { return options_; }
  State state;

 private:
  AdamOptions options_;
};
using Adam = AdamOf<float>;

// √Σ grad², the same for any number of threads.
template <class T>
double grad_norm(const ParametersOf<T>& parameters);

}  // namespace mgnn
