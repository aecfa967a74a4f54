// P(|T| >= t) = I_x(ν/2, ½) with x = ν / (ν + t²), the regularised incomplete beta function, by its
// continued fraction (Lentz's method).

#include "mgnn/task/significance.h"

#include <cmath>
#include <vector>

#include "mgnn/task/metrics.h"

namespace mgnn {
namespace {

double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300;
  const auto kept = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1, d = 1 / kept(1 - (a + b) * x / (a + 1)), f = d;
  for (int m = 1; m < 1000; m++) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (const double term : {even, odd}) {
      d = 1 / kept(1 + term * d);
      c = kept(1 + term / c);
      f *= change = c * d;
    }
    if (std::abs(change - 1) < 1e-15) break;
  }
  return f;
}

double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(x, a, b) / a;
  return 1 - front * beta_fraction(1 - x, b, a) / b;
}

}  // namespace

double two_sided_t(double t, double degrees) {
  return incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

std::optional<double> paired_p_value(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2) return {};
  std::vector<double> difference(a.size());
  for (size_t i = 0; i < a.size(); i++) difference[i] = a[i] - b[i];
  const MeanStd summary = mean_std(difference);
  if (summary.std < 1e-12) return std::abs(summary.mean) < 1e-12 ? 1. : 0.;
  const double n = double(a.size());
  return two_sided_t(summary.mean / (summary.std / std::sqrt(n)), n - 1);
}

}  // namespace mgnn
