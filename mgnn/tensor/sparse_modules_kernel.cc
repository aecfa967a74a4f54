#include "mgnn/tensor/sparse_modules_kernel.h"

namespace mgnn::MGNN_KERNEL {

template <class T>
void drop_each(const DropEach<T>& d, Offset first, Offset last) {
  const T factor = T(d.mask.factor);
  for (Offset e = first; e < last; e++) {
    const T kept = factor * T(d.x[e]);
    const auto element = uint64_t(e * d.count);
    const auto high = uint32_t(element >> 32), low = uint32_t(element);
    T* const y = d.y + e * d.count;
    if (low > UINT32_MAX - uint32_t(d.count)) {  // the low half runs over on the way
      for (int64_t k = 0; k < d.count; k++)
        y[k] = d.mask.keeps(element + uint64_t(k)) ? kept : T(0);
      continue;
    }
    for (int32_t k = 0; k < int32_t(d.count); k++)
      y[k] = random_bits(d.mask.key, high, low + uint32_t(k)) >= d.mask.threshold ? kept : T(0);
  }
}

// to[k] += value[k] from[k] for K blocks of d columns; d is known beforehand where it is 16.
template <class T>
[[gnu::always_inline]] inline void add_blocks(int64_t count, int64_t d, const T* value,
                                              const T* from, T* to) {
  if (d == 16) {
    for (int64_t k = 0; k < count; k++) {
      const T v = value[k];
      if (v == 0) continue;
#pragma omp simd
      for (int64_t c = 0; c < 16; c++) to[k * 16 + c] += v * from[k * 16 + c];
    }
    return;
  }
  for (int64_t k = 0; k < count; k++) {
    const T v = value[k];
    if (v == 0) continue;
#pragma omp simd
    for (int64_t c = 0; c < d; c++) to[k * d + c] += v * from[k * d + c];
  }
}

template <class T>
void outer_rows(const ModuleFeatures<T>& m, NodeId first, NodeId last) {
  const int64_t cols = m.count * m.d;
  for (NodeId r = first; r < last; r++)
    for (Offset e = m.start[r]; e < m.start[r + 1]; e++)
      add_blocks(m.count, m.d, m.value + e * m.count, m.from + r * cols, m.to + m.index[e] * cols);
}

// The largest values of row r; gives the number of columns touched.
template <class T>
[[gnu::always_inline]] inline int64_t find_most(const ModuleFeatures<T>& m, const Heard<T>& heard,
                                                NodeId r) {
  const int64_t count = m.count;
  const Offset begin = heard.start[r], end = heard.start[r + 1];
  int64_t found = 0;
  for (Offset i = begin; i < end; i++) {
    const NodeId node = heard.index[i];
    for (Offset e = m.start[node]; e < m.start[node + 1]; e++) {
      const NodeId c = m.index[e];
      const T* const v = m.value + e * count;
      T* const most = heard.most + c * count;
      if (heard.seen[c]++ == 0) {
        heard.touched[found++] = c;
        for (int64_t k = 0; k < count; k++) most[k] = v[k];
      } else {
#pragma omp simd
        for (int64_t k = 0; k < count; k++) most[k] = most[k] > v[k] ? most[k] : v[k];
      }
    }
  }
  for (int64_t j = 0; j < found; j++) {
    const NodeId c = heard.touched[j];
    T* const most = heard.most + c * count;
    if (heard.seen[c] != int32_t(end - begin))  // it is 0 in some row
      for (int64_t k = 0; k < count; k++) most[k] = most[k] > 0 ? most[k] : T(0);
    heard.seen[c] = 0;
  }
  return found;
}

template <class T>
void max_rows(const ModuleFeatures<T>& m, const Heard<T>& heard, NodeId first, NodeId last) {
  const int64_t cols = m.count * m.d;
  for (NodeId r = first; r < last; r++) {
    const int64_t found = find_most(m, heard, r);
    for (int64_t j = 0; j < found; j++) {
      const NodeId c = heard.touched[j];
      add_blocks(m.count, m.d, heard.most + c * m.count, m.from + c * cols, m.to + r * cols);
    }
  }
}

template <class T>
void max_outer_rows(const ModuleFeatures<T>& m, const Heard<T>& heard, NodeId first, NodeId last) {
  const int64_t cols = m.count * m.d;
  for (NodeId r = first; r < last; r++) {
    const int64_t found = find_most(m, heard, r);
    for (int64_t j = 0; j < found; j++) {
      const NodeId c = heard.touched[j];
      add_blocks(m.count, m.d, heard.most + c * m.count, m.from + r * cols, m.to + c * cols);
    }
  }
}

#define MGNN_INSTANTIATE(T)                                                          \
  template void drop_each(const DropEach<T>&, Offset, Offset);                       \
  template void outer_rows(const ModuleFeatures<T>&, NodeId, NodeId);                \
  template void max_rows(const ModuleFeatures<T>&, const Heard<T>&, NodeId, NodeId); \
  template void max_outer_rows(const ModuleFeatures<T>&, const Heard<T>&, NodeId, NodeId);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)

}  // namespace mgnn::MGNN_KERNEL
