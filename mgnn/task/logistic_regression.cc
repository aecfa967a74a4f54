// L-BFGS: the inverse Hessian is approximated from the last steps and the changes of the gradient
// along them (Nocedal, Wright, "Numerical Optimization", algorithm 7.4), and the step length is
// found by bisection until Wolfe's conditions hold. The objective is convex, and strictly so but
// for a constant added to all intercepts.

#define EIGEN_DONT_PARALLELIZE  // the same sums for any number of threads

#include "mgnn/task/logistic_regression.h"

#include <Eigen/Dense>
#include <cmath>
#include <deque>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/data/column_scale.h"

namespace mgnn {
namespace {

using Dense = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct Regression {
  Dense x;                        // (rows, features + 1), the last column ones
  std::vector<int32_t> label;     // (rows)
  std::vector<int32_t> class_of;  // of the classes that occur, their number
  double c;

  Eigen::Index num_weights() const { return (x.cols()) * Eigen::Index(class_of.size()); }

  // The objective at `parameters`, (features + 1, classes) column by column, and its gradient.
  double value(const Vector& parameters, Vector& gradient) const {
    const auto classes = Eigen::Index(class_of.size()), features = x.cols() - 1;
    const Eigen::Map<const Dense> w(parameters.data(), x.cols(), classes);
    Dense p = x * w;
    double loss = 0;
    for (Eigen::Index i = 0; i < p.rows(); i++) {
      const double largest = p.row(i).maxCoeff();
      const double seen = p(i, label[i]);
      p.row(i) = (p.row(i).array() - largest).exp();
      const double sum = p.row(i).sum();
      loss += std::log(sum) + largest - seen;
      p.row(i) /= sum;
      p(i, label[i]) -= 1;
    }
    gradient.resize(parameters.size());
    Eigen::Map<Dense> g(gradient.data(), x.cols(), classes);
    g.noalias() = c * (x.transpose() * p);
    g.topRows(features) += w.topRows(features);
    return c * loss + 0.5 * w.topRows(features).squaredNorm();
  }
};

struct Point {
  Vector at, gradient;
  double value = 0;
  double largest_derivative() const { return gradient.cwiseAbs().maxCoeff(); }
};

// The last steps, and the changes of the gradient along them.
struct Memory {
  struct Pair {
    Vector step, change;
  };
  std::deque<Pair> pairs;

  void add(Vector step, Vector change) {
    constexpr size_t kHistory = 20;
    if (step.dot(change) <= 1e-14 * step.norm() * change.norm()) return;
    pairs.push_back({std::move(step), std::move(change)});
    if (pairs.size() > kHistory) pairs.pop_front();
  }

