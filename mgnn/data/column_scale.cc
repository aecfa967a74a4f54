#include "mgnn/data/column_scale.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mgnn {

namespace {

std::vector<NodeId> all_rows(const Matrix& x) {
  std::vector<NodeId> rows(static_cast<size_t>(x.rows));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// Of what is not NaN; 0 if everything is.
float median(const Matrix& x, int64_t column, std::span<const NodeId> rows) {
  std::vector<float> values;
  for (const NodeId r : rows)
    if (!std::isnan(x(r, column))) values.push_back(x(r, column));
  if (values.empty()) return 0;
  const auto middle = values.begin() + int64_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

bool occurs(const Matrix& x, int64_t column, std::span<const NodeId> rows) {
  return std::any_of(rows.begin(), rows.end(), [&](NodeId r) { return x(r, column) != 0; });
}

}  // namespace

ColumnMoments column_moments(const Matrix& x, int64_t columns, std::span<const NodeId> rows) {
  ColumnMoments moments{std::vector<double>(size_t(columns)), std::vector<double>(size_t(columns))};
  std::vector<double> count(static_cast<size_t>(columns));
  const auto each_value = [&](auto use) {
    for (const NodeId r : rows)
      for (int64_t c = 0; c < columns; c++)
        if (const auto value = double(x(r, c)); !std::isnan(value)) use(c, value);
  };
  each_value([&](int64_t c, double value) {
    moments.mean[c] += value;
    count[c]++;
  });
  for (int64_t c = 0; c < columns; c++) moments.mean[c] /= std::max(count[c], 1.);
  each_value([&](int64_t c, double value) {
    moments.deviation[c] += std::pow(value - moments.mean[c], 2);
  });
  for (int64_t c = 0; c < columns; c++) {
    const double variance = moments.deviation[c] / std::max(count[c], 1.);
    const bool is_constant = variance <= 1e-20 * (1 + std::pow(moments.mean[c], 2));
    moments.deviation[c] = is_constant ? 0 : std::sqrt(variance);
  }
  return moments;
}

ColumnScale column_scale(const Matrix& x, int64_t measured, std::span<const NodeId> rows,
                         bool standardise) {
  const auto width = size_t(x.cols);
  ColumnScale scale{Array<float>(width, 0), Array<float>(width, 1), Array<float>(width, 0)};
  const ColumnMoments moments = column_moments(x, standardise ? measured : 0, rows);
  for (int64_t c = 0; c < measured; c++) {
    scale.fill[c] = median(x, c, rows);
    if (!standardise) continue;
    scale.mean[c] = float(moments.mean[c]);
    scale.factor[c] = moments.deviation[c] > 0 ? float(1 / moments.deviation[c]) : 1.f;
  }
  for (int64_t c = measured; c < x.cols; c++)
    if (!occurs(x, c, rows)) scale.factor[c] = 0;
  return scale;
}

void rescale(Matrix& x, const ColumnScale& scale) {
  const size_t width = scale.mean.size();
  if (width == 0) return;
  for (int64_t r = 0; r < x.rows; r++) {
    float* const row = x.row(r).data();
    for (size_t c = 0; c < width; c++) {
      const float value = std::isnan(row[c]) ? scale.fill[c] : row[c];
      row[c] = (value - scale.mean[c]) * scale.factor[c];
    }
  }
}

void standardise(Matrix& x) {
  const ColumnMoments moments = column_moments(x, x.cols, all_rows(x));
  for (int64_t r = 0; r < x.rows; r++)
    for (int64_t c = 0; c < x.cols; c++) {
      const double deviation = moments.deviation[c];
      x(r, c) = deviation > 0 ? float((double(x(r, c)) - moments.mean[c]) / deviation) : 0.f;
    }
}

}  // namespace mgnn
