#include "mgnn/tensor/adam.h"

#include <cmath>

#include "mgnn/base/error.h"
#include "mgnn/tensor/loops.h"

namespace mgnn {

template <class T>
AdamOf<T>::AdamOf(const ParametersOf<T>& parameters, const AdamOptions& options)
    : options_(options) {
  const auto memory = [](double beta) { return beta >= 0 && beta < 1; };
  check(options.learning_rate >= 0, "Adam: a learning rate of {}", options.learning_rate);
  check(memory(options.beta1) && memory(options.beta2), "Adam: beta {} and {} are not below 1",
        options.beta1, options.beta2);
  check(options.eps >= 0, "Adam: eps is {}", options.eps);
  check(options.weight_decay >= 0, "Adam: a weight decay of {}", options.weight_decay);
  state.mean.resize(parameters.value.size(), T(0));
  state.square.resize(parameters.value.size(), T(0));
  if (options.amsgrad) state.largest.resize(parameters.value.size(), T(0));
}

template <class T>
void AdamOf<T>::step(ParametersOf<T>& parameters, double learning_rate, double grad_scale) {
  check(state.mean.size() == parameters.value.size(), "Adam: was made for {} numbers, not for {}",
        state.mean.size(), parameters.value.size());
  state.steps++;
  const double correction1 = 1 - std::pow(options_.beta1, double(state.steps));
  const double correction2 = 1 - std::pow(options_.beta2, double(state.steps));
  const T b1 = T(options_.beta1), b2 = T(options_.beta2), eps = T(options_.eps);
  const T rate = T(learning_rate / correction1), root = T(1 / std::sqrt(correction2));
  for (const NamedParameter& p : parameters.all) {
    if (!p.learns) continue;
    const double decay = options_.weight_decay * p.decay;
    const T in_gradient = T(options_.decoupled ? 0 : decay);
    const T shrink = T(options_.decoupled ? 1 - learning_rate * decay : 1), scale = T(grad_scale);
    T *value = parameters.value_of(p), *grad = parameters.grad_of(p);
    T *mean = state.mean.data() + p.at, *square = state.square.data() + p.at;
    T* largest = options_.amsgrad ? state.largest.data() + p.at : nullptr;
    for_elements(p.size(), 4, [=](int64_t i) {
      const T g = scale * grad[i] + in_gradient * value[i];
      mean[i] = b1 * mean[i] + (1 - b1) * g;
      square[i] = b2 * square[i] + (1 - b2) * g * g;
      T s = square[i];
      if (largest) s = largest[i] = std::max(largest[i], s);
      value[i] = shrink * value[i] - rate * mean[i] / (std::sqrt(s) * root + eps);
      grad[i] = 0;
    });
  }
}

template <class T>
double grad_norm(const ParametersOf<T>& parameters) {
  const T* grad = parameters.grad.data();
  return std::sqrt(ordered_sum(int64_t(parameters.grad.size()),
                               [=](int64_t i) { return double(grad[i]) * double(grad[i]); }));
}

template class AdamOf<float>;
template class AdamOf<double>;
template double grad_norm(const ParametersOf<float>&);
template double grad_norm(const ParametersOf<double>&);

}  // namespace mgnn