  Vector direction(const Vector& gradient) const {
    Vector d = -gradient;
    std::vector<double> a(pairs.size());
    for (size_t i = pairs.size(); i-- > 0;) {
      a[i] = pairs[i].step.dot(d) / pairs[i].step.dot(pairs[i].change);
      d -= a[i] * pairs[i].change;
    }
    if (pairs.empty()) return d / std::max(1., gradient.norm());
    const Pair& last = pairs.back();
    d *= last.step.dot(last.change) / last.change.squaredNorm();
    for (size_t i = 0; i < pairs.size(); i++) {
      const double b = pairs[i].change.dot(d) / pairs[i].step.dot(pairs[i].change);
      d += (a[i] - b) * pairs[i].step;
    }
    return d;
  }
};

// A point along `direction` that fulfils Wolfe's conditions; false if rounding leaves none.
bool search_line(const Regression& problem, const Point& from, const Vector& direction, Point& to) {
  constexpr double kDecrease = 1e-4, kCurvature = 0.9;
  const double slope = from.gradient.dot(direction);
  double low = 0, high = std::numeric_limits<double>::infinity(), length = 1;
  for (int i = 0; i < 60; i++) {
    to.at = from.at + length * direction;
    to.value = problem.value(to.at, to.gradient);
    if (!(to.value <= from.value + kDecrease * length * slope))
      high = length;
    else if (to.gradient.dot(direction) < kCurvature * slope)
      low = length;
    else
      return true;
    length = std::isinf(high) ? 2 * length : (low + high) / 2;
  }
  return to.value < from.value;
}

Point minimum(const Regression& problem, const LogisticRegressionOptions& options,
              int& iterations) {
  Point point, next;
  point.at = Vector::Zero(problem.num_weights());
  point.value = problem.value(point.at, point.gradient);
  Memory memory;
  for (iterations = 0; iterations < options.iterations; iterations++) {
    check_interrupted();
    if (point.largest_derivative() <= options.tolerance) break;
    if (!search_line(problem, point, memory.direction(point.gradient), next)) {
      if (memory.pairs.empty()) break;
      memory.pairs.clear();  // once more, straight down
      continue;
    }
    memory.add(next.at - point.at, next.gradient - point.gradient);
    std::swap(point, next);
  }
  return point;
}

// Mean and what to divide by, of each feature in the training rows.
struct Scale {
  Vector mean, divisor;
};

Scale scale_of(const Matrix& x, std::span<const NodeId> rows, bool standardise) {
  Scale scale{Vector::Zero(x.cols), Vector::Ones(x.cols)};
  if (!standardise) return scale;
  const ColumnMoments moments = column_moments(x, x.cols, rows);
  for (Eigen::Index c = 0; c < x.cols; c++) {
    scale.mean[c] = moments.mean[size_t(c)];
    if (moments.deviation[size_t(c)] > 0) scale.divisor[c] = moments.deviation[size_t(c)];
  }
  return scale;
}

Dense gathered(const Matrix& x, std::span<const NodeId> rows) {
  Dense result(Eigen::Index(rows.size()), x.cols);
  for (size_t i = 0; i < rows.size(); i++)
    for (int64_t c = 0; c < x.cols; c++) {
      result(Eigen::Index(i), c) = double(x(rows[i], c));
      check(std::isfinite(x(rows[i], c)), "logistic regression: feature {} of row {} is {}", c,
            rows[i], x(rows[i], c));
    }
  return result;
}

// Labels of the rows, numbered anew so that only classes that occur are left.
void set_labels(Regression& problem, std::span<const int32_t> label, std::span<const NodeId> rows,
                int num_classes) {
  std::vector<int32_t> place(size_t(num_classes), -1);
  for (const NodeId row : rows) {
    const int32_t of_row = label[row];
    check(of_row >= 0 && of_row < num_classes, "row {} has class {}, outside 0 to {}", row, of_row,
          num_classes - 1);
    place[of_row] = 0;
  }
  for (int32_t k = 0; k < num_classes; k++)
    if (place[k] == 0) {
      place[k] = int32_t(problem.class_of.size());
      problem.class_of.push_back(k);
    }
  for (const NodeId row : rows) problem.label.push_back(place[label[row]]);
}

}  // namespace

LogisticRegression fit_logistic_regression(const Matrix& x, std::span<const int32_t> label,
                                           std::span<const NodeId> rows, int num_classes,
                                           const LogisticRegressionOptions& options) {
  check(!rows.empty(), "logistic regression: there are no rows to learn from");
  check(options.c > 0, "logistic regression: c must be above 0, not {}", options.c);
  Regression problem;
  problem.c = options.c;
  set_labels(problem, label, rows, num_classes);
  problem.x = gathered(x, rows);
  const Scale scale = scale_of(x, rows, options.standardise);
  problem.x.rowwise() -= scale.mean.transpose();
  problem.x.array().rowwise() /= scale.divisor.transpose().array();
  problem.x.conservativeResize(Eigen::NoChange, x.cols + 1);
  problem.x.col(x.cols).setOnes();

  LogisticRegression model{
      num_classes, MatrixOf<double>(x.cols, num_classes),
      std::vector<double>(size_t(num_classes), -std::numeric_limits<double>::infinity())};
  const Point best = minimum(problem, options, model.iterations);
  model.largest_derivative = best.largest_derivative();
  for (size_t k = 0; k < problem.class_of.size(); k++) {
    const auto w = best.at.segment(Eigen::Index(k) * problem.x.cols(), problem.x.cols());
    const auto of_class = size_t(problem.class_of[k]);
    model.intercept[of_class] = w[x.cols];
    for (int64_t f = 0; f < x.cols; f++) {
      model.weight(f, int64_t(of_class)) = w[f] / scale.divisor[f];
      model.intercept[of_class] -= w[f] / scale.divisor[f] * scale.mean[f];
    }
  }
  return model;
}

MatrixOf<double> probabilities(const LogisticRegression& model, const Matrix& x,
                               std::span<const NodeId> rows) {
  MatrixOf<double> result(int64_t(rows.size()), model.num_classes);
  for (size_t i = 0; i < rows.size(); i++) {
    const std::span<double> row = result.row(int64_t(i));
    std::copy(model.intercept.begin(), model.intercept.end(), row.begin());
    for (int64_t f = 0; f < x.cols; f++)
      for (int64_t k = 0; k < model.num_classes; k++)
        row[k] += double(x(rows[i], f)) * model.weight(f, k);
    const double largest = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (double& p : row) sum += p = std::exp(p - largest);
    for (double& p : row) p /= sum;
  }
  return result;
}

std::vector<int32_t> predicted_classes(const LogisticRegression& model, const Matrix& x,
                                       std::span<const NodeId> rows) {
  const MatrixOf<double> p = probabilities(model, x, rows);
  std::vector<int32_t> result;
  for (int64_t i = 0; i < p.rows; i++) {
    const std::span<const double> row = p.row(i);
    result.push_back(int32_t(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  return result;
}

double accuracy(const LogisticRegression& model, const Matrix& x, std::span<const int32_t> label,
                std::span<const NodeId> rows) {
  const std::vector<int32_t> predicted = predicted_classes(model, x, rows);
  int64_t right = 0;
  for (size_t i = 0; i < rows.size(); i++) right += predicted[i] == label[rows[i]];
  return rows.empty() ? 0 : double(right) / double(rows.size());
}

}  // namespace mgnn
