// A place (i, j) after the other, all motifs at once: motifs are the vector lanes, eight closed and
// eight open ones (pair_forms.h), and an entry is a sum of coefficient vectors times counts. What
// depends on i alone is added once per row. With AVX2 a cell's two counts, above and below, are
// multiplied and added by one instruction for all lanes, as long as they fit into 15 bits. Places
// of a block are computed to a small buffer and then copied to the arrays, eight by eight.

#include "mgnn/motif/value_kernel.h"

#include <algorithm>
#include <cstring>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace mgnn {
namespace MGNN_KERNEL {
namespace {

typedef uint32_t Half __attribute__((vector_size(32)));  // eight lanes
constexpr int kBlock = 64;                               // places in the buffer

inline void load(Half& half, const uint32_t* from) { std::memcpy(&half, from, sizeof half); }

inline void add_product(Half& sum, const uint32_t* coefficients, uint32_t count) {
  Half half;
  load(half, coefficients);
  sum += half * count;
}

inline bool needs_histograms(const ValueJob& job) {
  return job.closed_lanes || job.open_lanes_need_common;
}

struct RowWalk {
  const ValueJob& job;
  const NodeProfile& self;
  const uint32_t* upper;
  const uint32_t* lower;
  uint32_t slot;                            // of *upper
  Half closed[kNumTypes], open[kNumTypes];  // what depends on i alone

