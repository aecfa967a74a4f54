// Columns brought to mean 0 and variance 1.
#pragma once

#include <span>
#include <vector>

#include "mgnn/base/types.h"
#include "mgnn/data/dataset.h"

namespace mgnn {

struct ColumnMoments {
  std::vector<double> mean, deviation;  // (columns)
};
// Of the first `columns`, over some rows. The deviation of what is constant but for rounding is 0.
ColumnMoments column_moments(const Matrix& x, int64_t columns, std::span<const NodeId> rows);

// x -> (x - mean) * factor for the first columns.
struct ColumnScale {
  Array<float> mean, factor;  // (columns)
};
// To mean 0 and variance 1 over the rows. Columns without variance are only shifted.
ColumnScale column_scale(const Matrix& x, int64_t columns, std::span<const NodeId> rows);
void rescale(Matrix& x, const ColumnScale& scale);

// Each column to mean 0 and variance 1; columns without variance to 0.
void standardise(Matrix& x);

}  // namespace mgnn
