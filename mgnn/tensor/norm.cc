// With x̂ = (x - mean) / σ over m numbers and u = dy gamma,
//
//   dx = (u - mean(u) - x̂ mean(u x̂)) / σ,   dgamma = Σ dy x̂,   dbeta = Σ dy,
//
// since mean and σ move with x; with fixed statistics dx = u / σ.

#include <cmath>

#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {
namespace {

template <class T>
void check_affine(Var<T> x, Var<T> gamma, Var<T> beta) {
  check(gamma.rows == 1 && beta.rows == 1 && gamma.cols == x.cols && beta.cols == x.cols,
        "batch_norm: gamma ({}, {}) and beta ({}, {}) for {} columns", gamma.rows, gamma.cols,
        beta.rows, beta.cols, x.cols);
}

// Statistics of the rows of x; moves the running ones.
template <class T>
void batch_statistics(Var<T> x, T* mean, T* variance, RunningStatistics<T> running, T momentum) {
  const T n = T(std::max<int64_t>(total_rows(x), 1));
  column_sums(x, x.cols, Destination<T>{mean, false},
              [=](int64_t r, int64_t c) { return x(r, c); });
  for (int64_t c = 0; c < x.cols; c++) mean[c] /= n;
  column_sums(x, x.cols, Destination<T>{variance, false}, [=](int64_t r, int64_t c) {
    const T off = x(r, c) - mean[c];
    return off * off;
  });
  for (int64_t c = 0; c < x.cols; c++) {
    const T unbiased = variance[c] / std::max(n - 1, T(1));
    variance[c] /= n;
    if (total_rows(x) == 0) continue;
    running.mean[c] += momentum * (mean[c] - running.mean[c]);
    running.variance[c] += momentum * (unbiased - running.variance[c]);
  }
}

// dgamma and dbeta from x̂; gives the two column sums Σ dy x̂ and Σ dy in the arena.
template <class T, class Hat>
void affine_grad(Var<T> y, Var<T> gamma, Var<T> beta, Hat hat, T* along, T* total) {
  const T* dy = y.grad();
  column_sums(y, y.cols, Destination<T>{along, false},
              [=](int64_t r, int64_t c) { return dy[r * y.cols + c] * hat(r, c); });
  column_sums(y, y.cols, Destination<T>{total, false},
              [=](int64_t r, int64_t c) { return dy[r * y.cols + c]; });
  add_grad(gamma, [=](int64_t c) { return along[c]; });
  add_grad(beta, [=](int64_t c) { return total[c]; });
}

}  // namespace

template <class T>
Var<T> batch_norm(Var<T> x, Var<T> gamma, Var<T> beta, RunningStatistics<T> running,
                  double momentum, double eps) {
  check_affine(x, gamma, beta);
  const bool training = x.tape->training();
  Arena& arena = x.tape->arena();
  T* const mean = arena.array<T>(x.cols);
  T* const inverse = arena.array<T>(x.cols);  // 1 / σ
  if (training) batch_statistics(x, mean, inverse, running, T(momentum));
  if (!training) std::copy_n(running.mean, x.cols, mean);
  for (int64_t c = 0; c < x.cols; c++)
    inverse[c] = 1 / std::sqrt((training ? inverse[c] : running.variance[c]) + T(eps));

  const auto hat = [=](int64_t r, int64_t c) { return (x(r, c) - mean[c]) * inverse[c]; };
  const Var<T> y = x.tape->make(x.rows, x.cols, x.learns() || gamma.learns() || beta.learns());
  fill_rows(y, [=](int64_t r, int64_t c) { return gamma.value[c] * hat(r, c) + beta.value[c]; });
  x.tape->on_backward(y, [=, &arena] {
    const T* dy = y.grad();
    T* const along = arena.array<T>(x.cols);
    T* const total = arena.array<T>(x.cols);
    affine_grad(y, gamma, beta, hat, along, total);
    const T n = training ? T(std::max<int64_t>(total_rows(x), 1)) : T(INFINITY);
    add_grad_rows(x, [=](int64_t r, int64_t c) {
      const T u = dy[r * x.cols + c] - total[c] / n - hat(r, c) * along[c] / n;
      return gamma.value[c] * inverse[c] * u;
    });
  });
  return y;
}

#define MGNN_INSTANTIATE(T) \
  template Var<T> batch_norm(Var<T>, Var<T>, Var<T>, RunningStatistics<T>, double, double);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn
