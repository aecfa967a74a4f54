#include "mgnn/task/significance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace mgnn {
namespace {

TEST(Significance, OfStudentsT) {
  // ν = 1 is Cauchy's distribution, ν = 2 has a closed form.
  for (const double t : {0., 0.3, 1., 4., 50.}) {
    EXPECT_NEAR(two_sided_t(t, 1), 1 - 2 / std::numbers::pi * std::atan(t), 1e-12);
    EXPECT_NEAR(two_sided_t(-t, 2), 1 - t / std::sqrt(2 + t * t), 1e-12);
  }
  EXPECT_NEAR(two_sided_t(2.262157163, 9), 0.05, 1e-9);  // table of quantiles
  EXPECT_NEAR(two_sided_t(1.959963985, 1e8), 0.05, 1e-6);
}

TEST(Significance, OfPairs) {
  const std::vector<double> a = {0.81, 0.84, 0.79, 0.86, 0.83}, b = {0.80, 0.80, 0.80, 0.82, 0.81};
  // Differences .01 .04 -.01 .04 .02: mean .02, deviation √.00045, t = .02 / √(.00045 / 5), ν = 4;
  // for ν = 4, P = 1 - s (3 - s²) / 2 with s = t / √(4 + t²).
  const double t = 0.02 / std::sqrt(0.00045 / 5), s = t / std::sqrt(4 + t * t);
  EXPECT_NEAR(*paired_p_value(a, b), 1 - s * (3 - s * s) / 2, 1e-9);
  EXPECT_NEAR(*paired_p_value(b, a), *paired_p_value(a, b), 1e-12);
  EXPECT_EQ(*paired_p_value(a, a), 1);
  EXPECT_EQ(*paired_p_value(std::vector{1., 1.}, std::vector{0., 0.}), 0);
  EXPECT_FALSE(paired_p_value(std::vector{1.}, std::vector{0.}).has_value());
}

// t = 0.6 / (0.4216370 / √10) = 4.5 with 9 degrees of freedom; the value is SciPy's ttest_rel.
TEST(Significance, AgreesWithSciPy) {
  const std::vector<double> zero(10, 0.);
  std::vector<double> scores;
  for (int i = 0; i < 10; i++) scores.push_back(i % 2 ? 1.0 : 0.2);
  EXPECT_NEAR(*paired_p_value(scores, zero), 0.00148894941541, 1e-12);
  EXPECT_DOUBLE_EQ(*paired_p_value(zero, zero), 1);
}

}  // namespace
}  // namespace mgnn
