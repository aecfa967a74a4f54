#include <algorithm>
#include <cmath>

#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {
namespace {

// log Σ e^x over one row, shifted by its maximum so that nothing overflows.
template <class T>
T log_sum_exp(const T* x, int64_t cols) {
  T maximum = -INFINITY, sum = 0;
  for (int64_t c = 0; c < cols; c++) maximum = std::max(maximum, x[c]);
  for (int64_t c = 0; c < cols; c++) sum += std::exp(x[c] - maximum);
  return maximum + std::log(sum);
}

// Mean over `rows` and all columns of loss(out - target), whose derivative is `slope`.
template <class T, class Loss, class Slope>
Var<T> mean_difference_loss(const char* name, Var<T> out, std::span<const float> target,
                            std::span<const NodeId> rows, Loss loss, Slope slope) {
  check(int64_t(target.size()) == out.size(), "{}: {} targets for {} outputs", name, target.size(),
        out.size());
  for (const NodeId r : rows) check(r >= 0 && r < out.rows, "{}: row {} of {}", name, r, out.rows);
  const int64_t cols = out.cols, count = int64_t(rows.size()) * cols;
  const double weight = 1. / double(std::max<int64_t>(count, 1));
  const auto place = [=](int64_t i) { return rows[i / cols] * cols + i % cols; };
  const auto difference = [=](int64_t at) { return out.value[at] - T(target[at]); };
  const Var<T> y = out.tape->make(1, 1, out.learns());
  y.value[0] =
      T(weight * ordered_sum(count, [=](int64_t i) { return loss(difference(place(i))); }));
  out.tape->on_backward(y, [=] {
    T* const dx = out.grad_to_add();
    const T dy = y.grad()[0] * T(weight);
    // In order, since a row may be named twice.
    for (int64_t i = 0; i < count; i++) dx[place(i)] += dy * slope(difference(place(i)));
  });
  return y;
}

}  // namespace

template <class T>
Var<T> log_softmax(Var<T> x) {
  const Var<T> y = x.tape->make(x.rows, x.cols, x.learns());
  for_rows(x.rows, 10 * x.cols, [=](int64_t r) {
    const T shift = log_sum_exp(x.value + r * x.cols, x.cols);
    for (int64_t c = 0; c < x.cols; c++) y(r, c) = x(r, c) - shift;
  });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    T* dx = x.grad_to_add();
    for_rows(x.rows, 10 * x.cols, [=](int64_t r) {
      T sum = 0;
      for (int64_t c = 0; c < x.cols; c++) sum += dy[r * x.cols + c];
      for (int64_t c = 0; c < x.cols; c++)
        dx[r * x.cols + c] += dy[r * x.cols + c] - std::exp(y(r, c)) * sum;
    });
  });
  return y;
}

template <class T>
Var<T> softmax(Var<T> x) {
  return exp(log_softmax(x));
}

template <class T>
Var<T> cross_entropy(Var<T> logits, std::span<const int32_t> labels, std::span<const NodeId> rows,
                     std::span<const float> class_weight) {
  check(int64_t(labels.size()) == logits.rows, "cross_entropy: {} labels for {} rows",
        labels.size(), logits.rows);
  const int64_t count = int64_t(rows.size()), cols = logits.cols;
  for (const NodeId r : rows) {
    check(r >= 0 && r < logits.rows, "cross_entropy: row {} of {}", r, logits.rows);
    check(labels[r] >= 0 && labels[r] < cols,
          "cross_entropy: row {} has label {}, not one of {} classes", r, labels[r], cols);
  }
  T* const log_sum = logits.tape->arena().template array<T>(count);  // log Σ e^x of each row
  T* const p = logits.tape->arena().template array<T>(logits.learns() ? count * cols : 0);
  for_rows(count, 20 * cols, [=](int64_t i) {
    const T* const x = logits.value + rows[i] * cols;
    log_sum[i] = log_sum_exp(x, cols);
    if (!logits.learns()) return;
    for (int64_t c = 0; c < cols; c++) p[i * cols + c] = std::exp(x[c] - log_sum[i]);
  });
  check(class_weight.empty() || int64_t(class_weight.size()) == cols,
        "cross_entropy: {} weights for {} classes", class_weight.size(), cols);
  const auto weight_of = [=](NodeId r) {
    return class_weight.empty() ? T(1) : T(class_weight[labels[r]]);
  };
  const double total =
      class_weight.empty()
          ? double(count)
          : double(ordered_sum(count, [=](int64_t i) { return weight_of(rows[i]); }));
  const double share = count > 0 ? 1 / total : 1;
  const Var<T> y = logits.tape->make(1, 1, logits.learns());
  y.value[0] = T(share * ordered_sum(count, [=](int64_t i) {
                   const NodeId r = rows[i];
                   return weight_of(r) * (log_sum[i] - logits(r, labels[r]));
                 }));
  logits.tape->on_backward(y, [=] {
    T* const dx = logits.grad_to_add();
    const T dloss = y.grad()[0] * T(share);
    // In order, since a row may be named twice.
    for (int64_t i = 0; i < count; i++) {
      const NodeId r = rows[i];
      const T dy = dloss * weight_of(r);
      for (int64_t c = 0; c < cols; c++) dx[r * cols + c] += dy * p[i * cols + c];
      dx[r * cols + labels[r]] -= dy;
    }
  });
  return y;
}

