#include "mgnn/tensor/optimiser.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mgnn/base/error.h"
#include "mgnn/tensor/loops.h"

namespace mgnn {

Schedule::Schedule(const ScheduleOptions& options) : options_(options) {
  check(options.warm_up >= 0 && options.every > 0 && options.total > 0 && options.patience >= 0,
        "schedule: warm_up and patience must not be negative, every and total be positive");
  check(options.factor > 0 && options.factor <= 1 && options.floor >= 0 && options.floor <= 1,
        "schedule: factor {} and floor {} must be between 0 and 1", options.factor, options.floor);
}

double Schedule::factor(int64_t epoch) const {
  if (epoch < options_.warm_up) return double(epoch + 1) / double(options_.warm_up + 1);
  epoch -= options_.warm_up;
  switch (options_.kind) {
    case ScheduleKind::constant:
      return 1;
    case ScheduleKind::step:
      return std::pow(options_.factor, double(epoch / options_.every));
    case ScheduleKind::cosine: {
      const double done = std::min(1., double(epoch) / double(options_.total));
      return options_.floor + (1 - options_.floor) * (1 + std::cos(std::numbers::pi * done)) / 2;
    }
    case ScheduleKind::plateau:
      return std::max(state.reached, options_.floor);
  }
  return 1;
}

void Schedule::observe(double score) {
  if (score < state.best) {
    state.best = score;
    state.waited = 0;
  } else if (++state.waited > options_.patience) {
    state.reached *= options_.factor;
    state.waited = 0;
  }
}

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