  RowWalk(const ValueJob& j, NodeId i)
      : job(j),
        self(j.pairs->profile[size_t(i)]),
        upper(j.pairs->upper.data() + j.pairs->upper_start[self.rank]),
        lower(j.pairs->lower_slot.data() + j.pairs->lower_start[self.rank]),
        slot(j.pairs->upper_start[self.rank]) {
    for (int t = 0; t < kNumTypes; t++) {
      load(closed[t], j.forms->constant[size_t(t)].data());
      load(open[t], j.forms->constant[size_t(t)].data() + 8);
      for (int s = 0; s < kNumTypes; s++)
        add_product(open[t], j.forms->own[size_t(t)][size_t(s)].data() + 8, self.degree[s]);
    }
  }
};

inline void counts_of(const PairHistograms& histograms, uint32_t slot, uint32_t* count) {
  const PairHistogram& h = histograms.of_slot[slot];
  for (int c = 0; c < 9; c++) count[c] = uint32_t(h.above[c]) + h.below[c];
  if (h.below[0] != PairHistogram::kWide) [[likely]]
    return;
  const WideCounts* wide = histograms.wide.data();
  size_t size = histograms.wide.size();
  while (size > 1) {
    const size_t half = size / 2;
    if (wide[half].slot <= slot) wide += half;
    size -= half;
  }
  for (int c = 0; c < 9; c++) count[c] = h.above[c] + wide->below[c];
}

inline void diagonal_entry(const RowWalk& row, uint32_t* lanes) {
  for (int lane = 0; lane < kLanes; lane++) {
    lanes[lane] = 0;
    for (int s = 0; s < kNumTypes; s++)
      lanes[lane] += row.job.forms->diagonal[size_t(s)][size_t(lane)] * row.self.degree[s];
  }
}

// Adds the common neighbours' part. `transposed` where i is the upper node: histograms have the
// lower node first.
template <bool transposed>
inline void add_common_plain(const ValueJob& job, uint32_t slot, size_t type, Half& closed,
                             Half& open) {
  uint32_t count[9];
  counts_of(*job.histograms, slot, count);
  for (size_t c = 0; c < 9; c++) {
    const uint32_t h = count[transposed ? c % 3 * 3 + c / 3 : c];
    add_product(closed, job.forms->common[type][c].data(), h);
    if (job.open_lanes_need_common) add_product(open, job.forms->common[type][c].data() + 8, h);
  }
}

#ifdef __AVX2__

template <bool transposed>
inline void add_common(const ValueJob& job, uint32_t slot, size_t type, Half& closed, Half& open) {
  const PairHistogram& h = job.histograms->of_slot[slot];
  const __m128i above = _mm_loadu_si128(reinterpret_cast<const __m128i*>(h.above));
  const __m128i below = _mm_loadu_si128(reinterpret_cast<const __m128i*>(h.below));
  const __m128i sign = _mm_set1_epi16(INT16_MIN);
  const uint32_t ninth = uint32_t(h.below[8]) << 16 | h.above[8];
  if (!_mm_testz_si128(_mm_or_si128(above, below), sign) || (ninth & 0x80008000u)) [[unlikely]]
    return add_common_plain<transposed>(job, slot, type, closed, open);
  alignas(16) uint32_t both[12];  // above | below << 16 of each cell
  _mm_store_si128(reinterpret_cast<__m128i*>(both), _mm_unpacklo_epi16(above, below));
  _mm_store_si128(reinterpret_cast<__m128i*>(both + 4), _mm_unpackhi_epi16(above, below));
  both[8] = ninth;
  const uint32_t* const coefficients = job.coefficients->common[type][0];
  auto sum = __m256i(closed), open_sum = __m256i(open);
  for (int c = 0; c < 9; c++) {
    const __m256i counts = _mm256_set1_epi32(int(both[transposed ? c % 3 * 3 + c / 3 : c]));
    const auto* const of_cell = reinterpret_cast<const __m256i*>(coefficients + c * kLanes);
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(counts, _mm256_load_si256(of_cell)));
    if (job.open_lanes_need_common)
      open_sum =
          _mm256_add_epi32(open_sum, _mm256_madd_epi16(counts, _mm256_load_si256(of_cell + 1)));
  }
  closed = Half(sum);
  open = Half(open_sum);
}

// Eight places of eight lanes to eight lanes of eight places.
inline void transpose(const uint32_t* from, __m256i* to) {
  __m256i a[8], b[8];
  for (int i = 0; i < 8; i++)
    a[i] = _mm256_load_si256(reinterpret_cast<const __m256i*>(from + i * kLanes));
  for (int i = 0; i < 8; i += 2) {
    b[i] = _mm256_unpacklo_epi32(a[i], a[i + 1]);
    b[i + 1] = _mm256_unpackhi_epi32(a[i], a[i + 1]);
  }
  for (int i = 0; i < 8; i += 4)
    for (int p = 0; p < 2; p++) {
      a[i + 2 * p] = _mm256_unpacklo_epi64(b[i + p], b[i + 2 + p]);
      a[i + 2 * p + 1] = _mm256_unpackhi_epi64(b[i + p], b[i + 2 + p]);
    }
  for (int i = 0; i < 4; i++) {
    to[i] = _mm256_permute2x128_si256(a[i], a[i + 4], 0x20);
    to[i + 4] = _mm256_permute2x128_si256(a[i], a[i + 4], 0x31);
  }
}

// The places of a block that come in eights; gives how many.
inline int copy_eights(const uint32_t* lanes, int count, Offset at, const ValueOutput* outputs,
                       int num_outputs) {
  int p = 0;
  for (; p + 8 <= count; p += 8) {
    __m256i by_lane[kLanes];
    transpose(lanes + p * kLanes, by_lane);
    transpose(lanes + p * kLanes + 8, by_lane + 8);
    for (int o = 0; o < num_outputs; o++)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(outputs[o].value + at + p),
                          by_lane[outputs[o].lane]);
  }
  return p;
}

#else

template <bool transposed>
inline void add_common(const ValueJob& job, uint32_t slot, size_t type, Half& closed, Half& open) {
  add_common_plain<transposed>(job, slot, type, closed, open);
}

inline int copy_eights(const uint32_t*, int, Offset, const ValueOutput*, int) { return 0; }

#endif

template <bool transposed>
inline void entry(const RowWalk& row, uint32_t slot, int type, const NodeProfile& other,
                  uint32_t* lanes) {
  const PairForms& forms = *row.job.forms;
  const auto t = size_t(type);
  Half closed = row.closed[type], open = row.open[type];
  if (needs_histograms(row.job)) add_common<transposed>(row.job, slot, t, closed, open);
  if (row.job.open_lanes)
    for (int s = 0; s < kNumTypes; s++)
      add_product(open, forms.other[t][size_t(s)].data() + 8, other.degree[s]);
  std::memcpy(lanes, &closed, sizeof closed);
  std::memcpy(lanes + 8, &open, sizeof open);
}

