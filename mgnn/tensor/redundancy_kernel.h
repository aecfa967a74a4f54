// Redundancy minimisation for the nodes that one thread handles; see redundancy.cc.
#pragma once

#include "mgnn/base/types.h"
#include "mgnn/tensor/random.h"

namespace mgnn {

constexpr int64_t kRedundancyBlock = 64;  // nodes whose intermediates stay in the cache together

template <class T>
struct Redundancy {
  int64_t motifs, distinct, d, out;  // K, D, d, d'
  int64_t wide;                      // K d' padded to whole panels
  int64_t narrow;                    // d' padded likewise
  const int32_t* index;              // (K)
  const float* factor;               // (K)
  bool sigmoid;                      // else tanh
  bool drops;                        // β
  DropoutMask mask;                  // of β, element v K + k

  const T* h;            // (n, D d)
  const T* z;            // (n, d)
  const T* rest;         // ((D + 1) d, wide): weights of equal matrices summed, last block for Z
  const T* own;          // (d, narrow)
  const T* rest_turned;  // (wide, (D + 1) d): its transpose; backward only, likewise below
  const T* own_turned;   // (narrow, d)
  const T* rest_bias;    // (K d')
  const T* own_bias;     // (d')

  T* result;  // (n, K d')
  T* saved;   // per tile of lanes: g (K d', lanes), then β (K, lanes)
  const T* dresult;
  T* dh;  // null: not wanted
  bool dh_add;
  T* dz;
  bool dz_add;
};

// Sums over the nodes of one chunk; all are added to.
template <class T>
struct RedundancySums {
  T* rest;       // ((D + 1) d, wide)
  T* own;        // (d, narrow)
  T* rest_bias;  // (K d')
  T* own_bias;   // (d')
};

// `scratch` has redundancy_scratch(r) elements. Nodes first .. last - 1; `first` is a multiple of
// kRedundancyBlock.
#define MGNN_REDUNDANCY_KERNELS                                                             \
  template <class T>                                                                        \
  void redundancy_forward(const Redundancy<T>& r, int64_t first, int64_t last, T* scratch); \
  template <class T>                                                                        \
  void redundancy_backward(const Redundancy<T>& r, int64_t first, int64_t last,             \
                           const RedundancySums<T>& sums, T* scratch);
namespace generic {
MGNN_REDUNDANCY_KERNELS
}
namespace avx2 {
MGNN_REDUNDANCY_KERNELS
}
#undef MGNN_REDUNDANCY_KERNELS

template <class T>
int64_t redundancy_scratch(const Redundancy<T>& r) {
  constexpr int64_t kMostLanes = 8;
  return 2 * kRedundancyBlock * (r.wide + r.distinct * r.narrow) +
         kMostLanes * (2 * r.wide + (2 * r.distinct + 3) * r.narrow);
}

}  // namespace mgnn
