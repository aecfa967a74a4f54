// Lanes are columns of x, so that a weight of three columns wastes none.

#include "mgnn/tensor/narrow_kernel.h"

#include "mgnn/tensor/kept_lanes.h"
#include "mgnn/tensor/lanes.h"

namespace mgnn::MGNN_KERNEL {
namespace {

// to[i] = factor (sum of the lanes of v[i])
template <int count, class V, class T>
[[gnu::always_inline]] inline void store_sums(const V (&v)[count], T factor, T* to) {
  constexpr int B = kSide<T>;
  using Side = Vec<T, B>;
  for (int first = 0; first < count; first += B) {
    Side part[B] = {};
    for (int i = 0; i < B && first + i < count; i++) {
      T lanes[kLanesOf<V>];
      store(lanes, v[first + i]);
      for (int l = 0; l < kLanesOf<V>; l += B) part[i] += load<Side>(lanes + l);
    }
    const Side sums = sums_of(part);
    for (int i = 0; i < B && first + i < count; i++) to[first + i] = factor * sums[i];
  }
}

// Columns c .. of row r that are kept.
template <class V, class T>
[[gnu::always_inline]] inline V kept_columns(const Narrow<T>& p, int64_t r, int64_t c, V v) {
  if (!p.kept) return v;
  return where_kept(uint32_t(p.kept[r * in_sixteens(p.depth) + c / 16]) >> c % 16, v);
}

template <int cols, class T>
void product(const Narrow<T>& p, int64_t first, int64_t last) {
  using V = Vec<T, kLanes<T>>;
  const int64_t stride = 16 * in_sixteens(p.depth);
  for (int64_t r = first; r < last; r++) {
    V sum[cols] = {};
    for (int64_t c = 0; c < p.depth; c += kLanes<T>) {
      if (p.kept && c % 16 == 0)
        p.kept[r * in_sixteens(p.depth) + c / 16] =
            uint16_t(sixteen_kept(p.mask, uint64_t(r * p.depth + c)));
      const V x = kept_columns(p, r, c, load_first<V>(p.x + r * p.depth + c, p.depth - c));
      for (int i = 0; i < cols; i++) sum[i] += x * load<V>(p.weight + i * stride + c);
    }
    store_sums(sum, T(p.mask.factor), p.y + r * cols);
  }
}

template <int cols, class T>
void back(const NarrowBack<T>& b, int64_t first, int64_t last, T* dweight) {
  using V = Vec<T, kLanes<T>>;
  const Narrow<T>& p = b.of;
  const int64_t stride = 16 * in_sixteens(p.depth);
  for (int64_t r = first; r < last; r++) {
    T dy[cols];
    for (int i = 0; i < cols; i++) dy[i] = T(p.mask.factor) * b.dy[r * cols + i];
    for (int64_t c = 0; c < p.depth; c += kLanes<T>) {
      const int64_t left = p.depth - c;
      if (b.dx) {
        V sum = {};
        for (int i = 0; i < cols; i++) sum += dy[i] * load<V>(p.weight + i * stride + c);
        sum = kept_columns(p, r, c, sum);
        T* const to = b.dx + r * p.depth + c;
        store_first(to, left, b.add ? load_first<V>(to, left) + sum : sum);
      }
      if (!b.sums) continue;
      const V x = kept_columns(p, r, c, load_first<V>(p.x + r * p.depth + c, left));
      for (int i = 0; i < cols; i++) {
        T* const to = dweight + i * stride + c;
        store(to, load<V>(to) + dy[i] * x);
      }
    }
  }
}

// body(integral constant of the number of columns)
template <int max = kMaxNarrow, class Body>
[[gnu::always_inline]] inline void with_columns(int64_t cols, Body body) {
  if (cols == max) return body(Number<max>());
  if constexpr (max > 1) with_columns<max - 1>(cols, body);
}

}  // namespace

template <class T>
void narrow_rows(const Narrow<T>& p, int64_t first, int64_t last) {
  with_columns(p.cols, [&](auto cols) { product<decltype(cols)::value>(p, first, last); });
}

template <class T>
void narrow_back_rows(const NarrowBack<T>& b, int64_t first, int64_t last, T* dweight) {
  with_columns(b.of.cols, [&](auto cols) { back<decltype(cols)::value>(b, first, last, dweight); });
}

#define MGNN_INSTANTIATE(T)                                      \
  template void narrow_rows(const Narrow<T>&, int64_t, int64_t); \
  template void narrow_back_rows(const NarrowBack<T>&, int64_t, int64_t, T*);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn::MGNN_KERNEL
