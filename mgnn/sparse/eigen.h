// The largest eigenvalue of a matrix without negative entries.
#pragma once

#include <span>

#include "mgnn/sparse/csr.h"

namespace mgnn {

// The largest eigenvalue of the square matrix (pattern, value); it is real and at least 0 (Perron,
// Frobenius). 0 for a matrix without non-zeros or whose graph has no cycle. Relative error about
// 1e-9. Deterministic. REQUIRES: value >= 0, rows == cols.
double largest_eigenvalue(const Csr& pattern, std::span<const double> value);

}  // namespace mgnn
