// x is marked: mark[k] = 7 · type(x, k) for its neighbours k. For a lower neighbour v the upper row
// of v is looked up in the marks. A hit k is a triangle x, v, k in which v is ranked last; it adds
// one to the cell (type(v, k), type(x, k)) of the pair (v, x), and, if k is ranked before x, to the
// cell (type(x, v), type(k, v)) of the pair (x, k). So every triangle is found twice and counted at
// its three pairs, each written by one owner.
//
// Nine counters of seven bits share a 64-bit word: a look-up adds 1 << (21 · type(v, k) + mark[k]),
// and since misses are marked 127 they shift the one out. AVX2 does eight look-ups at a time with
// four such words twice; hits before x are packed to a list by a permutation, and counted when many
// have come together.

#include "mgnn/motif/triangle_kernel.h"

#include <algorithm>
#include <cstring>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace mgnn {
namespace MGNN_KERNEL {
namespace {

constexpr int kRowsAhead = 8, kStartsAhead = 24;  // of the scan, for prefetches

// Inlined by force: g++ takes a function that only prefetches for one without effect, and drops it.
[[gnu::always_inline]] inline void prefetch_row(const uint32_t* upper_start, const uint32_t* upper,
                                                const LowerNeighbour* at) {
  __builtin_prefetch(&upper_start[at[kStartsAhead].rank_and_type >> 2]);
  const uint32_t next = at[kRowsAhead].rank_and_type >> 2;
  const uint32_t* row = upper + upper_start[next];
  const uint32_t* const end = upper + upper_start[next + 1];
  __builtin_prefetch(row);
  for (row += 16; row < end; row += 16) __builtin_prefetch(row);
}

inline void count_below(const ScanJob& job, uint32_t type, const uint32_t* end) {
  uint16_t* const below = job.below + size_t(type) * job.upper_size * 4;
  const uint16_t* const position = job.position;
  for (const uint32_t* hit = job.hits + size_t(type) * job.hits_size; hit < end; hit++)
    below[size_t(position[*hit >> 2]) * 4 + (*hit & 3)]++;
}

#ifdef __AVX2__

struct PackTable {
  alignas(64) uint8_t lane[256][8];  // small, for the first level cache is full of marks
  constexpr PackTable() : lane{} {
    for (int mask = 0; mask < 256; mask++)
      for (int from = 0, to = 0; from < 8; from++)
        if (mask >> from & 1) lane[mask][to++] = uint8_t(from);
  }
};
constexpr PackTable kPack;
alignas(16) constexpr uint8_t kTail[16] = {255, 255, 255, 255, 255, 255, 255, 255};

inline uint64_t two_entries(const uint32_t* row) {
  uint64_t two;
  std::memcpy(&two, row, sizeof two);
  return two;
}

// Marks of eight entries, read one by one: a gather takes longer on most machines.
inline __m128i marks_of(const uint8_t* mark, const uint32_t* row) {
  const uint64_t a = two_entries(row), b = two_entries(row + 2);
  const uint64_t c = two_entries(row + 4), d = two_entries(row + 6);
  __m128i marks = _mm_cvtsi32_si128(mark[uint32_t(a) >> 2]);
  marks = _mm_insert_epi8(marks, mark[a >> 34], 1);
  marks = _mm_insert_epi8(marks, mark[uint32_t(b) >> 2], 2);
  marks = _mm_insert_epi8(marks, mark[b >> 34], 3);
  marks = _mm_insert_epi8(marks, mark[uint32_t(c) >> 2], 4);
  marks = _mm_insert_epi8(marks, mark[c >> 34], 5);
  marks = _mm_insert_epi8(marks, mark[uint32_t(d) >> 2], 6);
  return _mm_insert_epi8(marks, mark[d >> 34], 7);
}

// The same for a row's last `count` entries, at most eight; what comes after them is unmarked.
inline __m128i last_marks_of(const uint8_t* mark, const uint32_t* row, ptrdiff_t count) {
  const __m128i in_row = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kTail + 8 - count));
  return _mm_blendv_epi8(_mm_set1_epi8(kUnmarked), marks_of(mark, row), in_row);
}

// Where the counter of each look-up is in a word; beyond it for a miss. Marks are without flags.
inline __m256i shifts(const uint32_t* row, __m128i marks) {
  const __m256i entries = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
  const __m256i type = _mm256_and_si256(entries, _mm256_set1_epi32(3));
  return _mm256_add_epi32(_mm256_cvtepu8_epi32(marks),
                          _mm256_mullo_epi16(type, _mm256_set1_epi32(21)));
}

inline __m256i counted(__m128i shifts) {
  return _mm256_sllv_epi64(_mm256_set1_epi64x(1), _mm256_cvtepu32_epi64(shifts));
}

struct Scan {
  __m256i even = _mm256_setzero_si256(), odd = _mm256_setzero_si256();  // packed counters
  uint32_t* hits_end;

