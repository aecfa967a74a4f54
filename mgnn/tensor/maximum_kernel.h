// The largest of the neighbours, for the rows that one thread handles.
#pragma once

#include "mgnn/base/cpu.h"
#include "mgnn/base/types.h"

namespace mgnn {

// y[r] is the largest x[i] over the non-zeros i of row r, column by column; of equal ones the
// first. 0 where there is none.
template <class T>
struct NeighbourMax {
  const Offset* start;
  const NodeId* index;
  int64_t d;
  const T* x;
  T* y;
  NodeId* chosen;  // (rows, d): which it was, -1: none
};

// dx[i] (+)= dy[r] where row r has chosen i; the pattern is the transpose.
template <class T>
struct NeighbourMaxBack {
  const Offset* start;
  const NodeId* index;
  int64_t d;
  const NodeId* chosen;
  const T* dy;
  T* dx;
  bool add;
};

MGNN_DECLARE_KERNELS(template <class T>
                     void neighbour_max(const NeighbourMax<T>& m, NodeId first, NodeId last);
                     template <class T> void neighbour_max_back(const NeighbourMaxBack<T>& m,
                                                                NodeId first, NodeId last);)

}  // namespace mgnn