template <class T>
Var<T> binary_cross_entropy(Var<T> logits, std::span<const float> target, double positive_weight) {
  check(int64_t(target.size()) == logits.size(), "binary_cross_entropy: {} targets for {} logits",
        target.size(), logits.size());
  const Var<T> y = logits.tape->make(1, 1, logits.learns());
  const T w = T(positive_weight);
  const double mean = 1. / double(std::max<int64_t>(logits.size(), 1));
  // -log s(x) = softplus(-x) = softplus(x) - x
  y.value[0] = T(mean * ordered_sum(logits.size(), [=](int64_t i) {
                   const T x = logits.value[i], t = T(target[i]);
                   const T shared = std::log1p(std::exp(-std::abs(x)));
                   const T of_one = std::max(-x, T(0)) + shared, of_zero = of_one + x;
                   return w * t * of_one + (1 - t) * of_zero;
                 }));
  logits.tape->on_backward(y, [=] {
    const T dy = y.grad()[0] * T(mean);
    add_grad(
        logits,
        [=](int64_t i) {
          const T t = T(target[i]);
          const T s = 1 / (1 + std::exp(-logits.value[i]));
          return dy * ((1 - t) * s - w * t * (1 - s));
        },
        10);
  });
  return y;
}

template <class T>
Var<T> squared_error(Var<T> out, std::span<const float> target, std::span<const NodeId> rows) {
  return mean_difference_loss(
      "squared_error", out, target, rows, [](T d) { return d * d; }, [](T d) { return 2 * d; });
}

template <class T>
Var<T> huber(Var<T> out, std::span<const float> target, std::span<const NodeId> rows,
             double delta) {
  check(delta > 0, "huber: delta is {}, not a positive number", delta);
  const T limit = T(delta);
  return mean_difference_loss(
      "huber", out, target, rows,
      [=](T d) {
        const T size = std::abs(d);
        return size <= limit ? d * d / 2 : limit * (size - limit / 2);
      },
      [=](T d) { return std::clamp(d, -limit, limit); });
}

template <class T>
Var<T> kl_normal(Var<T> mean, Var<T> log_sigma) {
  check_same_shape("kl_normal", mean, log_sigma);
  const Var<T> y = mean.tape->make(1, 1, mean.learns() || log_sigma.learns());
  const double weight = 1. / double(std::max<int64_t>(mean.rows, 1));
  y.value[0] = T(-0.5 * weight * ordered_sum(mean.size(), [=](int64_t i) {
    const T m = mean.value[i], l = log_sigma.value[i];
    return 1 + 2 * l - m * m - std::exp(2 * l);
  }));
  mean.tape->on_backward(y, [=] {
    const T dy = y.grad()[0] * T(weight);
    add_grad(mean, [=](int64_t i) { return dy * mean.value[i]; });
    add_grad(
        log_sigma, [=](int64_t i) { return dy * std::expm1(2 * log_sigma.value[i]); }, 10);
  });
  return y;
}

#define MGNN_INSTANTIATE(T)                                                                \
  template Var<T> log_softmax(Var<T>);                                                     \
  template Var<T> softmax(Var<T>);                                                         \
  template Var<T> cross_entropy(Var<T>, std::span<const int32_t>, std::span<const NodeId>, \
                                std::span<const float>);                                   \
  template Var<T> binary_cross_entropy(Var<T>, std::span<const float>, double);            \
  template Var<T> squared_error(Var<T>, std::span<const float>, std::span<const NodeId>);  \
  template Var<T> huber(Var<T>, std::span<const float>, std::span<const NodeId>, double);  \
  template Var<T> kl_normal(Var<T>, Var<T>);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn
