// Redundancy minimisation for the nodes that one thread handles; see redundancy.cc.
#pragma once

#include "mgnn/base/cpu.h"
#include "mgnn/base/types.h"
#include "mgnn/tensor/random.h"

namespace mgnn {

constexpr int64_t kRedundancyBlock = 64;  // nodes whose intermediates stay in the cache together
constexpr int64_t kRedundancyHeight = 6;  // rows of a tile of a product
constexpr int64_t kRedundancyWidth = 32;  // columns of a tile, at most

constexpr int64_t in_tiles(int64_t rows) {
  return (rows + kRedundancyHeight - 1) / kRedundancyHeight * kRedundancyHeight;
}
constexpr int64_t in_panels(int64_t cols) {
  return (cols + kRedundancyWidth - 1) / kRedundancyWidth * kRedundancyWidth;
}

// Weights are packed for tiles: of a matrix M (rows, depth), element (i, p) is at
// ((i / 6) depth + p) 6 + i % 6, with zeros for rows beyond the last.
template <class T>
struct Redundancy {
  int64_t motifs, distinct, d, out;  // K, D, d, d'
  const int32_t* index;              // (K)
  const float* factor;               // (K)
  bool sigmoid;                      // else tanh
  T floor;                           // what is not above it becomes 0: 0 for relu, or -∞
  bool drops;                        // β
  DropoutMask mask;                  // of β, element v K + k

  const T* h;          // (n, D d)
  const T* z;          // (n, d)
  const T* rest;       // Vᵀ (K d', (D + 1) d), packed: weights of equal matrices summed, Z's last
  const T* own;        // W_fᵀ (d', d), packed
  const T* rest_back;  // V, packed; backward only, likewise below
  const T* own_back;   // W_f, packed
  const T* rest_bias;  // (K d')
  const T* own_bias;   // (d')

  // A linear layer that takes the result: its product is made while the result is in the cache.
  int64_t next_cols;      // 0: none
  const T* next;          // its weightᵀ (next_cols, K d'), packed
  const T* next_back;     // its weight, packed; backward only
  bool next_drops;        // what it is given
  DropoutMask next_mask;  // of the result, element v K d' + c
  T* product;             // (n, next_cols)
  const T* dproduct;      // null: no gradient

  T* result;         // (n, K d'); null: only the product is wanted
  T* saved;          // g, f, β of each panel of nodes; null: they are computed again
  const T* dresult;  // null: no gradient
  T* dh;             // null: not wanted
  bool dh_add;
  T* dz;
  bool dz_add;

  int64_t cols() const { return motifs * out; }
  int64_t depth() const { return (distinct + 1) * d; }
  int64_t own_rows() const { return in_tiles(out); }
  // Numbers of g, f and β of a node.
  int64_t state_size() const { return in_tiles(cols()) + f_rows() + motifs; }
  int64_t f_rows() const { return (distinct > 0 ? distinct : 1) * own_rows(); }
};

// Sums over the nodes of one chunk; all are added to.
template <class T>
struct RedundancySums {
  T* rest;       // dVᵀ (K d' in tiles, (D + 1) d in panels)
  T* own;        // dW_fᵀ (d' in tiles, d in panels)
  T* rest_bias;  // (K d')
  T* own_bias;   // (d')
  T* next;       // (K d' in tiles, next_cols in panels)
};

// `scratch` has redundancy_scratch(r) elements. Nodes first .. last - 1; `first` is a multiple of
// kRedundancyBlock.
MGNN_DECLARE_KERNELS(template <class T>
                     void redundancy_forward(const Redundancy<T>& r, int64_t first, int64_t last,
                                             T* scratch);
                     template <class T>
                     void redundancy_backward(const Redundancy<T>& r, int64_t first, int64_t last,
                                              const RedundancySums<T>& sums, T* scratch);)

// A row of [H | Z] in the scratch: its last panel may reach beyond it.
template <class T>
int64_t redundancy_row(const Redundancy<T>& r) {
  return in_panels(r.depth()) + kRedundancyWidth;
}

template <class T>
int64_t redundancy_scratch(const Redundancy<T>& r) {
  const int64_t transposed = in_tiles(r.depth()) + kRedundancyHeight, wide = in_tiles(r.cols());
  return kRedundancyBlock * (redundancy_row(r) + 2 * wide + r.f_rows() + in_panels(r.next_cols)) +
         kRedundancyWidth *
             (2 * transposed + wide + r.state_size() + r.cols() + r.out + in_tiles(r.next_cols));
}

}  // namespace mgnn