// The next `count` places of row i, from its place `begin` on.
inline void entries(RowWalk& row, NodeId i, const NodeId* begin, int count, uint32_t* lanes) {
  const RankedPairs& pairs = *row.job.pairs;
  const PairHistogram* const histograms = row.job.histograms->of_slot.data();
  for (int p = 0; p < count; p++, lanes += kLanes) {
    const NodeId j = begin[p];
    const NodeProfile& other = pairs.profile[size_t(j)];
    if (other.rank < row.self.rank) {
      entry<false>(row, row.slot++, int(*row.upper++ & 3), other, lanes);
    } else if (j != i) {
      if (needs_histograms(row.job)) __builtin_prefetch(histograms + (row.lower[16] >> 2));
      entry<true>(row, *row.lower >> 2, int(*row.lower & 3), other, lanes);
      row.lower++;
    } else {
      diagonal_entry(row, lanes);
    }
  }
}

// What the entries of a later row will read: its first places' histograms and profiles, and, still
// later, where to find them. Inlined by force, or g++ drops it as without effect.
[[gnu::always_inline]] inline void prefetch_row(const ValueJob& job, NodeId i) {
  constexpr NodeId kFarthest = 12, kFar = 6, kNear = 3;
  constexpr uint32_t kMost = 48;
  const RankedPairs& pairs = *job.pairs;
  if (i + kFarthest >= pairs.num_nodes()) return;
  const uint32_t farthest = pairs.profile[size_t(i + kFarthest)].rank;
  __builtin_prefetch(&pairs.lower_start[farthest]);
  __builtin_prefetch(&pairs.upper_start[farthest]);
  const uint32_t far = pairs.profile[size_t(i + kFar)].rank;
  __builtin_prefetch(&pairs.lower_slot[pairs.lower_start[far]]);
  __builtin_prefetch(&pairs.upper[pairs.upper_start[far]]);
  const uint32_t near = pairs.profile[size_t(i + kNear)].rank;
  const uint32_t begin = pairs.lower_start[near];
  const uint32_t end = std::min(pairs.lower_start[near + 1], begin + kMost);
  if (needs_histograms(job)) {
    const PairHistogram* const histograms = job.histograms->of_slot.data();
    for (uint32_t p = begin; p < end; p++) {  // a histogram may lie on two lines
      const PairHistogram* const histogram = &histograms[pairs.lower_slot[p] >> 2];
      __builtin_prefetch(histogram);
      __builtin_prefetch(&histogram->below[8]);
    }
    __builtin_prefetch(histograms + pairs.upper_start[near]);
  }
  const Offset first = job.pattern->start[size_t(i + kNear)];
  const Offset last = std::min<Offset>(job.pattern->start[size_t(i + kNear) + 1], first + kMost);
  for (Offset e = first; e < last; e++)
    __builtin_prefetch(&pairs.profile[size_t(job.pattern->index[size_t(e)])]);
}

template <class Take>
inline void each_block(const ValueJob& job, NodeId i, Take&& take) {
  alignas(64) uint32_t lanes[kBlock * kLanes];
  prefetch_row(job, i);
  RowWalk row(job, i);
  const Offset end = job.pattern->start[size_t(i) + 1];
  for (Offset at = job.pattern->start[size_t(i)]; at < end; at += kBlock) {
    const int count = int(end - at < kBlock ? end - at : kBlock);
    entries(row, i, job.pattern->index.data() + at, count, lanes);
    take(at, count, lanes);
  }
}

}  // namespace

void write_values(const ValueJob& job, NodeId first, NodeId last, const ValueOutput* outputs,
                  int num_outputs) {
  for (NodeId i = first; i < last; i++)
    each_block(job, i, [&](Offset at, int count, const uint32_t* lanes) {
      for (int p = copy_eights(lanes, count, at, outputs, num_outputs); p < count; p++)
        for (int o = 0; o < num_outputs; o++)
          outputs[o].value[at + p] = lanes[p * kLanes + outputs[o].lane];
    });
}

void sum_values(const ValueJob& job, NodeId first, NodeId last, int64_t* sums) {
  for (NodeId i = first; i < last; i++, sums += kLanes) {
    std::memset(sums, 0, kLanes * sizeof *sums);
    each_block(job, i, [&](Offset, int count, const uint32_t* lanes) {
      for (int p = 0; p < count; p++, lanes += kLanes)
        for (int lane = 0; lane < kLanes; lane++) sums[lane] += lanes[lane];
    });
  }
}

}  // namespace MGNN_KERNEL
}  // namespace mgnn
