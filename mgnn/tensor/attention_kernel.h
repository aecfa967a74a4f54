// Attention over neighbours, for the rows that one thread handles.
#pragma once

#include "mgnn/base/cpu.h"
#include "mgnn/base/types.h"
#include "mgnn/tensor/random.h"

namespace mgnn {

// Numbers of the K heads lie side by side, with zeros up to 8 or to a multiple of 16.
inline int64_t padded_heads(int64_t heads) { return heads <= 8 ? 8 : (heads + 15) / 16 * 16; }

template <class T>
struct Attention {
  const Offset* start;  // row i lists the neighbours of node i
  const NodeId* index;
  int64_t heads, width;  // K, d
  int64_t stride;        // S = padded_heads(K)
  T slope;
  DropoutMask mask;                     // element e K + k is that of head k at non-zero e
  const T *x, *target, *source, *bias;  // (n, K d), (1, K d)
  T *left, *right;                      // (n, S): target · x_i, source · x_i
  T *alpha, *used;                      // (nnz, S): before dropout and after; may be the same
  T* y;                                 // (n, K d)
};

template <class T>
struct AttentionBack {
  Attention<T> of;
  const Offset* start;  // the transpose
  const NodeId* index;
  const Offset* place;
  T* dy;              // in: of y; out: of what elu was given
  T* dscore;          // (nnz, S), before leaky_relu
  T *dleft, *dright;  // (n, S)
  T* dx;              // may be null
  bool add;           // dx += instead of dx =
};

// For rows first .. last - 1: `scores` fills left and right, `rows` alpha, used and y. Back,
// `back_rows` turns dy and fills dscore and dleft, then `back_columns` dright and dx. What the rows
// give to the gradients of bias, target and source is added to arrays of (1, K d).
MGNN_DECLARE_KERNELS(
    template <class T> void attention_scores(const Attention<T>& a, NodeId first, NodeId last);
    template <class T> void attention_rows(const Attention<T>& a, NodeId first, NodeId last);
    template <class T>
    void attention_back_rows(const AttentionBack<T>& b, NodeId first, NodeId last, T* dbias);
    template <class T> void attention_back_columns(const AttentionBack<T>& b, NodeId first,
                                                   NodeId last, T* dtarget, T* dsource);)

}  // namespace mgnn
