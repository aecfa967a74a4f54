// Compressed sparse rows: a pattern of non-zeros, and a pattern with values.
#pragma once

#include <span>

#include "mgnn/base/names.h"
#include "mgnn/base/types.h"

namespace mgnn {

// The non-zero places of a matrix, row by row.
struct Csr {
  NodeId rows = 0, cols = 0;
  Array<Offset> start = {0};  // (rows + 1) row r is index[start[r]] .. index[start[r + 1] - 1]
  Array<NodeId> index;        // columns, ascending in each row, none twice

  // Not an aggregate: GCC 12 destroys an aggregate within another twice if a later part of that throws.
  Csr() = default;
  Csr(NodeId num_rows, NodeId num_cols, Array<Offset> starts, Array<NodeId> indices)
      : rows(num_rows), cols(num_cols), start(std::move(starts)), index(std::move(indices)) {}

  Offset nnz() const { return start.back(); }
  Offset row_size(NodeId r) const { return start[r + 1] - start[r]; }
  std::span<const NodeId> row(NodeId r) const {
    return {index.data() + start[r], size_t(row_size(r))};
  }
};

struct SparseMatrix {
  Csr pattern;
  Array<float> value;  // (nnz)
};

// Column -> row: row c of the result lists the r with c in row r of `pattern`, ascending. Parallel.
Csr transpose(const Csr& pattern);

// Where each non-zero of `transposed` stands in `pattern`. O(nnz). REQUIRES: the one is the
// transpose of the other; they are the same if the pattern is symmetric.
Array<Offset> transposed_places(const Csr& pattern, const Csr& transposed);

// The transpose and its places at once, into memory that is used again. One thread; O(rows + nnz).
void transpose_into(const Csr& pattern, Csr& transposed, Array<Offset>& place);

// ---- normalisations of a square matrix

// With D the row sums of M and Â = D^-½ M D^-½ (zero rows stay zero):
enum class Normalisation {
  none,       // M
  row,        // D^-1 M
  symmetric,  // Â
  centred,    // Â - (λ_max / 2) I on the rows with D > 0, λ_max the largest eigenvalue of Â
  published,  // -Âᵀ, what the paper's released code multiplies by
};
constexpr auto enum_names(Normalisation) {
  return std::to_array<Named<Normalisation>>({{"none", Normalisation::none},
                                              {"row", Normalisation::row},
                                              {"symmetric", Normalisation::symmetric},
                                              {"centred", Normalisation::centred},
                                              {"published", Normalisation::published}});
}

// The normalised values on the same pattern. REQUIRES: rows == cols; value >= 0; for `centred` the
// pattern holds the diagonal of every row with a non-zero (`with_diagonal`); for `published` the
// pattern is symmetric.
Array<double> normalised(const Csr& pattern, std::span<const double> value, Normalisation kind);

Array<double> row_sums(const Csr& pattern, std::span<const double> value);  // (rows) Parallel.

// diag(left) M diag(right) on the same pattern: value · left[row] · right[column]. Parallel.
Array<double> scaled_both_sides(const Csr& pattern, std::span<const double> value,
                                std::span<const double> left, std::span<const double> right);

// 1 / √d, and 0 where d is 0: with `scaled_both_sides`, D^-½ M D^-½.
Array<double> inverse_roots(std::span<const double> degree);

// The pattern with the diagonal place added to every row that is not empty, or to all rows.
enum class DiagonalRows { non_empty, all };
Csr with_diagonal(const Csr& pattern, DiagonalRows rows = DiagonalRows::non_empty);

// Where each non-zero of `part` stands in `whole`. REQUIRES: `whole` holds them all.
Array<Offset> places_in(const Csr& part, const Csr& whole);

}  // namespace mgnn
