// Logistic regression: optimality, limits, invariances.
#include "mgnn/task/logistic_regression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/util.h"

namespace mgnn {
namespace {

struct Toy {
  Matrix x;
  std::vector<int32_t> label;
  std::vector<NodeId> rows;
};

// Three clouds that overlap, features of different scale.
Toy toy(uint64_t seed, double spread, int64_t n = 120) {
  Rng rng(seed);
  Toy t{Matrix(n, 4), {}, std::vector<NodeId>(size_t(n))};
  std::iota(t.rows.begin(), t.rows.end(), 0);
  for (int64_t i = 0; i < n; i++) {
    t.label.push_back(int32_t(i % 3));
    for (int64_t f = 0; f < 4; f++)
      t.x(i, f) = float((f % 3 == i % 3 ? 2 : 0) + spread * rng.normal()) * (f == 2 ? 50.f : 1.f);
  }
  return t;
}

double objective(const LogisticRegression& model, const Toy& t, double c) {
  const MatrixOf<double> p = probabilities(model, t.x, t.rows);
  double sum = 0;
  for (size_t i = 0; i < t.rows.size(); i++) sum -= c * std::log(p(int64_t(i), t.label[i]));
  for (const double w : model.weight.data) sum += w * w / 2;
  return sum;
}

TEST(LogisticRegression, FindsTheMinimum) {
  for (uint64_t seed = 0; seed < 5; seed++) {
    const Toy t = toy(seed, 1.5);
    const LogisticRegressionOptions options{.c = 0.7, .standardise = false, .tolerance = 1e-7};
    const LogisticRegression model = fit_logistic_regression(t.x, t.label, t.rows, 3, options);
    EXPECT_LT(model.largest_derivative, 1e-5);
    const double best = objective(model, t, 0.7);
    Rng rng(seed);
    for (int i = 0; i < 50; i++) {  // nothing near is better, by an objective of our own
      LogisticRegression other = model;
      for (double& w : other.weight.data) w += 1e-3 * rng.normal();
      for (double& b : other.intercept) b += 1e-3 * rng.normal();
      EXPECT_GE(objective(other, t, 0.7), best - 1e-9);
    }
  }
}

TEST(LogisticRegression, TellsSeparableCloudsApart) {
  const Toy t = toy(1, 0.1);
  EXPECT_EQ(accuracy(fit_logistic_regression(t.x, t.label, t.rows, 3), t.x, t.label, t.rows), 1);
}

TEST(LogisticRegression, WithoutWeightGivesTheShares) {
  const Toy t = toy(2, 1);
  const std::vector<NodeId> some(t.rows.begin(), t.rows.begin() + 100);  // 34, 33, 33
  const LogisticRegression model =
      fit_logistic_regression(t.x, t.label, some, 3, {.c = 1e-9, .tolerance = 1e-14});
  EXPECT_NEAR(probabilities(model, t.x, some)(5, 0), 0.34, 1e-3);
}

TEST(LogisticRegression, DoesNotMindNamesOfClassesOrScalesOfFeatures) {
  const Toy t = toy(3, 1.5);
  const auto predicted = [&](const Matrix& x, const std::vector<int32_t>& label, int classes) {
    return predicted_classes(fit_logistic_regression(x, label, t.rows, classes), x, t.rows);
  };
  const std::vector<int32_t> plain = predicted(t.x, t.label, 3);
  std::vector<int32_t> renamed = t.label;
  for (int32_t& k : renamed) k = 4 - 2 * k;  // 4, 2, 0 of 5 classes
  const std::vector<int32_t> other = predicted(t.x, renamed, 5);
  Matrix scaled = t.x;
  for (int64_t i = 0; i < scaled.rows; i++) scaled(i, 1) = 1000 * scaled(i, 1) + 7;
  const std::vector<int32_t> wide = predicted(scaled, t.label, 3);
  int64_t different = 0;
  for (size_t i = 0; i < plain.size(); i++) {
    EXPECT_EQ(other[i], 4 - 2 * plain[i]);
    different += wide[i] != plain[i];
  }
  EXPECT_LE(different, 1);
}

TEST(LogisticRegression, RefusesWhatCannotBe) {
  Toy t = toy(4, 1);
  EXPECT_EQ(testing::error_of([&] { fit_logistic_regression(t.x, t.label, {}, 3); }),
            "logistic regression: there are no rows to learn from");
  EXPECT_EQ(testing::error_of([&] { fit_logistic_regression(t.x, t.label, t.rows, 2); }),
            "row 2 has class 2, outside 0 to 1");
  t.x(3, 1) = NAN;
  EXPECT_EQ(testing::error_of([&] { fit_logistic_regression(t.x, t.label, t.rows, 3); }),
            "logistic regression: feature 1 of row 3 is nan");
}

}  // namespace
}  // namespace mgnn
