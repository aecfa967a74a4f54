#include "mgnn/tensor/redundancy_kernel.h"

#include "mgnn/tensor/gemm_tile.h"
#include "mgnn/tensor/lanes.h"

namespace mgnn::MGNN_KERNEL {
namespace {

template <class T>
using Lanes = Vec<T, kLanes<T>>;

// The intermediates of a block of nodes, row by row, and of a tile of nodes, lane by lane.
template <class T>
struct Scratch {
  T *g, *f, *dg, *df;  // (block, wide), (block, D narrow), and their gradients
  T *tile_d, *tile_f, *tile_g;

  Scratch(const Redundancy<T>& r, T* at) {
    const int64_t wide = kRedundancyBlock * r.wide;
    const int64_t narrow = kRedundancyBlock * r.distinct * r.narrow;
    g = at, dg = g + wide, f = dg + wide, df = f + narrow;
    tile_d = df + narrow;
    tile_f = tile_d + kLanes<T> * r.wide;
    tile_g = tile_f + kLanes<T> * (r.distinct + 1) * r.narrow;
  }
};

// F_j = H_j W_f for the distinct representations of some nodes.
template <class T>
void own_features(const Redundancy<T>& r, int64_t first, int64_t count, T* f) {
  gemm_block<T>({count * r.distinct, r.narrow, r.d, r.h + first * r.distinct * r.d, r.d, 1, r.own,
                 r.narrow, 1, f, r.narrow, false});
}

// β = s(t), by way of e^-|t|, which cannot overflow.
template <class T>
inline __attribute__((always_inline)) Lanes<T> gate(bool sigmoid, Lanes<T> t) {
  const Lanes<T> size = t < 0 ? -t : t;
  const Lanes<T> e = exp_of_negative(size * (sigmoid ? T(-1) : T(-2)));
  const Lanes<T> large = (sigmoid ? Lanes<T>{} + T(1) : 1 - e) / (1 + e);  // s(|t|)
  return t < 0 ? (sigmoid ? 1 - large : -large) : large;
}

// The mask of β for one motif and the nodes of a tile.
template <class T>
inline __attribute__((always_inline)) Lanes<T> gate_mask(const Redundancy<T>& r, int64_t node,
                                                         int64_t k) {
  const T factor = T(r.mask.factor);
  T kept[kLanes<T>];
#pragma omp simd
  for (int l = 0; l < kLanes<T>; l++)
    kept[l] = r.mask.keeps(uint64_t((node + l) * r.motifs + k)) ? factor : T(0);
  return load<Lanes<T>>(kept);
}

// f_k of a tile, element o.
template <class T>
inline Lanes<T> own_of(const Redundancy<T>& r, const T* tile_f, int64_t k, int64_t o) {
  const Lanes<T> bias = Lanes<T>{} + r.own_bias[o];
  if (r.index[k] < 0) return bias;
  const Lanes<T> f = load<Lanes<T>>(tile_f + (r.index[k] * r.narrow + o) * kLanes<T>);
  return bias + T(r.factor[k]) * f;
}

// g holds products without bias on entry; result and saved g, β on return.
template <class T>
void tile_forward(const Redundancy<T>& r, int64_t node, const T* tile_f, T* g, T* beta, T* result) {
  using V = Lanes<T>;
  constexpr int L = kLanes<T>;
  for (int64_t k = 0; k < r.motifs; k++) {
    T* const gk = g + k * r.out * L;
    V dot = {};
    for (int64_t o = 0; o < r.out; o++) {
      const V with_bias = load<V>(gk + o * L) + r.rest_bias[k * r.out + o];
      store(gk + o * L, with_bias);
      dot += own_of(r, tile_f, k, o) * with_bias;
    }
    V b = gate<T>(r.sigmoid, dot);
    store(beta + k * L, b);
    if (r.drops) b *= gate_mask(r, node, k);
    for (int64_t o = 0; o < r.out; o++) {
      const V y = b * (own_of(r, tile_f, k, o) - load<V>(gk + o * L));
      store(result + (k * r.out + o) * L, y > 0 ? y : V{});
    }
  }
}

// d: gradient of the result on entry, of g on return. df is added to.
template <class T>
void tile_backward(const Redundancy<T>& r, int64_t node, const T* tile_f, const T* g, const T* beta,
                   T* d, T* df, T* own_bias, T* rest_bias) {
  using V = Lanes<T>;
  constexpr int L = kLanes<T>;
  for (int64_t k = 0; k < r.motifs; k++) {
    const T* const gk = g + k * r.out * L;
    T* const dk = d + k * r.out * L;
    const V raw = load<V>(beta + k * L);
    const V kept = r.drops ? gate_mask(r, node, k) : V{} + T(1);
    const V b = raw * kept;
    V dbeta = {};
    for (int64_t o = 0; o < r.out; o++) {
      const V difference = own_of(r, tile_f, k, o) - load<V>(gk + o * L);
      V u = load<V>(dk + o * L);
      u = b * difference > 0 ? u : V{};
      store(dk + o * L, u);
      dbeta += u * difference;
    }
    const V dt = dbeta * kept * (r.sigmoid ? raw * (1 - raw) : 1 - raw * raw);
    for (int64_t o = 0; o < r.out; o++) {
      const V f = own_of(r, tile_f, k, o), gv = load<V>(gk + o * L);
      const V u = b * load<V>(dk + o * L);
      const V to_f = u + dt * gv, to_g = dt * f - u;
      store(dk + o * L, to_g);
      store(own_bias + o * L, load<V>(own_bias + o * L) + to_f);
      T* const sum = rest_bias + (k * r.out + o) * L;
      store(sum, load<V>(sum) + to_g);
      if (r.index[k] < 0) continue;
      T* const to = df + (r.index[k] * r.narrow + o) * L;
      store(to, load<V>(to) + T(r.factor[k]) * to_f);
    }
  }
}

template <class T>
void zero(T* at, int64_t count) {
  for (int64_t i = 0; i < count; i++) at[i] = 0;
}

template <class T>
T* saved_tile(const Redundancy<T>& r, int64_t node) {
  return r.saved + node * (r.motifs * r.out + r.motifs);
}

// From the gradients of the result to those of g and f, for a block of nodes.
template <class T>
void block_backward(const Redundancy<T>& r, int64_t first, int64_t count, const Scratch<T>& s,
                    T* own_bias, T* rest_bias) {
  constexpr int L = kLanes<T>;
  const int64_t cols = r.motifs * r.out, f_cols = r.distinct * r.narrow;
  for (int64_t i = 0; i < count; i += L) {
    const int64_t here = smaller<int64_t>(L, count - i);
    const T* const g = saved_tile(r, first + i);
    to_lanes(r.dresult + (first + i) * cols, cols, cols, here, s.tile_d);
    to_lanes(s.f + i * f_cols, f_cols, f_cols, here, s.tile_f);
    zero(s.tile_g, f_cols * L);
    tile_backward(r, first + i, s.tile_f, g, g + cols * L, s.tile_d, s.tile_g, own_bias, rest_bias);
    zero(s.tile_d + cols * L, (r.wide - cols) * L);
    from_lanes(s.tile_d, r.wide, here, s.dg + i * r.wide, r.wide);
    from_lanes(s.tile_g, f_cols, here, s.df + i * f_cols, f_cols);
  }
}

// dH = dG restᵀ + dF W_fᵀ, dZ = dG rest_Zᵀ.
template <class T>
void input_gradients(const Redundancy<T>& r, int64_t first, int64_t count, const Scratch<T>& s) {
  const int64_t h_cols = r.distinct * r.d, turned = h_cols + r.d;
  if (r.dh) {
    T* const dh = r.dh + first * h_cols;
    gemm_block<T>(
        {count, h_cols, r.wide, s.dg, r.wide, 1, r.rest_turned, turned, 1, dh, h_cols, r.dh_add});
    gemm_block<T>({count * r.distinct, r.d, r.narrow, s.df, r.narrow, 1, r.own_turned, r.d, 1, dh,
                   r.d, true});
  }
  if (r.dz)
    gemm_block<T>({count, r.d, r.wide, s.dg, r.wide, 1, r.rest_turned + h_cols, turned, 1,
                   r.dz + first * r.d, r.d, r.dz_add});
}

// dW = [H | Z]ᵀ dG, dW_f = Σ_j H_jᵀ dF_j, added to the sums of the chunk.
template <class T>
void weight_gradients(const Redundancy<T>& r, int64_t first, int64_t count, const Scratch<T>& s,
                      const RedundancySums<T>& sums) {
  const int64_t h_cols = r.distinct * r.d;
  const T* const h = r.h + first * h_cols;
  gemm_block<T>({h_cols, r.wide, count, h, 1, h_cols, s.dg, r.wide, 1, sums.rest, r.wide, true});
  gemm_block<T>({r.d, r.wide, count, r.z + first * r.d, 1, r.d, s.dg, r.wide, 1,
                 sums.rest + h_cols * r.wide, r.wide, true});
  gemm_block<T>(
      {r.d, r.narrow, count * r.distinct, h, 1, r.d, s.df, r.narrow, 1, sums.own, r.narrow, true});
}

template <class T>
void add_lanes(const T* lanes, int64_t cols, T* to) {
  for (int64_t c = 0; c < cols; c++) {
    T sum = 0;
    for (int l = 0; l < kLanes<T>; l++) sum += lanes[c * kLanes<T> + l];
    to[c] += sum;
  }
}

}  // namespace

template <class T>
void redundancy_forward(const Redundancy<T>& r, int64_t first, int64_t last, T* scratch) {
  constexpr int L = kLanes<T>;
  const Scratch<T> s(r, scratch);
  const int64_t cols = r.motifs * r.out, f_cols = r.distinct * r.narrow, h_cols = r.distinct * r.d;
  for (; first < last; first += kRedundancyBlock) {
    const int64_t count = smaller(kRedundancyBlock, last - first);
    own_features(r, first, count, s.f);
    gemm_block<T>({count, r.wide, h_cols, r.h + first * h_cols, h_cols, 1, r.rest, r.wide, 1, s.g,
                   r.wide, false});
    gemm_block<T>({count, r.wide, r.d, r.z + first * r.d, r.d, 1, r.rest + h_cols * r.wide, r.wide,
                   1, s.g, r.wide, true});
    for (int64_t i = 0; i < count; i += L) {
      const int64_t here = smaller<int64_t>(L, count - i);
      T* const g = saved_tile(r, first + i);
      to_lanes(s.g + i * r.wide, r.wide, cols, here, g);
      to_lanes(s.f + i * f_cols, f_cols, f_cols, here, s.tile_f);
      tile_forward(r, first + i, s.tile_f, g, g + cols * L, s.tile_d);
      from_lanes(s.tile_d, cols, here, r.result + (first + i) * cols, cols);
    }
  }
}

template <class T>
void redundancy_backward(const Redundancy<T>& r, int64_t first, int64_t last,
                         const RedundancySums<T>& sums, T* scratch) {
  constexpr int L = kLanes<T>;
  const Scratch<T> s(r, scratch);
  T* const own_bias = s.tile_g + (r.distinct + 1) * r.narrow * L;
  T* const rest_bias = own_bias + r.narrow * L;
  zero(own_bias, (r.narrow + r.wide) * L);
  for (; first < last; first += kRedundancyBlock) {
    const int64_t count = smaller(kRedundancyBlock, last - first);
    own_features(r, first, count, s.f);
    block_backward(r, first, count, s, own_bias, rest_bias);
    input_gradients(r, first, count, s);
    weight_gradients(r, first, count, s, sums);
  }
  add_lanes(own_bias, r.out, sums.own_bias);
  add_lanes(rest_bias, r.motifs * r.out, sums.rest_bias);
}

#define MGNN_INSTANTIATE(T)                                                     \
  template void redundancy_forward(const Redundancy<T>&, int64_t, int64_t, T*); \
  template void redundancy_backward(const Redundancy<T>&, int64_t, int64_t,     \
                                    const RedundancySums<T>&, T*);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)

}  // namespace mgnn::MGNN_KERNEL
