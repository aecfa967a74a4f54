// A dense matrix, row by row.
#pragma once

#include <span>

#include "mgnn/base/types.h"

namespace mgnn {

// A value like any other: copied element by element, moved for free. Places are not checked.
template <class T>
struct MatrixOf {
  int64_t rows = 0, cols = 0;
  Array<T> data;  // (rows, cols), row by row

  MatrixOf() = default;
  MatrixOf(int64_t num_rows, int64_t num_cols)
      : rows(num_rows), cols(num_cols), data(size_t(num_rows * num_cols), T(0)) {}

  T& operator()(int64_t r, int64_t c) { return data[r * cols + c]; }
  T operator()(int64_t r, int64_t c) const { return data[r * cols + c]; }
  std::span<T> row(int64_t r) { return {data.data() + r * cols, size_t(cols)}; }
  std::span<const T> row(int64_t r) const { return {data.data() + r * cols, size_t(cols)}; }
};

using Matrix = MatrixOf<float>;

}  // namespace mgnn
