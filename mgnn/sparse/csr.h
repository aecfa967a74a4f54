// Compressed sparse rows: a pattern of non-zeros, and a pattern with values.
#pragma once

#include <span>

#include "mgnn/base/types.h"

namespace mgnn {

// The non-zero places of a matrix, row by row.
struct Csr {
  NodeId rows = 0, cols = 0;
  Array<Offset> start = {0};  // (rows + 1) row r is index[start[r]] .. index[start[r + 1] - 1]
  Array<NodeId> index;        // columns, ascending in each row, none twice

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

}  // namespace mgnn
