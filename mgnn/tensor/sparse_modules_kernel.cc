#include "mgnn/tensor/sparse_modules_kernel.h"

#include <type_traits>

#include "mgnn/tensor/vector_kernel.h"

namespace mgnn::MGNN_KERNEL {

template <class T>
void drop_each(const DropEach<T>& d, Offset first, Offset last) {
  const T factor = T(d.mask.factor);
  for (Offset e = first; e < last; e++) {
    const T kept = factor * T(d.x[e]);
    const auto element = uint64_t(e * d.count);
    const auto high = uint32_t(element >> 32), low = uint32_t(element);
    T* const y = d.y + e * d.stride;
    if (low > UINT32_MAX - uint32_t(d.count)) {  // the low half runs over on the way
      for (int64_t k = 0; k < d.count; k++)
        y[k] = d.mask.keeps(element + uint64_t(k)) ? kept : T(0);
    } else if (d.stride % 8 == 0) {
      for (int32_t first_of = 0; first_of < int32_t(d.stride); first_of += 8)
#pragma omp simd
        for (int32_t k = first_of; k < first_of + 8; k++)
          y[k] = random_bits(d.mask.key, high, low + uint32_t(k)) >= d.mask.threshold ? kept : T(0);
    } else {
      y[0] = random_bits(d.mask.key, high, low) >= d.mask.threshold ? kept : T(0);
    }
    for (int64_t k = d.count; k < d.stride; k++) y[k] = 0;
  }
}

namespace {

constexpr int64_t kWidth = 16;  // of a module, where kernels hold several in registers

template <class T>
constexpr int kGroup = 48 / kLanes<T>;  // modules whose sums take twelve registers

template <int n>
using Number = std::integral_constant<int, n>;

// Runs part(first module, integral constant of how many) until all modules are done.
template <class T, class Part>
[[gnu::always_inline]] inline void for_groups(int64_t count, Part part) {
  int64_t k = 0;
  for (; k + kGroup<T> <= count; k += kGroup<T>) part(k, Number<kGroup<T>>());
  for (; k + 2 <= count; k += 2) part(k, Number<2>());
  if (k < count) part(k, Number<1>());
}

// to[k] (+)= sum over j of value(j)[k] from(j)[k], for K blocks of 16 columns.
template <bool add, class T, class Value, class From>
[[gnu::always_inline]] inline void sum_blocks(int64_t count, int64_t n, Value value, From from,
                                              T* to) {
  using V = Vec<T, kLanes<T>>;
  constexpr int kParts = int(kWidth) / kLanes<T>;
  for_groups<T>(count, [&](int64_t first, auto group) {
    constexpr int kVectors = decltype(group)::value * kParts;
    V sum[kVectors];
    T* const out = to + first * kWidth;
    for (int i = 0; i < kVectors; i++) sum[i] = add ? load<V>(out + i * kLanes<T>) : V{};
    for (int64_t j = 0; j < n; j++) {
      const T *const v = value(j) + first, *const w = from(j) + first * kWidth;
      for (int i = 0; i < kVectors; i++) sum[i] += v[i / kParts] * load<V>(w + i * kLanes<T>);
    }
    for (int i = 0; i < kVectors; i++) store(out + i * kLanes<T>, sum[i]);
  });
}

// to(j)[k] += value(j)[k] from[k] for j = 0 .. n - 1.
template <class T, class Value, class To>
[[gnu::always_inline]] inline void spread_blocks(int64_t count, int64_t n, Value value,
                                                 const T* from, To to) {
  using V = Vec<T, kLanes<T>>;
  constexpr int kParts = int(kWidth) / kLanes<T>;
  for_groups<T>(count, [&](int64_t first, auto group) {
    constexpr int kVectors = decltype(group)::value * kParts;
    V own[kVectors];
    for (int i = 0; i < kVectors; i++) own[i] = load<V>(from + first * kWidth + i * kLanes<T>);
    for (int64_t j = 0; j < n; j++) {
      const T* const v = value(j) + first;
      T* const out = to(j) + first * kWidth;
      for (int i = 0; i < kVectors; i++)
        store(out + i * kLanes<T>, load<V>(out + i * kLanes<T>) + v[i / kParts] * own[i]);
    }
  });
}

// The same for blocks of any width.
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

// The largest values of row r; gives the number of columns touched. In `vectors` of `lanes`, or, if
// these are 0, one by one.
template <int vectors, int lanes, class T>
[[gnu::always_inline]] inline int64_t find_most(const ModuleFeatures<T>& m, const Heard<T>& heard,
                                                NodeId r) {
  using V = Vec<T, lanes>;
  const int64_t stride = vectors > 0 ? vectors * lanes : m.stride;
  const auto each = [&](T* to, auto chosen) {
    if constexpr (vectors > 0)
      for (int i = 0; i < vectors; i++)
        store(to + i * lanes, V(chosen(load<V>(to + i * lanes), i * lanes)));
    else
      for (int64_t k = 0; k < stride; k++) to[k] = chosen(to[k], k);
  };
  const Offset begin = heard.start[r], end = heard.start[r + 1];
  int64_t found = 0;
  for (Offset i = begin; i < end; i++) {
    const NodeId node = heard.index[i];
    for (Offset e = m.start[node]; e < m.start[node + 1]; e++) {
      const NodeId c = m.index[e];
      const T* const value = m.value + e * stride;
      T* const most = heard.most + c * stride;
      if (heard.seen[c]++ == 0) {
        heard.touched[found++] = c;
        __builtin_memcpy(most, value, size_t(stride) * sizeof(T));
      } else {
        each(most, [&](auto now, int64_t at) {
          const auto other = load<decltype(now)>(value + at);
          return now > other ? now : other;
        });
      }
    }
  }
  for (int64_t j = 0; j < found; j++) {
    const NodeId c = heard.touched[j];
    if (heard.seen[c] != int32_t(end - begin))  // it is 0 in some row
      each(heard.most + c * stride, [](auto now, int64_t) {
        const decltype(now) zero = {};
        return now > zero ? now : zero;
      });
    heard.seen[c] = 0;
  }
  return found;
}

// Runs rows(r, number of columns touched) for each row, after its largest values were found.
template <class T, class Rows>
[[gnu::always_inline]] inline void for_most(const ModuleFeatures<T>& m, const Heard<T>& heard,
                                            NodeId first, NodeId last, Rows rows) {
  constexpr int L = kLanes<T>;
  const auto with = [&](auto vectors, auto lanes) {
    for (NodeId r = first; r < last; r++)
      rows(r, find_most<decltype(vectors)::value, decltype(lanes)::value>(m, heard, r));
  };
  if (m.stride == 1)
    with(Number<1>(), Number<1>());
  else if (m.stride == 8)
    with(Number<8 / L>(), Number<L>());
  else if (m.stride == 16)
    with(Number<16 / L>(), Number<L>());
  else
    with(Number<0>(), Number<1>());
}

}  // namespace

template <class T>
void module_rows(const ModuleFeatures<T>& m, NodeId first, NodeId last) {
  const int64_t cols = m.count * m.d;
  for (NodeId r = first; r < last; r++) {
    const Offset begin = m.start[r], n = m.start[r + 1] - begin;
    T* const to = m.to + r * cols;
    const auto value = [&](Offset j) { return m.value + (begin + j) * m.stride; };
    const auto from = [&](Offset j) { return m.from + m.index[begin + j] * cols; };
    if (m.d == kWidth) {
      sum_blocks<false>(m.count, n, value, from, to);
      continue;
    }
    for (int64_t c = 0; c < cols; c++) to[c] = 0;
    for (Offset j = 0; j < n; j++) add_blocks(m.count, m.d, value(j), from(j), to);
  }
}

template <class T>
void outer_rows(const ModuleFeatures<T>& m, NodeId first, NodeId last) {
  const int64_t cols = m.count * m.d;
  for (NodeId r = first; r < last; r++) {
    const Offset begin = m.start[r], n = m.start[r + 1] - begin;
    const T* const from = m.from + r * cols;
    const auto value = [&](Offset j) { return m.value + (begin + j) * m.stride; };
    const auto to = [&](Offset j) { return m.to + m.index[begin + j] * cols; };
    if (m.d == kWidth)
      spread_blocks(m.count, n, value, from, to);
    else
      for (Offset j = 0; j < n; j++) add_blocks(m.count, m.d, value(j), from, to(j));
  }
}

template <class T>
void max_rows(const ModuleFeatures<T>& m, const Heard<T>& heard, NodeId first, NodeId last) {
  const int64_t cols = m.count * m.d;
  const auto value = [&](int64_t j) { return heard.most + heard.touched[j] * m.stride; };
  const auto from = [&](int64_t j) { return m.from + heard.touched[j] * cols; };
  for_most(m, heard, first, last, [&](NodeId r, int64_t found) {
    T* const to = m.to + r * cols;
    if (m.d == kWidth)
      sum_blocks<true>(m.count, found, value, from, to);
    else
      for (int64_t j = 0; j < found; j++) add_blocks(m.count, m.d, value(j), from(j), to);
  });
}

template <class T>
void max_outer_rows(const ModuleFeatures<T>& m, const Heard<T>& heard, NodeId first, NodeId last) {
  const int64_t cols = m.count * m.d;
  const auto value = [&](int64_t j) { return heard.most + heard.touched[j] * m.stride; };
  const auto to = [&](int64_t j) { return m.to + heard.touched[j] * cols; };
  for_most(m, heard, first, last, [&](NodeId r, int64_t found) {
    const T* const from = m.from + r * cols;
    if (m.d == kWidth)
      spread_blocks(m.count, found, value, from, to);
    else
      for (int64_t j = 0; j < found; j++) add_blocks(m.count, m.d, value(j), from, to(j));
  });
}

#define MGNN_INSTANTIATE(T)                                                          \
  template void drop_each(const DropEach<T>&, Offset, Offset);                       \
  template void module_rows(const ModuleFeatures<T>&, NodeId, NodeId);               \
  template void outer_rows(const ModuleFeatures<T>&, NodeId, NodeId);                \
  template void max_rows(const ModuleFeatures<T>&, const Heard<T>&, NodeId, NodeId); \
  template void max_outer_rows(const ModuleFeatures<T>&, const Heard<T>&, NodeId, NodeId);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)

}  // namespace mgnn::MGNN_KERNEL
