// The randomized decomposition against the exact one.
#include "mgnn/sparse/randomized_svd.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "mgnn/base/rng.h"

namespace mgnn {
namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstMap = Eigen::Map<const Dense>;
using Map = Eigen::Map<Dense>;

LinearMap map_of(const Dense& m) {
  return {m.rows(), m.cols(),
          [&m](const double* x, int64_t columns, double* y) {
            Map(y, m.rows(), columns) = m * ConstMap(x, m.cols(), columns);
          },
          [&m](const double* x, int64_t columns, double* y) {
            Map(y, m.cols(), columns) = m.transpose() * ConstMap(x, m.rows(), columns);
          }};
}

// Singular values that fall by `ratio` each.
Dense falling_matrix(int64_t rows, int64_t cols, double ratio, uint64_t seed) {
  Rng rng(seed);
  Eigen::MatrixXd noise(rows, cols);
  for (double& x : noise.reshaped()) x = rng.normal();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(noise, Eigen::ComputeThinU | Eigen::ComputeThinV);
  Eigen::VectorXd s(svd.singularValues().size());
  for (Eigen::Index i = 0; i < s.size(); i++) s[i] = std::pow(ratio, double(i));
  return svd.matrixU() * s.asDiagonal() * svd.matrixV().transpose();
}

TEST(RandomizedSvd, NearTheBestApproximation) {
  for (const auto& [rows, cols, seed] : {std::tuple(60, 40, 1), {30, 80, 2}, {50, 50, 3}}) {
    const Dense m = falling_matrix(rows, cols, 0.8, uint64_t(seed));
    const TruncatedSvd svd =
        randomized_svd(map_of(m), {.rank = 8, .power_iterations = 6, .seed = 5});
    ASSERT_EQ(svd.rank, 8);
    double energy = 0, exact = 0;
    for (int i = 0; i < 8; i++) {
      energy += svd.value[i] * svd.value[i];
      exact += std::pow(0.8, 2 * i);
    }
    EXPECT_NEAR(energy / exact, 1, 1e-6);
    const ConstMap left(svd.left.data(), rows, 8), right(svd.right.data(), cols, 8);
    EXPECT_LT((left.transpose() * left - Dense::Identity(8, 8)).norm(), 1e-10);
    EXPECT_LT((right.transpose() * right - Dense::Identity(8, 8)).norm(), 1e-10);
    // Eckart and Young: the error is the tail.
    const Eigen::Map<const Eigen::VectorXd> s(svd.value.data(), 8);
    const double error = (m - left * s.asDiagonal() * right.transpose()).squaredNorm();
    EXPECT_NEAR(error, m.squaredNorm() - exact, 1e-5);
  }
}

TEST(RandomizedSvd, ExactIfTheBlockCoversAll) {
  const Dense m = falling_matrix(12, 9, 0.99, 4);
  const TruncatedSvd svd = randomized_svd(map_of(m), {.rank = 9});
  const Eigen::JacobiSVD<Eigen::MatrixXd> exact{Eigen::MatrixXd(m)};
  for (int i = 0; i < 9; i++) EXPECT_NEAR(svd.value[i], exact.singularValues()[i], 1e-12);
}

TEST(RandomizedSvd, EdgeCases) {
  const Dense zero = Dense::Zero(5, 4), nothing(0, 0);
  const TruncatedSvd svd = randomized_svd(map_of(zero), {.rank = 10});
  EXPECT_EQ(svd.rank, 4);
  for (const double s : svd.value) EXPECT_EQ(s, 0);
  EXPECT_EQ(randomized_svd(map_of(nothing)).rank, 0);
}

}  // namespace
}  // namespace mgnn