  void count(const uint32_t* row, __m128i marks) {
    const __m256i entries = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
    const __m256i shift = shifts(row, _mm_and_si128(marks, _mm_set1_epi8(0x7F)));
    even = _mm256_add_epi64(even, counted(_mm256_castsi256_si128(shift)));
    odd = _mm256_add_epi64(odd, counted(_mm256_extracti128_si256(shift, 1)));
    const auto hit_mask = unsigned(_mm_movemask_epi8(marks));
    const __m256i pack = _mm256_cvtepu8_epi32(
        _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kPack.lane[hit_mask])));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(hits_end),
                        _mm256_permutevar8x32_epi32(entries, pack));
    hits_end += __builtin_popcount(hit_mask);
  }
};

// Looks up row .. stop - 1, which is not empty; returns in how many steps.
inline int count_row(const CountJob& job, const uint32_t* row, const uint32_t* stop,
                     uint64_t* words) {
  auto* const memory = reinterpret_cast<__m256i*>(words);
  __m256i even = _mm256_load_si256(memory), odd = _mm256_load_si256(memory + 1);
  const auto add = [&](__m128i marks, const uint32_t* entries) {
    const __m256i shift = shifts(entries, marks);
    even = _mm256_add_epi64(even, counted(_mm256_castsi256_si128(shift)));
    odd = _mm256_add_epi64(odd, counted(_mm256_extracti128_si256(shift, 1)));
  };
  const int steps = int((stop - row + 7) / 8);
  for (; stop - row > 8; row += 8) add(marks_of(job.mark, row), row);
  add(last_marks_of(job.mark, row, stop - row), row);
  _mm256_store_si256(memory, even);
  _mm256_store_si256(memory + 1, odd);
  return steps;
}

// Adds nine packed counters to eight lanes of 16 bits and a ninth counter.
inline void unpack(uint64_t packed, __m128i& eight, uint32_t& ninth) {
  const auto bytes = static_cast<long long>(_pdep_u64(packed, 0x7F7F7F7F7F7F7F7Full));
  eight = _mm_add_epi16(eight, _mm_cvtepu8_epi16(_mm_cvtsi64_si128(bytes)));
  ninth += uint32_t(packed >> 56);
}

// A row of at most 127 entries: the eight words together do not overflow either.
inline uint32_t* scan_short_row(const ScanJob& job, const uint32_t* row, const uint32_t* end,
                                uint16_t* above, uint32_t* hits_end) {
  Scan scan{.hits_end = hits_end};
  for (; end - row > 8; row += 8) scan.count(row, marks_of(job.mark, row));
  scan.count(row, last_marks_of(job.mark, row, end - row));
  const __m256i four = _mm256_add_epi64(scan.even, scan.odd);
  const __m128i two =
      _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
  __m128i eight = _mm_setzero_si128();
  uint32_t ninth = 0;
  unpack(uint64_t(_mm_cvtsi128_si64(two)) + uint64_t(_mm_extract_epi64(two, 1)), eight, ninth);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(above), eight);
  above[8] = uint16_t(ninth);
  return scan.hits_end;
}

// Scans a row that is not empty; returns the new end of the list of hits.
inline uint32_t* scan_row(const ScanJob& job, const uint32_t* row, const uint32_t* end,
                          uint16_t* above, uint32_t* hits_end) {
  if (end - row <= 127) return scan_short_row(job, row, end, above, hits_end);
  constexpr ptrdiff_t kMaxLookUps = 8 * 127;  // a word takes one count of every eight
  __m128i eight = _mm_setzero_si128();
  uint32_t ninth = 0;
  do {
    const uint32_t* const stop = end - row > kMaxLookUps ? row + kMaxLookUps : end;
    Scan scan{.hits_end = hits_end};
    for (; stop - row > 8; row += 8) scan.count(row, marks_of(job.mark, row));
    scan.count(row, last_marks_of(job.mark, row, stop - row));
    row = stop;
    hits_end = scan.hits_end;
    alignas(32) uint64_t words[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(words), scan.even);
    _mm256_store_si256(reinterpret_cast<__m256i*>(words + 4), scan.odd);
    for (const uint64_t word : words) unpack(word, eight, ninth);
  } while (row < end);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(above), eight);
  above[8] = uint16_t(ninth);
  return hits_end;
}

// Counts of the three types that x sees, each by the type that w sees.
inline void store_cells(const uint16_t* out, const uint16_t* in, const uint16_t* both,
                        uint16_t* to) {
  const auto four = [](const uint16_t* cells) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(cells));
  };
  const __m128i six =
      _mm_shuffle_epi8(_mm_unpacklo_epi64(four(out), four(in)),
                       _mm_setr_epi8(2, 3, 0, 1, 4, 5, 10, 11, 8, 9, 12, 13, -1, -1, -1, -1));
  const __m128i two = _mm_shuffle_epi8(
      four(both), _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, 3, 0, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_or_si128(six, two));
  to[8] = both[kBoth];
}

