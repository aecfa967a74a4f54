// Lanes are heads where numbers belong to a head, and columns of one head where they belong to x.

#include "mgnn/tensor/attention_kernel.h"

#include <limits>

#include "mgnn/tensor/lanes.h"
#include "mgnn/tensor/spmm_kernel.h"

namespace mgnn::MGNN_KERNEL {
namespace {

// Numbers of heads, one lane each.
template <class V>
constexpr int kHeads = kLanesOf<V>;

// body(vector of heads) with the widest that fits the stride.
template <class T, class Body>
inline __attribute__((always_inline)) void with_heads(const Attention<T>& a, Body body) {
  constexpr int kFull = kLanes<T>;
  if constexpr (kFull > 8)
    if (a.stride % kFull != 0) return body(Vec<T, 8>{});
  body(Vec<T, kFull>{});
}

// each(lanes, c): columns c .. c + lanes - 1, whole vectors, then halves, then one by one.
template <class T, class Each>
inline __attribute__((always_inline)) void for_lanes(int64_t n, Each each) {
  int64_t c = 0;
  for (; c + kLanes<T> <= n; c += kLanes<T>) each(Vec<T, kLanes<T>>{}, c);
  for (; c + kLanes<T> / 2 <= n; c += kLanes<T> / 2) each(Vec<T, kLanes<T> / 2>{}, c);
  for (; c < n; c++) each(Vec<T, 1>{}, c);
}

// Lane i: the inner product of head k + i of a and b, 0 beyond the last head.
template <class V, class T>
inline __attribute__((always_inline)) V dots(const T* a, const T* b, int64_t k, int64_t heads,
                                             int64_t width) {
  constexpr int B = kSide<T>;
  using Columns = Vec<T, B>;
  T products[kHeads<V>];
  for (int first = 0; first < kHeads<V>; first += B) {
    Columns sum[B] = {};
    for (int i = 0; i < B; i++) {
      if (k + first + i >= heads) break;
      const int64_t from = (k + first + i) * width;
      int64_t c = 0;
      for (; c + B <= width; c += B)
        sum[i] += load<Columns>(a + from + c) * load<Columns>(b + from + c);
      for (; c < width; c++) sum[i][0] += a[from + c] * b[from + c];
    }
    store(products + first, sums_of(sum));
  }
  return load<V>(products);
}

// The factor of each head at one non-zero: 0 where dropped.
template <class V>
inline __attribute__((always_inline)) V dropout_factor(const DropoutMask& mask, uint64_t at) {
  constexpr int L = kHeads<V>;
  using Bits = Vec<uint32_t, L>;
  const uint64_t element = mask.first + at;
  Bits low = Bits{} + uint32_t(element);
  for (int l = 0; l < L; l++) low[l] += uint32_t(l);
  const Bits carry = low < uint32_t(element) ? Bits{} + 1u : Bits{};
  const Bits bits = random_bits(mask.key, uint32_t(element >> 32) + carry, low);
  const Vec<int32_t, L> keep = bits >= mask.threshold;  // -1 or 0
  return -Element<V>(mask.factor) * __builtin_convertvector(keep, V);
}

template <class V>
inline __attribute__((always_inline)) V leaky(V at, V x, Element<V> slope) {
  return at > 0 ? x : slope * x;
}

// alpha and used of one row.
template <class V, class T>
void weigh(const Attention<T>& a, NodeId r) {
  const Offset begin = a.start[r], end = a.start[r + 1];
  for (int64_t k = 0; k < a.stride; k += kHeads<V>) {
    const V left = load<V>(a.left + r * a.stride + k);
    V maximum = V{} - std::numeric_limits<T>::infinity();
    for (Offset e = begin; e < end; e++) {
      const V sum = left + load<V>(a.right + a.index[e] * a.stride + k);
      const V score = leaky(sum, sum, a.slope);
      maximum = score > maximum ? score : maximum;
      store(a.alpha + e * a.stride + k, score);
    }
    V total = {};
    for (Offset e = begin; e < end; e++) {
      const V weight = exp_of_negative(load<V>(a.alpha + e * a.stride + k) - maximum);
      total += weight;
      store(a.alpha + e * a.stride + k, weight);
    }
    const V share = 1 / total;
    for (Offset e = begin; e < end; e++) {
      const V weight = share * load<V>(a.alpha + e * a.stride + k);
      store(a.alpha + e * a.stride + k, weight);
      if (a.used != a.alpha)
        store(a.used + e * a.stride + k,
              weight * dropout_factor<V>(a.mask, uint64_t(e) * uint64_t(a.heads) + uint64_t(k)));
    }
  }
}

template <class V>
inline __attribute__((always_inline)) V elu(V x) {
  return x > 0 ? x : exp_minus_one_of_negative(x > 0 ? V{} : x);
}

template <class T>
void activate(const T* bias, int64_t n, T* y) {
  using V = Vec<T, kLanes<T>>;
  int64_t c = 0;
  for (; c + kLanes<T> <= n; c += kLanes<T>) store(y + c, elu(load<V>(y + c) + load<V>(bias + c)));
  V rest = {};
  for (int64_t l = 0; l < n - c; l++) rest[l] = y[c + l] + bias[c + l];
  rest = elu(rest);
  for (int64_t l = 0; l < n - c; l++) y[c + l] = rest[l];
}

// dscore and dleft of one row; `dz` is the gradient of the sum over its neighbours.
template <class V, class T>
void back_row(const AttentionBack<T>& b, NodeId r, const T* dz) {
  const Attention<T>& a = b.of;
  const Offset begin = a.start[r], end = a.start[r + 1];
  for (Offset e = begin; e < end; e++)
    for (int64_t k = 0; k < a.stride; k += kHeads<V>) {
      V dalpha = dots<V>(dz, a.x + a.index[e] * a.heads * a.width, k, a.heads, a.width);
      if (a.used != a.alpha)
        dalpha = load<V>(a.used + e * a.stride + k) != 0 ? T(a.mask.factor) * dalpha : V{};
      store(b.dscore + e * a.stride + k, dalpha);
    }
  for (int64_t k = 0; k < a.stride; k += kHeads<V>) {
    V along = {};
    for (Offset e = begin; e < end; e++)
      along += load<V>(b.dscore + e * a.stride + k) * load<V>(a.alpha + e * a.stride + k);
    const V left = load<V>(a.left + r * a.stride + k);
    V dleft = {};
    for (Offset e = begin; e < end; e++) {
      const V dsoft =
          load<V>(a.alpha + e * a.stride + k) * (load<V>(b.dscore + e * a.stride + k) - along);
      const V d = leaky(left + load<V>(a.right + a.index[e] * a.stride + k), dsoft, a.slope);
      dleft += d;
      store(b.dscore + e * a.stride + k, d);
    }
    store(b.dleft + r * a.stride + k, dleft);
  }
}

}  // namespace

template <class T>
void attention_scores(const Attention<T>& a, NodeId first, NodeId last) {
  with_heads(a, [&](auto lanes) {
    using V = decltype(lanes);
    for (NodeId r = first; r < last; r++) {
      const T* const x = a.x + r * a.heads * a.width;
      for (int64_t k = 0; k < a.stride; k += kHeads<V>) {
        store(a.left + r * a.stride + k, dots<V>(x, a.target, k, a.heads, a.width));
        store(a.right + r * a.stride + k, dots<V>(x, a.source, k, a.heads, a.width));
      }
    }
  });
}

template <class T>
void attention_rows(const Attention<T>& a, NodeId first, NodeId last) {
  with_heads(a, [&](auto lanes) {
    for (NodeId r = first; r < last; r++) weigh<decltype(lanes)>(a, r);
  });
  const Spmm<T, T> sum{.start = a.start,
                       .index = a.index,
                       .value = a.used,
                       .count = a.heads,
                       .d = a.width,
                       .x = a.x,
                       .y = a.y,
                       .value_row = a.stride};
  spmm_per_head(sum, first, last);
  const int64_t cols = a.heads * a.width;
  for (NodeId r = first; r < last; r++) activate(a.bias, cols, a.y + r * cols);
}

template <class T>
void attention_back_rows(const AttentionBack<T>& b, NodeId first, NodeId last, T* dbias) {
  const int64_t cols = b.of.heads * b.of.width;
  for (NodeId r = first; r < last; r++) {
    const T* const y = b.of.y + r * cols;
    T* const dy = b.dy + r * cols;
    for_lanes<T>(
        cols, [&](auto lanes, int64_t c) __attribute__((always_inline)) {
          using V = decltype(lanes);
          const V at = load<V>(y + c), through = load<V>(dy + c);
          const V dz = at > 0 ? through : through * (at + 1);
          store(dy + c, dz);
          store(dbias + c, load<V>(dbias + c) + dz);
        });
  }
  with_heads(b.of, [&](auto lanes) {
    for (NodeId r = first; r < last; r++) back_row<decltype(lanes)>(b, r, b.dy + r * cols);
  });
}

template <class T>
void attention_back_columns(const AttentionBack<T>& b, NodeId first, NodeId last, T* dtarget,
                            T* dsource) {
  const Attention<T>& a = b.of;
  const int64_t cols = a.heads * a.width;
  with_heads(a, [&](auto lanes) {
    using V = decltype(lanes);
    for (NodeId j = first; j < last; j++)
      for (int64_t k = 0; k < a.stride; k += kHeads<V>) {
        V sum = {};
        for (Offset e = b.start[j]; e < b.start[j + 1]; e++)
          sum += load<V>(b.dscore + b.place[e] * a.stride + k);
        store(b.dright + j * a.stride + k, sum);
      }
  });
  if (b.dx) {
    const Spmm<T, T> sum{.start = b.start,
                         .index = b.index,
                         .place = b.place,
                         .value = a.used,
                         .count = a.heads,
                         .d = a.width,
                         .x = b.dy,
                         .y = b.dx,
                         .add = b.add,
                         .value_row = a.stride};
    spmm_per_head(sum, first, last);
  }
  for (NodeId j = first; j < last; j++)
    for (int64_t k = 0; k < a.heads; k++) {
      const T dl = b.dleft[j * a.stride + k], dr = b.dright[j * a.stride + k];
      const int64_t of_head = k * a.width, of_node = j * cols + of_head;
      for_lanes<T>(
          a.width, [&](auto lanes, int64_t c) __attribute__((always_inline)) {
            using W = decltype(lanes);
            const W x = load<W>(a.x + of_node + c);
            T* const to_target = dtarget + of_head + c;
            T* const to_source = dsource + of_head + c;
            store(to_target, load<W>(to_target) + dl * x);
            store(to_source, load<W>(to_source) + dr * x);
            if (!b.dx) return;
            T* const to = b.dx + of_node + c;
            store(to, load<W>(to) + (dl * load<W>(a.target + of_head + c) +
                                     dr * load<W>(a.source + of_head + c)));
          });
    }
}

#define MGNN_INSTANTIATE(T)                                                       \
  template void attention_scores(const Attention<T>&, NodeId, NodeId);            \
  template void attention_rows(const Attention<T>&, NodeId, NodeId);              \
  template void attention_back_rows(const AttentionBack<T>&, NodeId, NodeId, T*); \
  template void attention_back_columns(const AttentionBack<T>&, NodeId, NodeId, T*, T*);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn::MGNN_KERNEL
