// Products of sparse features with what one network at a time keeps of them: its weights stay in
// the nearest cache, and what it drops costs nothing. Included by *_kernel.cc only.
#pragma once

#include "mgnn/tensor/sparse_modules_kernel.h"
#include "mgnn/tensor/vector_kernel.h"

namespace mgnn::MGNN_KERNEL {
namespace {

constexpr int64_t kListWidth = 16;  // columns of a network

#ifdef __AVX512F__

constexpr Offset kListed = 64;  // non-zeros that are looked at together

// The columns and values of those that are kept, with a vector of zeros behind them.
struct KeptList {
  int count;
  NodeId column[kListed + 16];
  float value[kListed + 16];
};

[[gnu::always_inline]] inline void fill(KeptList& list, const ModuleFeatures<float>& m, int k,
                                        Offset e, Offset n) {
  const __m256i bit = _mm256_set1_epi16(int16_t(1 << k));
  const __m512 factor = _mm512_set1_ps(m.factor);
  int count = 0;
  const auto append = [&](__mmask16 kept, __m512i columns, __m512 values) {
    _mm512_storeu_si512(list.column + count, _mm512_maskz_compress_epi32(kept, columns));
    _mm512_storeu_ps(list.value + count, _mm512_maskz_compress_ps(kept, values));
    count += __builtin_popcount(kept);
  };
  for (Offset j = 0; j < n; j += 16) {
    const auto here = __mmask16(n - j < 16 ? (1u << (n - j)) - 1 : 0xFFFFu);
    const __m256i bits = _mm256_maskz_loadu_epi16(here, m.kept + e + j);
    append(_mm256_test_epi16_mask(bits, bit), _mm512_maskz_loadu_epi32(here, m.index + e + j),
           _mm512_mul_ps(factor, _mm512_maskz_loadu_ps(here, m.value + e + j)));
  }
  append(0, _mm512_setzero_si512(), _mm512_setzero_ps());
  list.count = count;
}

// part(r, k, list, whether it is the first) for the rows and networks, in lists of part of a row.
template <class Part>
[[gnu::always_inline]] inline void for_lists(const ModuleFeatures<float>& m, NodeId first,
                                             NodeId last, Part part) {
  constexpr NodeId kRows = 256;  // whose features stay in the second cache
  KeptList list;
  for (NodeId from = first; from < last; from += kRows)
    for (int k = 0; k < int(m.count); k++)
      for (NodeId r = from; r < last && r < from + kRows; r++) {
        const Offset begin = m.start[r], end = m.start[r + 1];
        Offset e = begin;
        do {
          fill(list, m, k, e, end - e < kListed ? end - e : kListed);
          part(r, k, list, e == begin);
          e += kListed;
        } while (e < end);
      }
}

inline bool lists_pay(const ModuleFeatures<float>& m) { return m.d == kListWidth && m.count > 1; }

// The same as module_rows.
inline void sum_lists(const ModuleFeatures<float>& m, NodeId first, NodeId last) {
  using V = Vec<float, kListWidth>;
  for_lists(m, first, last, [&](NodeId r, int k, const KeptList& list, bool begins) {
    const float* const from = m.from + k * kListWidth;
    V sum[4] = {};  // several under way at once, to hide the latency
    for (int j = 0; j < list.count; j += 4)
      for (int i = 0; i < 4; i++)
        sum[i] += list.value[j + i] * load<V>(from + list.column[j + i] * m.row);
    float* const to = m.to + r * m.row + k * kListWidth;
    const V all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    store(to, begins ? all : load<V>(to) + all);
  });
}

// The same as outer_rows.
inline void spread_lists(const ModuleFeatures<float>& m, NodeId first, NodeId last) {
  using V = Vec<float, kListWidth>;
  for_lists(m, first, last, [&](NodeId r, int k, const KeptList& list, bool) {
    const V own = load<V>(m.from + r * m.row + k * kListWidth);
    float* const to = m.to + k * kListWidth;
    for (int j = 0; j < list.count; j++) {
      float* const at = to + list.column[j] * m.row;
      store(at, load<V>(at) + list.value[j] * own);
    }
  });
}

#else

inline bool lists_pay(const ModuleFeatures<float>&) { return false; }
inline void sum_lists(const ModuleFeatures<float>&, NodeId, NodeId) {}
inline void spread_lists(const ModuleFeatures<float>&, NodeId, NodeId) {}

#endif

inline bool lists_pay(const ModuleFeatures<double>&) { return false; }
inline void sum_lists(const ModuleFeatures<double>&, NodeId, NodeId) {}
inline void spread_lists(const ModuleFeatures<double>&, NodeId, NodeId) {}

}  // namespace
}  // namespace mgnn::MGNN_KERNEL
