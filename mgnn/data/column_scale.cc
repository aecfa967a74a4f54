#include "mgnn/data/column_scale.h"

#include <cmath>
#include <numeric>

namespace mgnn {

ColumnMoments column_moments(const Matrix& x, int64_t columns, std::span<const NodeId> rows) {
  ColumnMoments moments{std::vector<double>(size_t(columns)), std::vector<double>(size_t(columns))};
  const double count = std::max(double(rows.size()), 1.);
  for (const NodeId r : rows)
    for (int64_t c = 0; c < columns; c++) moments.mean[c] += double(x(r, c));
  for (double& mean : moments.mean) mean /= count;
  for (const NodeId r : rows)
    for (int64_t c = 0; c < columns; c++)
      moments.deviation[c] += std::pow(double(x(r, c)) - moments.mean[c], 2);
  for (int64_t c = 0; c < columns; c++) {
    const double variance = moments.deviation[c] / count;
    const bool is_constant = variance <= 1e-20 * (1 + std::pow(moments.mean[c], 2));
    moments.deviation[c] = is_constant ? 0 : std::sqrt(variance);
  }
  return moments;
}

ColumnScale column_scale(const Matrix& x, int64_t columns, std::span<const NodeId> rows) {
  const ColumnMoments moments = column_moments(x, columns, rows);
  ColumnScale scale{Array<float>(size_t(columns)), Array<float>(size_t(columns))};
  for (size_t c = 0; c < size_t(columns); c++) {
    scale.mean[c] = float(moments.mean[c]);
    scale.factor[c] = moments.deviation[c] > 0 ? float(1 / moments.deviation[c]) : 1.f;
  }
  return scale;
}

void rescale(Matrix& x, const ColumnScale& scale) {
  const size_t width = scale.mean.size();
  if (width == 0) return;
  for (int64_t r = 0; r < x.rows; r++) {
    float* const row = x.row(r).data();
    for (size_t c = 0; c < width; c++) row[c] = (row[c] - scale.mean[c]) * scale.factor[c];
  }
}

void standardise(Matrix& x) {
  std::vector<NodeId> rows(size_t(x.rows));
  std::iota(rows.begin(), rows.end(), 0);
  const ColumnMoments moments = column_moments(x, x.cols, rows);
  for (int64_t r = 0; r < x.rows; r++)
    for (int64_t c = 0; c < x.cols; c++) {
      const double deviation = moments.deviation[c];
      x(r, c) = deviation > 0 ? float((double(x(r, c)) - moments.mean[c]) / deviation) : 0.f;
    }
}

}  // namespace mgnn
