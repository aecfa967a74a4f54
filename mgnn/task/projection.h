// Many columns shown in two.
#pragma once

#include <vector>

#include "mgnn/tensor/matrix.h"

namespace mgnn {

struct Projection {
  MatrixOf<double> at;        // (rows, components)
  std::vector<double> share;  // of the variance, by component, descending
};

// Principal components of the rows of x: centred, not scaled. Fewer than asked for where x has
// fewer rows or columns. Deterministic.
Projection principal_components(const Matrix& x, int components = 2);

}  // namespace mgnn
