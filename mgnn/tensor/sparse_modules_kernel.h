// Sparse features for several networks at once, for the rows that one thread handles.
#pragma once

#include "mgnn/base/cpu.h"
#include "mgnn/base/types.h"
#include "mgnn/tensor/random.h"

namespace mgnn {

// The masks of up to 16 networks at one non-zero fit in 16 bits.
constexpr int64_t kMaxModules = 16;

// Bit k < count of bits[e]: whether element e `modules` + first + k of the mask is kept.
struct KeepBits {
  DropoutMask mask;
  int64_t modules, first, count;  // count <= kMaxModules
  uint16_t* bits;
};

// Features under the masks of K networks, or their transpose, and what they are multiplied with.
// Rows of `from` and `to` have K blocks of `d` columns, and `row` numbers from one
// to the next.
template <class T>
struct ModuleFeatures {
  const Offset* start;
  const NodeId* index;
  const float* value;
  const Offset* place;  // where the bits of a non-zero are; null: at its own place
  const uint16_t* mask_bits;
  T factor;       // 1 / (1 - p)
  int64_t count;  // K <= kMaxModules
  int64_t d, row;
  const T* from;
  T* to;
};

// The maxima of K networks lie side by side, with zeros up to whole vectors.
inline int64_t padded_modules(int64_t count) { return count == 1 ? 1 : (count + 7) / 8 * 8; }

// The neighbours of each row, and scratch for one row: `seen` begins with zeros and is left so.
template <class T>
struct NeighbourLists {
  const Offset* start;
  const NodeId* index;
  int32_t* seen;    // (features)
  T* maximum;       // (features, padded K)
  NodeId* touched;  // (features + 1)
};

// For rows r = first .. last - 1 of the features x, M their maxima over the rows that row r of
// `lists` names (0 where a row of them has nothing):
//   module_rows:     to[r, k] = sum over c of x_rc,k from[c, k]
//   add_rows_below:  the same added to to[r, k], for non-zeros from next[r - first] on with
//                    c < limit; next is moved behind them
//   max_rows:        to[r, k] += M_rc,k from[c, k]
//   max_outer_rows:  to[c, k] += M_rc,k from[r, k]
MGNN_DECLARE_KERNELS(void keep_bits(const KeepBits& b, Offset first, Offset last);
                     template <class T>
                     void module_rows(const ModuleFeatures<T>& m, NodeId first, NodeId last);
                     template <class T>
                     void add_rows_below(const ModuleFeatures<T>& m, NodeId first, NodeId last,
                                         NodeId limit, Offset* next);
                     template <class T>
                     void max_rows(const ModuleFeatures<T>& m, const NeighbourLists<T>& lists,
                                   NodeId first, NodeId last);
                     template <class T>
                     void max_outer_rows(const ModuleFeatures<T>& m, const NeighbourLists<T>& lists,
                                         NodeId first, NodeId last);)

}  // namespace mgnn
