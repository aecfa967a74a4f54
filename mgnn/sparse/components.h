// Strongly connected components of a square matrix's graph.
#pragma once

#include <span>
#include <vector>

#include "mgnn/sparse/csr.h"

namespace mgnn {

struct StrongComponents {
  std::vector<NodeId> of;      // (n) component of each row
  std::vector<NodeId> member;  // (n) rows by component, ascending in each
  std::vector<Offset> start;   // (components + 1) into member

  NodeId count() const { return NodeId(start.size()) - 1; }
  std::span<const NodeId> members(NodeId c) const {
    return {member.data() + start[c], size_t(start[c + 1] - start[c])};
  }
};

// r and c are in one component if each is reached from the other over entries that are not zero.
// O(rows + nnz), no recursion. REQUIRES: pattern.rows == pattern.cols.
StrongComponents strong_components(const Csr& pattern, std::span<const double> value);

}  // namespace mgnn
