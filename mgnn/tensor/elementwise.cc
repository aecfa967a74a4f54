#include <cmath>

#include "mgnn/tensor/drop.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"
#include "mgnn/tensor/random.h"

namespace mgnn {
namespace {

constexpr int64_t kTranscendental = 8;  // nanoseconds

// y = f(x); dx = dy slope(x, y)
template <class T, class F, class Slope>
Var<T> map(Var<T> x, F f, Slope slope, int64_t cost = 1) {
  const Var<T> y = x.tape->make(x.rows, x.cols, x.learns());
  fill(
      y, [=](int64_t i) { return f(x.value[i]); }, cost);
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    add_grad(
        x, [=](int64_t i) { return dy[i] * slope(x.value[i], y.value[i]); }, cost);
  });
  return y;
}

}  // namespace

template <class T>
Var<T> add(Var<T> a, Var<T> b) {
  check_same_shape("add", a, b);
  const Var<T> y = a.tape->make(a.rows, a.cols, a.learns() || b.learns());
  fill(y, [=](int64_t i) { return a.value[i] + b.value[i]; });
  a.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    add_grad(a, [=](int64_t i) { return dy[i]; });
    add_grad(b, [=](int64_t i) { return dy[i]; });
  });
  return y;
}

template <class T>
Var<T> sub(Var<T> a, Var<T> b) {
  check_same_shape("sub", a, b);
  const Var<T> y = a.tape->make(a.rows, a.cols, a.learns() || b.learns());
  fill(y, [=](int64_t i) { return a.value[i] - b.value[i]; });
  a.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    add_grad(a, [=](int64_t i) { return dy[i]; });
    add_grad(b, [=](int64_t i) { return -dy[i]; });
  });
  return y;
}

template <class T>
Var<T> mul(Var<T> a, Var<T> b) {
  check_same_shape("mul", a, b);
  const Var<T> y = a.tape->make(a.rows, a.cols, a.learns() || b.learns());
  fill(y, [=](int64_t i) { return a.value[i] * b.value[i]; });
  a.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    add_grad(a, [=](int64_t i) { return dy[i] * b.value[i]; });
    add_grad(b, [=](int64_t i) { return dy[i] * a.value[i]; });
  });
  return y;
}

template <class T>
Var<T> scale(Var<T> x, double factor) {
  const T f = T(factor);
  return map(
      x, [=](T v) { return f * v; }, [=](T, T) { return f; });
}

template <class T>
Var<T> scale(Var<T> x, Var<T> factor) {
  check(factor.size() == 1, "scale: the factor is ({}, {}), not one number", factor.rows,
        factor.cols);
  if (factor.learns()) check_undivided("scale by a learned number", x);
  const Var<T> y = x.tape->make(x.rows, x.cols, x.learns() || factor.learns());
  const T* f = factor.value;
  fill(y, [=](int64_t i) { return *f * x.value[i]; });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    add_grad(x, [=](int64_t i) { return *f * dy[i]; });
    if (factor.learns())
      *factor.grad_to_add() +=
          T(ordered_sum(x.size(), [=](int64_t i) { return dy[i] * x.value[i]; }));
  });
  return y;
}

template <class T>
Var<T> shift(Var<T> x, double by) {
  const T b = T(by);
  return map(
      x, [=](T v) { return v + b; }, [](T, T) { return T(1); });
}

template <class T>
Var<T> relu(Var<T> x) {
  const Var<T> y = x.tape->make(x.rows, x.cols, x.learns());
  fill(y, [=](int64_t i) { return std::max(x.value[i], T(0)); });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    // A choice between two numbers that are there, not a product with 0 or 1, which becomes a
    // branch.
    add_grad(x, [=](int64_t i) {
      const T through = dy[i], at = x.value[i];
      return at > 0 ? through : T(0);
    });
  });
  return y;
}

template <class T>
Var<T> leaky_relu(Var<T> x, double slope) {
  const T s = T(slope);
  return map(
      x, [=](T v) { return v > 0 ? v : s * v; }, [=](T v, T) { return v > 0 ? T(1) : s; });
}

template <class T>
Var<T> elu(Var<T> x) {
  return map(
      x, [](T v) { return v > 0 ? v : std::expm1(v); },
      [](T v, T y) { return v > 0 ? T(1) : y + 1; }, kTranscendental);
}

