// The components are the left singular vectors of the centred matrix times their values; the matrix
// is centred within the products.

#include "mgnn/task/projection.h"

#include "mgnn/sparse/randomized_svd.h"

namespace mgnn {

Projection principal_components(const Matrix& x, int components) {
  std::vector<double> mean(size_t(x.cols), 0.);
  for (int64_t r = 0; r < x.rows; r++)
    for (int64_t c = 0; c < x.cols; c++) mean[c] += double(x(r, c)) / double(x.rows);
  const auto centred = [&](int64_t r, int64_t c) { return double(x(r, c)) - mean[c]; };
  LinearMap map{x.rows, x.cols, nullptr, nullptr};
  map.times = [&](const double* v, int64_t columns, double* y) {
    for (int64_t r = 0; r < x.rows; r++) {
      std::fill_n(y + r * columns, columns, 0.);
      for (int64_t c = 0; c < x.cols; c++)
        for (int64_t k = 0; k < columns; k++)
          y[r * columns + k] += centred(r, c) * v[c * columns + k];
    }
  };
  map.transposed_times = [&](const double* v, int64_t columns, double* y) {
    std::fill_n(y, x.cols * columns, 0.);
    for (int64_t r = 0; r < x.rows; r++)
      for (int64_t c = 0; c < x.cols; c++)
        for (int64_t k = 0; k < columns; k++)
          y[c * columns + k] += centred(r, c) * v[r * columns + k];
  };
  const int64_t rank = std::min({int64_t(components), x.rows, x.cols});
  Projection projection{MatrixOf<double>(x.rows, rank), {}};
  if (rank == 0) return projection;
  const TruncatedSvd svd = randomized_svd(map, {.rank = int(rank), .power_iterations = 4});
  double total = 0;
  for (int64_t r = 0; r < x.rows; r++)
    for (int64_t c = 0; c < x.cols; c++) total += centred(r, c) * centred(r, c);
  for (int64_t k = 0; k < svd.rank; k++) {
    const double value = svd.value[k];
    projection.share.push_back(total > 0 ? value * value / total : 0);
    for (int64_t r = 0; r < x.rows; r++) projection.at(r, k) = value * svd.left[r * svd.rank + k];
  }
  projection.share.resize(size_t(rank), 0.);
  return projection;
}

}  // namespace mgnn
