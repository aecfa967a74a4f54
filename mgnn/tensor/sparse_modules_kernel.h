// Sparse features for several networks at once, for the rows that one thread handles.
#pragma once

#include "mgnn/base/types.h"
#include "mgnn/tensor/random.h"

namespace mgnn {

// Numbers of K networks lie side by side, with zeros up to whole vectors.
inline int64_t padded_modules(int64_t count) { return count == 1 ? 1 : (count + 7) / 8 * 8; }

// y[e S + k] = x[e] / (1 - p) where element e K + k of the mask is kept, else 0.
template <class T>
struct DropEach {
  DropoutMask mask;
  int64_t count;   // K
  int64_t stride;  // S = padded_modules(K)
  const float* x;
  T* y;
};

// Features with K values at each non-zero, and what they are multiplied with. Rows of `from` and
// `to` are K blocks of `d` columns.
template <class T>
struct ModuleFeatures {
  const Offset* start;
  const NodeId* index;
  const T* value;  // (nnz, S)
  int64_t count;   // K
  int64_t stride;  // S
  int64_t d;
  const T* from;
  T* to;
};

// Whose features are looked at together, and room for one row: `seen` begins with zeros and is
// left so.
template <class T>
struct Heard {
  const Offset* start;
  const NodeId* index;
  int32_t* seen;    // (features)
  T* most;          // (features, S)
  NodeId* touched;  // (features)
};

// For rows r = first .. last - 1 of the features x, M their largest over those that row r of
// `heard` lists (0 where a row of them has nothing):
//   module_rows:     to[r, k] = sum over c of x_rc,k from[c, k]
//   outer_rows:      to[c, k] += x_rc,k from[r, k]
//   max_rows:        to[r, k] += M_rc,k from[c, k]
//   max_outer_rows:  to[c, k] += M_rc,k from[r, k]
#define MGNN_SPARSE_MODULES_KERNELS                                                            \
  template <class T>                                                                           \
  void drop_each(const DropEach<T>& d, Offset first, Offset last);                             \
  template <class T>                                                                           \
  void module_rows(const ModuleFeatures<T>& m, NodeId first, NodeId last);                     \
  template <class T>                                                                           \
  void outer_rows(const ModuleFeatures<T>& m, NodeId first, NodeId last);                      \
  template <class T>                                                                           \
  void max_rows(const ModuleFeatures<T>& m, const Heard<T>& heard, NodeId first, NodeId last); \
  template <class T>                                                                           \
  void max_outer_rows(const ModuleFeatures<T>& m, const Heard<T>& heard, NodeId first,         \
                      NodeId last);
namespace generic {
MGNN_SPARSE_MODULES_KERNELS
}
namespace avx2 {
MGNN_SPARSE_MODULES_KERNELS
}
#undef MGNN_SPARSE_MODULES_KERNELS

}  // namespace mgnn