template <class T>
Var<T> sigmoid(Var<T> x) {
  return map(
      x, [](T v) { return 1 / (1 + std::exp(-v)); }, [](T, T y) { return y * (1 - y); },
      kTranscendental);
}

template <class T>
Var<T> tanh(Var<T> x) {
  return map(
      x, [](T v) { return std::tanh(v); }, [](T, T y) { return 1 - y * y; }, kTranscendental);
}

template <class T>
Var<T> softplus(Var<T> x) {
  return map(
      x, [](T v) { return std::max(v, T(0)) + std::log1p(std::exp(-std::abs(v))); },
      [](T v, T) { return 1 / (1 + std::exp(-v)); }, 2 * kTranscendental);
}

template <class T>
Var<T> exp(Var<T> x) {
  return map(
      x, [](T v) { return std::exp(v); }, [](T, T y) { return y; }, kTranscendental);
}

template <class T>
Var<T> log(Var<T> x) {
  return map(
      x, [](T v) { return std::log(v); }, [](T v, T) { return 1 / v; }, kTranscendental);
}

template <class T>
Var<T> clamp(Var<T> x, double low, double high) {
  const T l = T(low), h = T(high);
  return map(
      x, [=](T v) { return std::min(std::max(v, l), h); },
      [=](T v, T) { return v >= l && v <= h ? T(1) : T(0); });
}

template <class T>
Var<T> dropout(Var<T> x, double p) {
  check(p >= 0 && p < 1, "dropout: {} is not a probability below 1", p);
  if (!x.tape->training() || p == 0) return x;
  const DropoutMask mask = dropout_mask(x.tape->next_random(), p, first_element(x));
  const Var<T> y = x.tape->make(x.rows, x.cols, x.learns());
  drop_all<T, T>({.mask = mask, .x = x.value, .y = y.value}, x.size());
  x.tape->on_backward(y, [=] {
    const Destination<T> to = x.grad_to_write();
    drop_all<T, T>({.mask = mask, .x = y.grad(), .y = to.at, .add = to.add}, x.size());
  });
  return y;
}

template <class T>
Var<T> normal_noise(Tape<T>& tape, int64_t rows, int64_t cols) {
  const RandomKey key = tape.next_random();
  const Var<T> y = tape.make_constant(rows, cols);
  const uint64_t first = first_element(y);
  fill(
      y, [=](int64_t i) { return T(random_normal(key, first + uint64_t(i))); }, 30);
  return y;
}

template <class T>
Var<T> sum(Var<T> x) {
  check_undivided("sum", x);
  const Var<T> y = x.tape->make(1, 1, x.learns());
  y.value[0] = T(ordered_sum(x.size(), [=](int64_t i) { return x.value[i]; }));
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    add_grad(x, [=](int64_t) { return dy[0]; });
  });
  return y;
}

template <class T>
Var<T> mean(Var<T> x) {
  return scale(sum(x), 1. / double(std::max<int64_t>(x.size(), 1)));
}

#define MGNN_INSTANTIATE(T)                                 \
  template Var<T> add(Var<T>, Var<T>);                      \
  template Var<T> sub(Var<T>, Var<T>);                      \
  template Var<T> mul(Var<T>, Var<T>);                      \
  template Var<T> scale(Var<T>, double);                    \
  template Var<T> scale(Var<T>, Var<T>);                    \
  template Var<T> shift(Var<T>, double);                    \
  template Var<T> relu(Var<T>);                             \
  template Var<T> leaky_relu(Var<T>, double);               \
  template Var<T> elu(Var<T>);                              \
  template Var<T> sigmoid(Var<T>);                          \
  template Var<T> tanh(Var<T>);                             \
  template Var<T> softplus(Var<T>);                         \
  template Var<T> exp(Var<T>);                              \
  template Var<T> log(Var<T>);                              \
  template Var<T> clamp(Var<T>, double, double);            \
  template Var<T> dropout(Var<T>, double);                  \
  template Var<T> normal_noise(Tape<T>&, int64_t, int64_t); \
  template Var<T> sum(Var<T>);                              \
  template Var<T> mean(Var<T>);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn
