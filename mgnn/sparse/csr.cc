#include "mgnn/sparse/csr.h"

#include <algorithm>

#include "mgnn/sparse/group.h"

namespace mgnn {

Csr transpose(const Csr& pattern) {
  const int parts = worth_threads(pattern.nnz()) ? num_threads() : 1;
  const auto first_row = [&](int part) {  // parts of equal numbers of non-zeros
    const Offset wanted = split_point(pattern.nnz(), parts, part);
    return NodeId(std::lower_bound(pattern.start.begin(), pattern.start.end() - 1, wanted) -
                  pattern.start.begin());
  };
  RowBuckets buckets = bucket_rows(pattern.cols, parts, [&](int part, auto&& emit) {
    const NodeId last = part + 1 == parts ? pattern.rows : first_row(part + 1);
    for (NodeId r = part == 0 ? 0 : first_row(part); r < last; r++)
      for (NodeId c : pattern.row(r)) emit(c, r);
  });
  return group_rows(pattern.cols, pattern.rows, std::move(buckets),
                    [](NodeId, std::span<NodeId> columns) { return columns.size(); });
}

// Going through the rows in order meets the entries of every column in order too.
Array<Offset> transposed_places(const Csr& pattern, const Csr& transposed) {
  Array<Offset> next(transposed.start.begin(), transposed.start.end() - 1);
  Array<Offset> place(size_t(pattern.nnz()));
  for (Offset e = 0; e < pattern.nnz(); e++) place[next[pattern.index[e]]++] = e;
  return place;
}

void transpose_into(const Csr& pattern, Csr& transposed, Array<Offset>& place) {
  transposed.rows = pattern.cols, transposed.cols = pattern.rows;
  transposed.start.assign(size_t(pattern.cols) + 1, 0);
  transposed.index.resize(pattern.index.size());
  place.resize(pattern.index.size());
  Array<Offset>& next = transposed.start;  // of each column, shifted by one at the end
  for (const NodeId c : pattern.index) next[c + 1]++;
  for (NodeId c = 0; c < pattern.cols; c++) next[c + 1] += next[c];
  for (NodeId r = 0; r < pattern.rows; r++)
    for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++) {
      const Offset at = next[pattern.index[e]]++;
      transposed.index[at] = r;
      place[at] = e;
    }
  std::shift_right(next.begin(), next.end(), 1);
  next[0] = 0;
}

}  // namespace mgnn
