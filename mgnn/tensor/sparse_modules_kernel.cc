// Lanes are networks where numbers belong to a non-zero, and columns where they belong to a row.

#include "mgnn/tensor/sparse_modules_kernel.h"

#include <limits>
#include <type_traits>

#include "mgnn/tensor/kept_lanes.h"
#include "mgnn/tensor/vector_kernel.h"

namespace mgnn::MGNN_KERNEL {
namespace {

constexpr int64_t kWidth = 16;    // of a block whose sums are held in registers
constexpr Offset kAhead = 2;      // neighbours whose features are fetched before they are needed
constexpr Offset kTogether = 64;  // non-zeros of a row whose numbers are made at once

// Runs part(first block, integral constant of how many) until all blocks are done: as many at once
// as registers hold, and thirteen blocks, or seven and six, in one go.
template <class T, class Part>
[[gnu::always_inline]] inline void for_groups(int64_t count, Part part) {
  constexpr int kFit = kVectorBytes == 64 ? 6 : 48 / kLanes<T>;
  int64_t k = 0;
  const auto groups = [&](auto size) __attribute__((always_inline)) {
    for (; k + size <= count; k += size) part(k, size);
  };
  if constexpr (kVectorBytes == 64) {
    groups(Number<13>());
    groups(Number<7>());
  }
  groups(Number<kFit>());
  groups(Number<2>());
  groups(Number<1>());
}

// to[b] (+)= sum over j of value(j)[b] from(j)[b], for blocks b of 16 columns; `shared`: all blocks
// have the same value.
template <bool shared, class T, class Value, class From>
[[gnu::always_inline]] inline void sum_blocks(int64_t blocks, int64_t n, Update update, Value value,
                                              From from, T* to) {
  using V = Vec<T, kLanes<T>>;
  constexpr int kParts = int(kWidth) / kLanes<T>;
  for_groups<T>(blocks, [&](int64_t first, auto group) {
    constexpr int kVectors = decltype(group)::value * kParts;
    V sum[kVectors];
    T* const out = to + first * kWidth;
    for (int i = 0; i < kVectors; i++)
      sum[i] = update == Update::add ? load<V>(out + i * kLanes<T>) : V{};
    for (int64_t j = 0; j < n; j++) {
      const T *const v = value(j) + (shared ? 0 : first), *const w = from(j) + first * kWidth;
      for (int i = 0; i < kVectors; i++)
        sum[i] += v[shared ? 0 : i / kParts] * load<V>(w + i * kLanes<T>);
    }
    for (int i = 0; i < kVectors; i++) store(out + i * kLanes<T>, sum[i]);
  });
}

// to(j)[b] += value(j)[b] from[b] for j = 0 .. n - 1.
template <bool shared, class T, class Value, class To>
[[gnu::always_inline]] inline void scatter_blocks(int64_t blocks, int64_t n, Value value,
                                                  const T* from, To to) {
  using V = Vec<T, kLanes<T>>;
  constexpr int kParts = int(kWidth) / kLanes<T>;
  for_groups<T>(blocks, [&](int64_t first, auto group) {
    constexpr int kVectors = decltype(group)::value * kParts;
    V own[kVectors];
    for (int i = 0; i < kVectors; i++) own[i] = load<V>(from + first * kWidth + i * kLanes<T>);
    for (int64_t j = 0; j < n; j++) {
      const T* const v = value(j) + (shared ? 0 : first);
      T* const out = to(j) + first * kWidth;
      for (int i = 0; i < kVectors; i++)
        store(out + i * kLanes<T>,
              load<V>(out + i * kLanes<T>) + v[shared ? 0 : i / kParts] * own[i]);
    }
  });
}

// to[k] += value[k] from[k] for blocks of any width.
template <class T>
[[gnu::always_inline]] inline void add_blocks(int64_t count, int64_t d, const T* value,
                                              const T* from, T* to) {
  for (int64_t k = 0; k < count; k++) {
    const T v = value[k];
    if (v == 0) continue;
#pragma omp simd
    for (int64_t c = 0; c < d; c++) to[k * d + c] += v * from[k * d + c];
  }
}

// to (+)= sum over j of value(j) from(j), block by block.
template <class T, class Value, class From>
[[gnu::always_inline]] inline void sum_into(const ModuleFeatures<T>& m, int64_t n, Update update,
                                            Value value, From from, T* to) {
  if (m.d == kWidth) return sum_blocks<false>(m.count, n, update, value, from, to);
  if (m.count == 1 && m.d % kWidth == 0)
    return sum_blocks<true>(m.d / kWidth, n, update, value, from, to);
  for (int64_t c = 0; c < m.count * m.d && update == Update::overwrite; c++) to[c] = 0;
  for (int64_t j = 0; j < n; j++) add_blocks(m.count, m.d, value(j), from(j), to);
}

// to(j) += value(j) from, likewise.
template <class T, class Value, class To>
[[gnu::always_inline]] inline void scatter_from(const ModuleFeatures<T>& m, int64_t n, Value value,
                                                const T* from, To to) {
  if (m.d == kWidth) return scatter_blocks<false>(m.count, n, value, from, to);
  if (m.count == 1 && m.d % kWidth == 0)
    return scatter_blocks<true>(m.d / kWidth, n, value, from, to);
  for (int64_t j = 0; j < n; j++) add_blocks(m.count, m.d, value(j), from, to(j));
}

// to (+)= sum over the non-zeros begin .. end - 1 of a row.
template <class T>
[[gnu::always_inline]] inline void sum_nonzeros(const ModuleFeatures<T>& m, Offset begin,
                                                Offset end, Update update, T* to) {
  using V = Vec<T, kLanes<T>>;
  T shares[kTogether * kMaxModules];  // the value for each network
  for (Offset e = begin; e < end; e += kTogether) {
    const Offset n = smaller(end - e, kTogether);
    for (Offset j = 0; j < n; j++) {
      const uint32_t bits = m.mask_bits[m.place ? m.place[e + j] : e + j];
      const V x = V{} + m.factor * T(m.value[e + j]);
      for (int k = 0; k < int(m.count); k += kLanes<T>)
        store(shares + j * kMaxModules + k, where_kept(bits >> k, x));
    }
    sum_into(
        m, n, e > begin ? Update::add : update, [&](Offset j) { return shares + j * kMaxModules; },
        [&](Offset j) { return m.from + m.index[e + j] * m.row; }, to);
  }
}

// Fetches a row of the features before it is needed.
template <class T>
[[gnu::always_inline]] inline void fetch_row(const ModuleFeatures<T>& m, NodeId r) {
  constexpr Offset kLine = 64;
  const Offset begin = m.start[r], end = m.start[r + 1];
  for (Offset e = begin; e < end; e += kLine / Offset(sizeof(float))) {
    __builtin_prefetch(m.index + e);
    __builtin_prefetch(m.value + e);
  }
  for (Offset e = begin; e < end; e += kLine / Offset(sizeof(uint16_t)))
    __builtin_prefetch(m.mask_bits + e);
}

// The maxima of row r; gives the number of columns touched. Whether a column is new is as
// good as random, so nothing branches on it.
template <int vectors, int width, class T>
[[gnu::always_inline]] inline int64_t find_maxima(const ModuleFeatures<T> m,
                                                  const NeighbourLists<T> lists, NodeId r,
                                                  NodeId last) {
  constexpr int kSide = width == 1 ? 4 : width;  // numbers alone are the first of a vector
  constexpr int64_t stride = vectors * width;
  using V = Vec<T, kSide>;
  T lowest[stride];
  for (T& value : lowest) value = -std::numeric_limits<T>::infinity();
  const Offset begin = lists.start[r], end = lists.start[r + 1], block_end = lists.start[last];
  int64_t num_touched = 0;
  for (Offset i = begin; i < end; i++) {
    if (i + kAhead < block_end) fetch_row(m, lists.index[i + kAhead]);
    const Offset from = m.start[lists.index[i]], to = m.start[lists.index[i] + 1];
    for (Offset e = from; e < to; e++) {
      const NodeId c = m.index[e];
      const int32_t before = lists.seen[c];
      lists.seen[c] = before + 1;
      lists.touched[num_touched] = c;
      num_touched += before == 0;
      T* const maximum = lists.maximum + c * stride;
      const T *const now = before == 0 ? lowest : maximum, x = m.factor * T(m.value[e]);
      for (int k = 0; k < int(stride); k += width) {
        const V a = load_first<V>(now + k, width);
        const V b = where_kept(uint32_t(m.mask_bits[e]) >> k, V{} + x);
        store_first(maximum + k, width, V(a > b ? a : b));
      }
    }
  }
  for (int64_t j = 0; j < num_touched; j++) {
    const NodeId c = lists.touched[j];
    T* const maximum = lists.maximum + c * stride;
    for (int k = 0; k < int(stride) && lists.seen[c] != int32_t(end - begin); k += width) {
      const V a = load_first<V>(maximum + k, width), zero = {};  // it is 0 in some row
      store_first(maximum + k, width, V(a > zero ? a : zero));
    }
    lists.seen[c] = 0;
  }
  return num_touched;
}

// Runs rows(r, number of columns touched, value) for each row, after its maxima were computed;
// value(j) are the maxima of the networks in column touched[j].
template <class T, class Rows>
[[gnu::always_inline]] inline void for_maxima(const ModuleFeatures<T>& m,
                                              const NeighbourLists<T>& lists, NodeId first,
                                              NodeId last, Rows rows) {
  constexpr int L = kLanes<T> < 8 ? kLanes<T> : 8;
  const auto with = [&](auto vectors, auto lanes) {
    constexpr int kVectors = decltype(vectors)::value, kSide = decltype(lanes)::value;
    const auto value = [&](int64_t j) {
      return lists.maximum + lists.touched[j] * kVectors * kSide;
    };
    for (NodeId r = first; r < last; r++)
      rows(r, find_maxima<kVectors, kSide>(m, lists, r, last), value);
  };
  const int64_t stride = padded_modules(m.count);
  if (stride == 1)
    with(Number<1>(), Number<1>());
  else if (stride == 8)
    with(Number<8 / L>(), Number<L>());
  else
    with(Number<16 / kLanes<T>>(), Number<kLanes<T>>());
}

}  // namespace

void keep_bits(const KeepBits& b, Offset first, Offset last) {
  if (b.modules == 1) {
    for (Offset e = first; e < last; e++) b.bits[e] = b.mask.keeps(uint64_t(e));
    return;
  }
  const uint32_t wanted = (1u << b.count) - 1;
  for (Offset e = first; e < last; e++)
    b.bits[e] = uint16_t(sixteen_kept(b.mask, uint64_t(e * b.modules + b.first)) & wanted);
}

template <class T>
void module_rows(const ModuleFeatures<T>& m, NodeId first, NodeId last) {
  for (NodeId r = first; r < last; r++) {
    T* const to = m.to + r * m.row;
    if (m.start[r] == m.start[r + 1])
      for (int64_t c = 0; c < m.count * m.d; c++) to[c] = 0;
    sum_nonzeros(m, m.start[r], m.start[r + 1], Update::overwrite, to);
  }
}

template <class T>
void add_rows_below(const ModuleFeatures<T>& m, NodeId first, NodeId last, NodeId limit,
                    Offset* next) {
  for (NodeId r = first; r < last; r++) {
    const Offset begin = next[r - first];
    Offset end = begin;
    while (end < m.start[r + 1] && m.index[end] < limit) end++;
    next[r - first] = end;
    sum_nonzeros(m, begin, end, Update::add, m.to + r * m.row);
  }
}

template <class T>
void max_rows(const ModuleFeatures<T>& m, const NeighbourLists<T>& lists, NodeId first,
              NodeId last) {
  for_maxima(m, lists, first, last, [&](NodeId r, int64_t num_touched, auto value) {
    sum_into(
        m, num_touched, Update::add, value,
        [&](int64_t j) { return m.from + lists.touched[j] * m.row; }, m.to + r * m.row);
  });
}

template <class T>
void max_outer_rows(const ModuleFeatures<T>& m, const NeighbourLists<T>& lists, NodeId first,
                    NodeId last) {
  for_maxima(m, lists, first, last, [&](NodeId r, int64_t num_touched, auto value) {
    scatter_from(m, num_touched, value, m.from + r * m.row,
                 [&](int64_t j) { return m.to + lists.touched[j] * m.row; });
  });
}

#define MGNN_INSTANTIATE(T)                                                                   \
  template void module_rows(const ModuleFeatures<T>&, NodeId, NodeId);                        \
  template void add_rows_below(const ModuleFeatures<T>&, NodeId, NodeId, NodeId, Offset*);    \
  template void max_rows(const ModuleFeatures<T>&, const NeighbourLists<T>&, NodeId, NodeId); \
  template void max_outer_rows(const ModuleFeatures<T>&, const NeighbourLists<T>&, NodeId, NodeId);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn::MGNN_KERNEL
