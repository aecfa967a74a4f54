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

}  // namespace mgnn
