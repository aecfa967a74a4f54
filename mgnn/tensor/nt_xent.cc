#include "mgnn/tensor/nt_xent.h"

#include <cmath>

#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {
namespace {

// Mean over rows of log Σ_j e^(s_ij) - s_ii for a square s; j ≠ i unless `count_positive`.
template <class T>
Var<T> twin_entropy(Var<T> s, bool count_positive) {
  const int64_t n = s.rows;
  const Var<T> y = s.tape->make(1, 1, s.learns());
  const bool alone = n < 2;  // nothing to be told from
  T* const log_sum = s.tape->arena().template array<T>(n);
  for_rows(alone ? 0 : n, 10 * n, [=](int64_t i) {
    T maximum = -INFINITY, sum = 0;
    for (int64_t j = 0; j < n; j++)
      if (count_positive || j != i) maximum = std::max(maximum, s(i, j));
    for (int64_t j = 0; j < n; j++)
      if (count_positive || j != i) sum += std::exp(s(i, j) - maximum);
    log_sum[i] = maximum + std::log(sum);
  });
  const double weight = alone ? 0 : 1. / double(n);
  y.value[0] =
      T(weight * ordered_sum(alone ? 0 : n, [=](int64_t i) { return log_sum[i] - s(i, i); }));
  s.tape->on_backward(y, [=] {
    const T dy = y.grad()[0] * T(weight);
    T* const ds = s.grad_to_add();
    for_rows(alone ? 0 : n, 10 * n, [=](int64_t i) {
      for (int64_t j = 0; j < n; j++)
        if (count_positive || j != i) ds[i * n + j] += dy * std::exp(s(i, j) - log_sum[i]);
      ds[i * n + i] -= dy;
    });
  });
  return y;
}

}  // namespace

template <class T>
Var<T> nt_xent(Var<T> a, Var<T> b, const NtXentOptions& options) {
  check_same_shape("nt_xent", a, b);
  check(options.temperature > 0, "nt_xent: a temperature of {} is not above 0",
        options.temperature);
  const Var<T> left = l2_normalise_rows(a), right = l2_normalise_rows(b);
  const auto one_way = [&](Var<T> from, Var<T> to) {
    return twin_entropy(scale(matmul_nt(from, to), 1 / options.temperature),
                        options.count_positive);
  };
  return scale(add(one_way(left, right), one_way(right, left)), 0.5);
}

template Var<float> nt_xent(Var<float>, Var<float>, const NtXentOptions&);
template Var<double> nt_xent(Var<double>, Var<double>, const NtXentOptions&);

}  // namespace mgnn
