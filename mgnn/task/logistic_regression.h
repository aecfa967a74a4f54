// Multinomial logistic regression: the probe that tells what an embedding knows.
#pragma once

#include <span>
#include <vector>

#include "mgnn/tensor/matrix.h"

namespace mgnn {

struct LogisticRegressionOptions {
  double c = 1;             // weight of the losses against half the squared length of the weights
  bool standardise = true;  // features to mean 0, variance 1, as they are in the training rows
  int iterations = 1000;    // at most
  double tolerance = 1e-5;  // stop once no derivative is larger than this
};

// Weights of the features as they are given: standardisation is worked in.
struct LogisticRegression {
  int64_t num_classes = 0;
  MatrixOf<double> weight;        // (features, classes)
  std::vector<double> intercept;  // (classes)
  double largest_derivative = 0;  // of the objective, where the search ended
  int iterations = 0;
};

// Minimises  c Σ_i -log softmax(x_i W + b)[label_i] + |W|² / 2  over W and b, by L-BFGS; the
// intercept b is free, and a class without training rows is never predicted. Deterministic, one
// thread. Throws Error (usage) if there are no rows, a label is outside 0..num_classes-1, or a
// feature is not finite.
LogisticRegression fit_logistic_regression(const Matrix& x, std::span<const int32_t> label,
                                           std::span<const NodeId> rows, int num_classes,
                                           const LogisticRegressionOptions& options = {});

// (rows, classes)
MatrixOf<double> probabilities(const LogisticRegression& model, const Matrix& x,
                               std::span<const NodeId> rows);
// The most likely class of each row; the smallest of equals.
std::vector<int32_t> predicted_classes(const LogisticRegression& model, const Matrix& x,
                                       std::span<const NodeId> rows);
// Share of the rows whose class is predicted. 0 for none.
double accuracy(const LogisticRegression& model, const Matrix& x, std::span<const int32_t> label,
                std::span<const NodeId> rows);

}  // namespace mgnn