#else

inline void store_cells(const uint16_t* out, const uint16_t* in, const uint16_t* both,
                        uint16_t* to) {
  for (const uint16_t* const cells : {out, in, both}) {
    *to++ = cells[kIn];
    *to++ = cells[kOut];
    *to++ = cells[kBoth];
  }
}

inline uint32_t* scan_row(const ScanJob& job, const uint32_t* row, const uint32_t* end,
                          uint16_t* above, uint32_t* hits_end) {
  uint32_t cell[9] = {};
  while (row < end) {
    uint64_t packed = 0;
    for (const uint32_t* const stop = row + std::min<ptrdiff_t>(end - row, 127); row < stop;
         row++) {
      const uint32_t entry = *row, mark = job.mark[entry >> 2];
      const uint32_t shift = (mark & 0x7F) + (entry & 3) * 21;
      packed += uint64_t(shift < 64) << (shift & 63);
      *hits_end = entry;
      hits_end += mark >> 7;
    }
    for (int c = 0; c < 9; c++) cell[c] += uint32_t(packed >> (7 * c) & 0x7F);
  }
  for (int c = 0; c < 9; c++) above[c] = uint16_t(cell[c]);
  return hits_end;
}

inline int count_row(const CountJob& job, const uint32_t* row, const uint32_t* stop,
                     uint64_t* words) {
  const int steps = int((stop - row + 7) / 8);
  for (int w = 0; row < stop; row++, w = (w + 1) & 7) {
    const uint32_t shift = job.mark[*row >> 2] + (*row & 3) * 21u;
    words[w] += uint64_t(shift < 64) << (shift & 63);
  }
  return steps;
}

#endif

}  // namespace

void count_types(const CountJob& job, TypeCounter& counter) {
  constexpr ptrdiff_t kAtOnce = 8;  // look-ups in a step
  for (const LowerNeighbour* at = job.first; at < job.last; at++) {
    prefetch_row(job.upper_start, job.upper, at);
    const uint32_t type = at->rank_and_type & 3;
    const uint32_t* row = job.upper + job.upper_start[at->rank_and_type >> 2];
    const uint32_t* const end = job.upper + at->slot;
    while (row < end) {
      const ptrdiff_t most = kAtOnce * (TypeCounter::kMaxSteps - counter.steps[type]);
      const uint32_t* const stop = end - row > most ? row + most : end;
      counter.steps[type] += count_row(job, row, stop, counter.word[type]);
      if (counter.steps[type] == TypeCounter::kMaxSteps) counter.flush(int(type));
      row = stop;
    }
  }
}

void scan_lower(const ScanJob& shared_job) {
  const ScanJob job = shared_job;  // a copy that no store can change: it stays in registers
  uint32_t *list[kNumTypes], *end[kNumTypes];  // of hits
  for (size_t type = 0; type < kNumTypes; type++)
    list[type] = end[type] = job.hits + type * job.hits_size;
  for (const LowerNeighbour* at = job.first; at < job.last; at++) {
    prefetch_row(job.upper_start, job.upper, at);
    __builtin_prefetch(&job.above[at[kRowsAhead].slot], 1);
    const uint32_t lower = at->rank_and_type >> 2, type = at->rank_and_type & 3;
    const uint32_t* const row = job.upper + job.upper_start[lower];
    const uint32_t* const row_end = job.upper + job.upper_start[lower + 1];
    PairHistogram& above = job.above[at->slot];
    if (row_end - row == 1) {  // x alone: no triangle
      above = {};
      continue;
    }
    end[type] = scan_row(job, row, row_end, above.count, end[type]);
    if (end[type] - list[type] < kHitBatch) continue;
    count_below(job, type, end[type]);
    end[type] = list[type];
  }
  for (uint32_t type = 0; type < kNumTypes; type++) count_below(job, type, end[type]);
}

void store_below(const uint16_t* below, size_t size, PairHistogram* histograms) {
  for (size_t p = 0; p < size; p++)
    store_cells(below + 4 * p, below + 4 * (size + p), below + 4 * (2 * size + p),
                histograms[p].count);
}

bool add_histograms(PairHistogram* above, const PairHistogram* below, size_t count) {
  static_assert(sizeof(PairHistogram) == 9 * sizeof(uint16_t));
  uint16_t* const a = above->count;
  const uint16_t* const b = below->count;
  const size_t size = 9 * count;
  uint16_t wide = 0;
  for (size_t i = 0; i < size; i++) {
    const auto sum = uint16_t(a[i] + b[i]);
    wide |= uint16_t(-uint16_t(sum < a[i] || sum == PairHistogram::kWide));
  }
  if (wide != 0) return false;
  for (size_t i = 0; i < size; i++) a[i] = uint16_t(a[i] + b[i]);
  return true;
}

}  // namespace MGNN_KERNEL
}  // namespace mgnn
