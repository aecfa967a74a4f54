#include "mgnn/sparse/normalise.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "mgnn/base/parallel.h"
#include "mgnn/sparse/eigen.h"

namespace mgnn {
namespace {

Array<double> row_sums(const Csr& pattern, std::span<const double> value) {
  Array<double> sum(size_t(pattern.rows), 0.);
#pragma omp parallel for schedule(dynamic, 4096) if (worth_threads(pattern.nnz()))
  for (NodeId r = 0; r < pattern.rows; r++)
    for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++) sum[r] += value[e];
  return sum;
}

// value[e] * left(row) * right(column)
Array<double> scaled(const Csr& pattern, std::span<const double> value,
                     std::span<const double> left, std::span<const double> right) {
  Array<double> result(value.size());
#pragma omp parallel for schedule(dynamic, 4096) if (worth_threads(pattern.nnz()))
  for (NodeId r = 0; r < pattern.rows; r++)
    for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++)
      result[e] = value[e] * left[r] * right[pattern.index[e]];
  return result;
}

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
    const auto found = std::lower_bound(row.begin(), row.end(), r);
    assert(found != row.end() && *found == r);
    value[pattern.start[r] + (found - row.begin())] -= shift;
  }
}

Array<double> negative_transpose(const Csr& symmetric, const Array<double>& value) {
  const Array<Offset> place = transposed_places(symmetric);
  Array<double> result(value.size());
  for (size_t e = 0; e < value.size(); e++) result[e] = -value[place[e]];
  return result;
}

}  // namespace

Array<double> normalised(const Csr& pattern, std::span<const double> value, Normalisation kind) {
  assert(pattern.rows == pattern.cols && Offset(value.size()) == pattern.nnz());
  if (kind == Normalisation::none) return Array<double>(value.begin(), value.end());
  const Array<double> sums = row_sums(pattern, value);
  if (kind == Normalisation::row)
    return scaled(pattern, value, power(sums, -1), Array<double>(sums.size(), 1.));
  const Array<double> scale = power(sums, -0.5);
  Array<double> result = scaled(pattern, value, scale, scale);
  if (kind == Normalisation::published) return negative_transpose(pattern, result);
  if (kind == Normalisation::centred)
    subtract_from_diagonal(pattern, sums, largest_eigenvalue(pattern, result) / 2, result);
  return result;
}

Csr with_diagonal(const Csr& pattern, bool empty_rows_too) {
  Csr result{pattern.rows, pattern.cols, Array<Offset>(pattern.start.size(), 0), {}};
  result.index.reserve(size_t(pattern.nnz() + pattern.rows));
  for (NodeId r = 0; r < pattern.rows; r++) {
    const auto row = pattern.row(r);
    const auto [before, after] = std::equal_range(row.begin(), row.end(), r);
    result.index.insert(result.index.end(), row.begin(), before);
    if (empty_rows_too || !row.empty()) result.index.push_back(r);
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

// Going through the rows in order meets the entries of every column in order too.
Array<Offset> transposed_places(const Csr& symmetric) {
  Array<Offset> next(symmetric.start.begin(), symmetric.start.end() - 1);
  Array<Offset> place(size_t(symmetric.nnz()));
  for (NodeId r = 0; r < symmetric.rows; r++)
    for (Offset e = symmetric.start[r]; e < symmetric.start[r + 1]; e++)
      place[e] = next[symmetric.index[e]]++;
  return place;
}

}  // namespace mgnn
