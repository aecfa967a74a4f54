// The sums of a few columns of a few matrices stay in registers while a row of the pattern goes
// by; for more columns or matrices the row is read again, then from the cache.

#include "mgnn/tensor/spmm_kernel.h"

#include "mgnn/tensor/vector_kernel.h"

namespace mgnn::MGNN_KERNEL {
namespace {

enum class Blocks { spread, each };

// Matrices k .. k + many - 1, columns c .. c + vectors * lanes - 1 of one row.
template <Blocks blocks, int many, int vectors, int lanes, class T, class U>
inline __attribute__((always_inline)) void row_chunk(const Spmm<T, U>& m, Offset begin, Offset end,
                                                     int64_t k, int64_t c, T* y) {
  using V = Vec<T, lanes>;
  const int64_t x_cols = blocks == Blocks::each ? m.count * m.d : m.d;
  V sum[many][vectors] = {};
  for (Offset e = begin; e < end; e++) {
    const U* value = m.value + (m.place ? m.place[e] : e) * m.count + k;
    const T* x = m.x + m.index[e] * x_cols + c;
    for (int i = 0; i < many; i++)
      for (int v = 0; v < vectors; v++) {
        const T* from = blocks == Blocks::each ? x + (k + i) * m.d : x;
        sum[i][v] += T(value[i]) * load<V>(from + v * lanes);
      }
  }
  for (int i = 0; i < many; i++)
    for (int v = 0; v < vectors; v++) {
      T* to = y + (k + i) * m.d + c + v * lanes;
      store(to, m.add ? load<V>(to) + sum[i][v] : sum[i][v]);
    }
}

template <Blocks blocks, int vectors, int lanes, class T, class U>
void rows_chunk(const Spmm<T, U>& m, NodeId first, NodeId last, int64_t c) {
  for (NodeId r = first; r < last; r++) {
    const Offset begin = m.start[r], end = m.start[r + 1];
    T* y = m.y + r * m.count * m.d;
    int64_t k = 0;
    for (; k + 5 <= m.count; k += 5) row_chunk<blocks, 5, vectors, lanes>(m, begin, end, k, c, y);
    for (; k + 2 <= m.count; k += 2) row_chunk<blocks, 2, vectors, lanes>(m, begin, end, k, c, y);
    for (; k < m.count; k++) row_chunk<blocks, 1, vectors, lanes>(m, begin, end, k, c, y);
  }
}

template <Blocks blocks, class T, class U>
void rows(const Spmm<T, U>& m, NodeId first, NodeId last) {
  constexpr int kFull = kLanes<T>;
  int64_t c = 0;
  for (; c + 2 * kFull <= m.d; c += 2 * kFull) rows_chunk<blocks, 2, kFull>(m, first, last, c);
  for (; c + kFull <= m.d; c += kFull) rows_chunk<blocks, 1, kFull>(m, first, last, c);
  for (; c + kFull / 2 <= m.d; c += kFull / 2) rows_chunk<blocks, 1, kFull / 2>(m, first, last, c);
  for (; c < m.d; c++) rows_chunk<blocks, 1, 1>(m, first, last, c);
}

template <int vectors, int lanes, class T, class U>
void gather_chunk(const Spmm<T, U>& m, NodeId first, NodeId last, int64_t c) {
  using V = Vec<T, lanes>;
  constexpr int kChains = 4;  // sums under way at once, to hide the latency
  for (NodeId r = first; r < last; r++) {
    V sum[kChains][vectors] = {};
    for (Offset e = m.start[r]; e < m.start[r + 1]; e++) {
      const U* value = m.value + (m.place ? m.place[e] : e) * m.count;
      const T* x = m.x + m.index[e] * m.count * m.d + c;
      int64_t k = 0;
      for (; k + kChains <= m.count; k += kChains)
        for (int i = 0; i < kChains; i++)
          for (int v = 0; v < vectors; v++)
            sum[i][v] += T(value[k + i]) * load<V>(x + (k + i) * m.d + v * lanes);
      for (; k < m.count; k++)
        for (int v = 0; v < vectors; v++)
          sum[0][v] += T(value[k]) * load<V>(x + k * m.d + v * lanes);
    }
    for (int v = 0; v < vectors; v++) {
      T* to = m.y + r * m.d + c + v * lanes;
      const V all = (sum[0][v] + sum[1][v]) + (sum[2][v] + sum[3][v]);
      store(to, m.add ? load<V>(to) + all : all);
    }
  }
}

}  // namespace

template <class T, class U>
void spmm_spread(const Spmm<T, U>& m, NodeId first, NodeId last) {
  rows<Blocks::spread>(m, first, last);
}

template <class T, class U>
void spmm_each(const Spmm<T, U>& m, NodeId first, NodeId last) {
  rows<Blocks::each>(m, first, last);
}

template <class T, class U>
void spmm_gather(const Spmm<T, U>& m, NodeId first, NodeId last) {
  constexpr int kFull = kLanes<T>;
  int64_t c = 0;
  for (; c + 2 * kFull <= m.d; c += 2 * kFull) gather_chunk<2, kFull>(m, first, last, c);
  for (; c + kFull <= m.d; c += kFull) gather_chunk<1, kFull>(m, first, last, c);
  for (; c + kFull / 2 <= m.d; c += kFull / 2) gather_chunk<1, kFull / 2>(m, first, last, c);
  for (; c < m.d; c++) gather_chunk<1, 1>(m, first, last, c);
}

#define MGNN_INSTANTIATE(T, U)                                  \
  template void spmm_spread(const Spmm<T, U>&, NodeId, NodeId); \
  template void spmm_each(const Spmm<T, U>&, NodeId, NodeId);   \
  template void spmm_gather(const Spmm<T, U>&, NodeId, NodeId);
MGNN_INSTANTIATE(float, float)
MGNN_INSTANTIATE(double, float)
MGNN_INSTANTIATE(double, double)

}  // namespace mgnn::MGNN_KERNEL
