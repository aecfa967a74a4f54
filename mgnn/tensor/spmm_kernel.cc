// The sums of a few columns of a few matrices stay in registers while a row of the pattern goes
// by; for more columns or matrices the row is read again, then from the cache.

#include "mgnn/tensor/spmm_kernel.h"

#include "mgnn/tensor/vector_kernel.h"

namespace mgnn::MGNN_KERNEL {
namespace {

enum class Blocks { broadcast, per_head };

// Columns c .. of one block: `vectors` of `lanes` lanes.
template <int vectors_, int lanes_>
struct Chunk {
  static constexpr int vectors = vectors_, lanes = lanes_;
  int64_t c;
  template <class T>
  inline __attribute__((always_inline)) Vec<T, lanes> load(const T* from) const {
    return MGNN_KERNEL::load<Vec<T, lanes>>(from);
  }
  template <class T>
  inline __attribute__((always_inline)) void store(T* to, const Vec<T, lanes>& v) const {
    MGNN_KERNEL::store(to, v);
  }
};

// One vector of which `width` lanes are used, or, where that is 0, `count`.
template <int lanes_, int width = 0>
struct Rest {
  static constexpr int vectors = 1, lanes = lanes_;
  int64_t c;
  int64_t count = width;
  template <class T>
  inline __attribute__((always_inline)) Vec<T, lanes> load(const T* from) const {
    return load_first<Vec<T, lanes>>(from, width ? width : count);
  }
  template <class T>
  inline __attribute__((always_inline)) void store(T* to, const Vec<T, lanes>& v) const {
    store_first(to, width ? width : count, v);
  }
};

// body(chunk) for chunks that together are the columns 0 .. d - 1.
template <class T, class Body>
inline void for_chunks(int64_t d, Body body) {
  constexpr int kFull = kLanes<T>;
  int64_t c = 0;
  for (; c + 2 * kFull <= d; c += 2 * kFull) body(Chunk<2, kFull>{c});
  for (; c + kFull <= d; c += kFull) body(Chunk<1, kFull>{c});
  if constexpr (kVectorBytes == 64) {  // lanes that are not used cost nothing
    if (d - c > 8) return body(Rest<kFull>{c, d - c});
    if (d - c == 8) return body(Chunk<1, 8>{c});
    if (d - c > 4) return body(Rest<8>{c, d - c});
  }
  for (; c + 4 <= d; c += 4) body(Chunk<1, 4>{c});
  if (d - c == 3) body(Rest<4, 3>{c});
  if (d - c == 2) body(Rest<4, 2>{c});
  if (d - c == 1) body(Rest<4, 1>{c});
}

// Matrices k .. k + many - 1 of one row.
template <Blocks blocks, int many, class C, class T, class U>
inline __attribute__((always_inline)) void row_chunk(const Spmm<T, U>& m, C chunk, Offset begin,
                                                     Offset end, int64_t k, T* y) {
  using V = Vec<T, C::lanes>;
  const int64_t x_cols = blocks == Blocks::per_head ? m.count * m.d : m.d;
  const int64_t value_row = m.value_row ? m.value_row : m.count;
  V sum[many][C::vectors] = {};
  for (Offset e = begin; e < end; e++) {
    const U* value = m.value + (m.place ? m.place[e] : e) * value_row + k;
    const T* x = m.x + m.index[e] * x_cols + chunk.c;
    for (int i = 0; i < many; i++)
      for (int v = 0; v < C::vectors; v++) {
        const T* from = blocks == Blocks::per_head ? x + (k + i) * m.d : x;
        sum[i][v] += T(value[i]) * chunk.load(from + v * C::lanes);
      }
  }
  for (int i = 0; i < many; i++)
    for (int v = 0; v < C::vectors; v++) {
      T* to = y + (k + i) * m.d + chunk.c + v * C::lanes;
      chunk.store(to, m.add ? chunk.load(to) + sum[i][v] : sum[i][v]);
    }
}

// One matrix, some columns: several sums are under way at once, to hide the latency.
template <class C, class T, class U>
void single_rows(const Spmm<T, U>& m, C chunk, NodeId first, NodeId last) {
  using V = Vec<T, C::lanes>;
  constexpr int kChains = C::vectors == 4 ? 2 : 4;
  const int64_t x_row = m.x_row ? m.x_row : m.d, y_row = m.y_row ? m.y_row : m.d;
  const T* const columns = m.x + chunk.c;
  for (NodeId r = first; r < last; r++) {
    V sum[kChains][C::vectors] = {};
    const auto add = [&](int chain, Offset e) __attribute__((always_inline)) {
      const T value = T(m.value[m.place ? m.place[e] : e]);
      const T* x = columns + m.index[e] * x_row;
      for (int v = 0; v < C::vectors; v++) sum[chain][v] += value * chunk.load(x + v * C::lanes);
    };
    const Offset end = m.start[r + 1];
    Offset e = m.start[r];
    for (; e + kChains <= end; e += kChains)
      for (int i = 0; i < kChains; i++) add(i, e + i);
    for (; e < end; e++) add(0, e);
    T* const y = m.y + r * y_row + chunk.c;
    for (int v = 0; v < C::vectors; v++) {
      V all = sum[0][v] + sum[1][v];
      if constexpr (kChains == 4) all += sum[2][v] + sum[3][v];
      if (m.plus) all += chunk.load(m.plus + r * x_row + chunk.c + v * C::lanes);
      if (m.bias) all += chunk.load(m.bias + chunk.c + v * C::lanes);
      T* const to = y + v * C::lanes;
      chunk.store(to, m.add ? chunk.load(to) + all : all);
    }
  }
}

// `many`: K, or 0 where it is known at run time only. Else row r of x stays in registers.
template <int many, class C, class T, class U>
void scatter_rows(const Spmm<T, U>& m, C chunk, NodeId first, NodeId last) {
  using V = Vec<T, C::lanes>;
  const int64_t count = many ? many : m.count;
  for (NodeId r = first; r < last; r++) {
    const T* const row = m.x + r * count * m.d + chunk.c;
    V own[many ? many : 1][C::vectors];
    for (int k = 0; k < many; k++)
      for (int v = 0; v < C::vectors; v++) own[k][v] = chunk.load(row + k * m.d + v * C::lanes);
    for (Offset e = m.start[r]; e < m.start[r + 1]; e++) {
      const U* const value = m.value + e * count;
      V sum[2][C::vectors] = {};  // under way at once, to hide the latency
      const auto add = [&](int chain, int64_t k) __attribute__((always_inline)) {
        for (int v = 0; v < C::vectors; v++)
          sum[chain][v] +=
              T(value[k]) * (many ? own[k][v] : chunk.load(row + k * m.d + v * C::lanes));
      };
      for (int64_t k = 0; k + 2 <= count; k += 2) add(0, k), add(1, k + 1);
      if (count % 2) add(0, count - 1);
      T* const y = m.y + m.index[e] * m.d + chunk.c;
      for (int v = 0; v < C::vectors; v++) {
        T* const to = y + v * C::lanes;
        chunk.store(to, chunk.load(to) + (sum[0][v] + sum[1][v]));
      }
    }
  }
}

// The same, in chunks of up to four vectors.
template <class T, class Body>
inline void for_wide_chunks(int64_t d, Body body) {
  constexpr int kWide = 4 * kLanes<T>;
  int64_t c = 0;
  for (; c + kWide <= d; c += kWide) body(Chunk<4, kLanes<T>>{c});
  for_chunks<T>(d - c, [&](auto chunk) {
    chunk.c += c;
    body(chunk);
  });
}

template <Blocks blocks, class T, class U>
void rows(const Spmm<T, U>& m, NodeId first, NodeId last) {
  for_chunks<T>(m.d, [&](auto chunk) {
    for (NodeId r = first; r < last; r++) {
      const Offset begin = m.start[r], end = m.start[r + 1];
      T* y = m.y + r * m.count * m.d;
      int64_t k = 0;
      if constexpr (kVectorBytes == 64) {  // 13 sums fit in the registers
        for (; k + 13 <= m.count; k += 13) row_chunk<blocks, 13>(m, chunk, begin, end, k, y);
        for (; k + 6 <= m.count; k += 6) row_chunk<blocks, 6>(m, chunk, begin, end, k, y);
      }
      for (; k + 5 <= m.count; k += 5) row_chunk<blocks, 5>(m, chunk, begin, end, k, y);
      for (; k + 2 <= m.count; k += 2) row_chunk<blocks, 2>(m, chunk, begin, end, k, y);
      for (; k < m.count; k++) row_chunk<blocks, 1>(m, chunk, begin, end, k, y);
    }
  });
}

template <class C, class T, class U>
void gather_rows(const Spmm<T, U>& m, C chunk, NodeId first, NodeId last) {
  using V = Vec<T, C::lanes>;
  constexpr int kChains = 4;    // sums under way at once, to hide the latency
  constexpr Offset kAhead = 8;  // non-zeros whose rows are fetched before they are needed
  const Offset end = m.start[last];
  const int64_t row_bytes = m.count * m.d * int64_t(sizeof(T));
  for (NodeId r = first; r < last; r++) {
    V sum[kChains][C::vectors] = {};
    const auto add = [&](int chain, T value, const T* x) __attribute__((always_inline)) {
      for (int v = 0; v < C::vectors; v++) sum[chain][v] += value * chunk.load(x + v * C::lanes);
    };
    for (Offset e = m.start[r]; e < m.start[r + 1]; e++) {
      const U* value = m.value + (m.place ? m.place[e] : e) * m.count;
      const T* x = m.x + m.index[e] * m.count * m.d + chunk.c;
      if (e + kAhead < end)
        for (int64_t line = 0; line < row_bytes; line += 64)
          __builtin_prefetch((const char*)(m.x + m.index[e + kAhead] * m.count * m.d) + line);
      int64_t k = 0;
      for (; k + kChains <= m.count; k += kChains)
        for (int i = 0; i < kChains; i++) add(i, T(value[k + i]), x + (k + i) * m.d);
      for (; k < m.count; k++) add(0, T(value[k]), x + k * m.d);
    }
    for (int v = 0; v < C::vectors; v++) {
      T* to = m.y + r * m.d + chunk.c + v * C::lanes;
      const V all = (sum[0][v] + sum[1][v]) + (sum[2][v] + sum[3][v]);
      chunk.store(to, m.add ? chunk.load(to) + all : all);
    }
  }
}

}  // namespace

template <class T, class U>
void spmm_broadcast(const Spmm<T, U>& m, NodeId first, NodeId last) {
  if (m.count == 1)
    for_wide_chunks<T>(m.d, [&](auto chunk) { single_rows(m, chunk, first, last); });
  else
    rows<Blocks::broadcast>(m, first, last);
}

template <class T, class U>
void spmm_per_head(const Spmm<T, U>& m, NodeId first, NodeId last) {
  rows<Blocks::per_head>(m, first, last);
}

template <class T, class U>
void spmm_gather(const Spmm<T, U>& m, NodeId first, NodeId last) {
  for_chunks<T>(m.d, [&](auto chunk) { gather_rows(m, chunk, first, last); });
}

template <class T, class U>
void spmm_scatter(const Spmm<T, U>& m, NodeId first, NodeId last) {
  if (m.count == 1)
    for_wide_chunks<T>(m.d, [&](auto chunk) { scatter_rows<1>(m, chunk, first, last); });
  else if (kVectorBytes == 64 && m.count == 13)  // x fits in the registers
    for_chunks<T>(m.d, [&](auto chunk) { scatter_rows<13>(m, chunk, first, last); });
  else
    for_chunks<T>(m.d, [&](auto chunk) { scatter_rows<0>(m, chunk, first, last); });
}

#define MGNN_INSTANTIATE(T, U)                                     \
  template void spmm_broadcast(const Spmm<T, U>&, NodeId, NodeId); \
  template void spmm_per_head(const Spmm<T, U>&, NodeId, NodeId);  \
  template void spmm_gather(const Spmm<T, U>&, NodeId, NodeId);    \
  template void spmm_scatter(const Spmm<T, U>&, NodeId, NodeId);
MGNN_INSTANTIATE(float, float)
MGNN_INSTANTIATE(double, float)
MGNN_INSTANTIATE(double, double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn::MGNN_KERNEL
