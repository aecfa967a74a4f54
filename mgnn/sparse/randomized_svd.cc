// With Q an orthonormal basis of the range of (M Mᵀ)^q M Ω, Ω random, M ≈ Q Qᵀ M. The small matrix
// Qᵀ M = (Mᵀ Q)ᵀ is split once more, Mᵀ Q = P R, and the k x k matrix R solved densely.

#define EIGEN_DONT_PARALLELIZE  // the same sums for any number of threads

#include "mgnn/sparse/randomized_svd.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/rng.h"

namespace mgnn {
namespace {

using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Orthonormal columns with the same span; gives R of the QR decomposition in `upper`.
Block orthonormal(const Block& block, Eigen::MatrixXd* upper = nullptr) {
  check_interrupted();
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr{Eigen::MatrixXd(block)};
  if (upper) *upper = qr.matrixQR().topRows(block.cols()).triangularView<Eigen::Upper>();
  return qr.householderQ() * Eigen::MatrixXd::Identity(block.rows(), block.cols());
}

Block product(const LinearMap::Product& times, const Block& x, int64_t rows) {
  Block y(rows, x.cols());
  times(x.data(), x.cols(), y.data());
  return y;
}

void fix_signs(Eigen::MatrixXd& left, Eigen::MatrixXd& right) {
  for (Eigen::Index c = 0; c < left.cols(); c++) {
    Eigen::Index largest = 0;
    // Not by a hair: equal entries that differ by rounding must not decide.
    for (Eigen::Index r = 1; r < left.rows(); r++)
      if (std::abs(left(r, c)) > std::abs(left(largest, c)) * (1 + 1e-9)) largest = r;
    if (left(largest, c) >= 0) continue;
    left.col(c) *= -1;
    right.col(c) *= -1;
  }
}

Array<double> by_rows(const Eigen::MatrixXd& matrix) {
  Array<double> result(size_t(matrix.size()));
  Eigen::Map<Block>(result.data(), matrix.rows(), matrix.cols()) = matrix;
  return result;
}

}  // namespace

void check_svd_options(int64_t dimension, int64_t power_iterations) {
  constexpr int64_t kMaxDimension = 1 << 24, kMaxIterations = 1 << 20;
  check(dimension <= kMaxDimension, "dimension is {}; use at most {}", dimension, kMaxDimension);
  check(power_iterations <= kMaxIterations, "power_iterations is {}; use at most {}",
        power_iterations, kMaxIterations);
}

TruncatedSvd randomized_svd(const LinearMap& map, const SvdOptions& options) {
  check(options.rank > 0, "a rank must be above 0, not {}", options.rank);
  const int64_t smaller = std::min(map.rows, map.cols);
  const int64_t width = std::min<int64_t>(smaller, options.rank + options.oversampling);
  TruncatedSvd svd;
  if (width == 0) return svd;

  Rng rng(options.seed);
  Block start(map.cols, width);
  for (Eigen::Index i = 0; i < start.size(); i++) start.data()[i] = rng.normal();
  Block q = orthonormal(product(map.times, start, map.rows));
  for (int i = 0; i < options.power_iterations; i++) {
    const Block z = orthonormal(product(map.transposed_times, q, map.cols));
    q = orthonormal(product(map.times, z, map.rows));
  }
  Eigen::MatrixXd r;
  const Block p = orthonormal(product(map.transposed_times, q, map.cols), &r);
  const Eigen::JacobiSVD<Eigen::MatrixXd> small(r, Eigen::ComputeFullU | Eigen::ComputeFullV);
  svd.rank = std::min<int64_t>(options.rank, width);
  const auto rank = Eigen::Index(svd.rank);
  Eigen::MatrixXd left = q * small.matrixV().leftCols(rank);
  Eigen::MatrixXd right = p * small.matrixU().leftCols(rank);
  fix_signs(left, right);
  svd.value.assign(small.singularValues().data(), small.singularValues().data() + rank);
  svd.left = by_rows(left);
  svd.right = by_rows(right);
  return svd;
}

}  // namespace mgnn
