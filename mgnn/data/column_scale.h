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
// Of the first `columns`, over some rows, NaN left out. The deviation of what is constant but for rounding is 0.
ColumnMoments column_moments(const Matrix& x, int64_t columns, std::span<const NodeId> rows);

// x -> (x - mean) * factor, NaN -> (fill - mean) * factor.
struct ColumnScale {
  Array<float> mean, factor, fill;  // (columns)
};
// What is learned of some rows, those trained on. Of the first `measured` columns: fill is the median,
// mean and factor give, with `standardise`, mean 0 and variance 1; columns without variance are only
// shifted. The others are one-hot or counts and stay as they are, but what none of the rows has is 0
// everywhere: nothing could be learned of it.
ColumnScale column_scale(const Matrix& x, int64_t measured, std::span<const NodeId> rows,
                         bool standardise = true);
void rescale(Matrix& x, const ColumnScale& scale);

// Each column to mean 0 and variance 1; columns without variance to 0.
void standardise(Matrix& x);

}  // namespace mgnn
