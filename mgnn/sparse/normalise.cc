#include <algorithm>
#include <cassert>
#include <cmath>

#include "mgnn/base/parallel.h"
#include "mgnn/sparse/csr.h"
#include "mgnn/sparse/eigen.h"

namespace mgnn {
namespace {

Array<double> power(std::span<const double> sums, double exponent) {
  Array<double> result(sums.size());
  std::transform(sums.begin(), sums.end(), result.begin(),
                 [&](double sum) { return sum > 0 ? std::pow(sum, exponent) : 0.; });
  return result;
}

void subtract_from_diagonal(const Csr& pattern, std::span<const double> sums, double shift,
                            Array<double>& value) {
  for (NodeId r = 0; r < pattern.rows; r++) {
    if (sums[r] == 0) continue;
    const auto row = pattern.row(r);
    const auto diagonal = std::lower_bound(row.begin(), row.end(), r);
    assert(diagonal != row.end() && *diagonal == r);
    value[pattern.start[r] + (diagonal - row.begin())] -= shift;
  }
}

Array<double> negative_transpose(const Csr& symmetric, const Array<double>& value) {
  const Array<Offset> place = transposed_places(symmetric, symmetric);
  Array<double> result(value.size());
  for (size_t e = 0; e < value.size(); e++) result[e] = -value[place[e]];
  return result;
}

}  // namespace

Array<double> row_sums(const Csr& pattern, std::span<const double> value) {
  Array<double> sum(size_t(pattern.rows), 0.);
#pragma omp parallel for schedule(dynamic, 4096) if (worth_threads(pattern.nnz()))
  for (NodeId r = 0; r < pattern.rows; r++)
    for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++) sum[r] += value[e];
  return sum;
}

Array<double> scaled_both_sides(const Csr& pattern, std::span<const double> value,
                                std::span<const double> left, std::span<const double> right) {
  Array<double> result(value.size());
#pragma omp parallel for schedule(dynamic, 4096) if (worth_threads(pattern.nnz()))
  for (NodeId r = 0; r < pattern.rows; r++)
    for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++)
      result[e] = value[e] * left[r] * right[pattern.index[e]];
  return result;
}

Array<double> inverse_roots(std::span<const double> degree) {
  Array<double> result(degree.size());
  std::transform(degree.begin(), degree.end(), result.begin(),
                 [](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.; });
  return result;
}

Array<double> normalised(const Csr& pattern, std::span<const double> value, Normalisation kind) {
  assert(pattern.rows == pattern.cols && Offset(value.size()) == pattern.nnz());
  if (kind == Normalisation::none) return Array<double>(value.begin(), value.end());
  const Array<double> sums = row_sums(pattern, value);
  if (kind == Normalisation::row)
    return scaled_both_sides(pattern, value, power(sums, -1), Array<double>(sums.size(), 1.));
  const Array<double> scale = power(sums, -0.5);
  Array<double> result = scaled_both_sides(pattern, value, scale, scale);
  if (kind == Normalisation::published) return negative_transpose(pattern, result);
  if (kind == Normalisation::centred)
    subtract_from_diagonal(pattern, sums, largest_eigenvalue(pattern, result) / 2, result);
  return result;
}

Csr with_diagonal(const Csr& pattern, DiagonalRows rows) {
  Csr result{pattern.rows, pattern.cols, Array<Offset>(pattern.start.size(), 0), {}};
  result.index.reserve(size_t(pattern.nnz() + pattern.rows));
  for (NodeId r = 0; r < pattern.rows; r++) {
    const auto row = pattern.row(r);
    const auto [before, after] = std::equal_range(row.begin(), row.end(), r);
    result.index.insert(result.index.end(), row.begin(), before);
    if (rows == DiagonalRows::all || !row.empty()) result.index.push_back(r);
    result.index.insert(result.index.end(), after, row.end());
    result.start[r + 1] = Offset(result.index.size());
  }
  return result;
}

Array<Offset> places_in(const Csr& part, const Csr& whole) {
  Array<Offset> place(size_t(part.nnz()));
#pragma omp parallel for schedule(dynamic, 4096) if (worth_threads(part.nnz()))
  for (NodeId r = 0; r < part.rows; r++) {
    Offset at = whole.start[r];
    for (Offset e = part.start[r]; e < part.start[r + 1]; e++) {
      while (whole.index[at] != part.index[e]) at++;
      place[e] = at;
    }
  }
  return place;
}

}  // namespace mgnn
