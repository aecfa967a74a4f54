#include "mgnn/task/projection.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "mgnn/base/rng.h"

namespace mgnn {
namespace {

Matrix random_matrix(int64_t rows, int64_t cols, uint64_t seed) {
  Rng rng(seed);
  Matrix x(rows, cols);
  for (int64_t r = 0; r < rows; r++)
    for (int64_t c = 0; c < cols; c++) x(r, c) = float(double(c + 1) * rng.normal() + 3);
  return x;
}

TEST(Projection, IsThatOfTheCovariance) {
  for (uint64_t seed = 0; seed < 5; seed++) {
    const Matrix x = random_matrix(60, 5, seed);
    Eigen::MatrixXd m(x.rows, x.cols);
    for (int64_t r = 0; r < x.rows; r++)
      for (int64_t c = 0; c < x.cols; c++) m(r, c) = double(x(r, c));
    m.rowwise() -= m.colwise().mean().eval();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(m.transpose() * m);
    const Projection found = principal_components(x, 2);
    for (int k = 0; k < 2; k++) {
      const Eigen::VectorXd wanted = m * solver.eigenvectors().col(4 - k);
      double sum = 0;  // equal up to the sign
      for (int64_t r = 0; r < x.rows; r++) sum += found.at(r, k) * wanted(r);
      EXPECT_NEAR(std::abs(sum), wanted.squaredNorm(), 1e-6 * wanted.squaredNorm());
      EXPECT_NEAR(found.share[size_t(k)], solver.eigenvalues()(4 - k) / solver.eigenvalues().sum(),
                  1e-6);
    }
  }
}

TEST(Projection, TakesWhatThereIs) {
  EXPECT_EQ(principal_components(Matrix(0, 4)).at.cols, 0);
  EXPECT_EQ(principal_components(random_matrix(10, 1, 0)).at.cols, 1);
  const Projection flat = principal_components(Matrix(5, 3));  // all rows are equal
  EXPECT_EQ(flat.at.cols, 2);
  for (const double x : flat.at.data) EXPECT_EQ(x, 0);
  EXPECT_EQ(flat.share, (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace mgnn
