// A place (i, j) after the other, all motifs at once: motifs are the vector lanes, eight closed and
// eight open ones (pair_forms.h), and an entry is a sum of coefficient vectors times counts. What
// depends on i alone is added once per row. With AVX2 the counts of two cells are multiplied and
// added by one instruction for all lanes, as long as they fit into 15 bits. Places are computed to
// a small buffer and then copied to the arrays, many together.

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

inline Half loaded(const uint32_t* from) {
  Half half;
  std::memcpy(&half, from, sizeof half);
  return half;
}

inline void add_product(Half& sum, const uint32_t* coefficients, uint32_t count) {
  sum += loaded(coefficients) * count;
}

inline bool needs_histograms(const ValueJob& job) {
  return job.closed_lanes || job.open_lanes_need_common;
}

// Row i: what depends on i alone, and where its next place finds its pair.
struct RowWalk {
  const ValueJob& job;
  const NodeProfile& self;
  const NodeId* at;   // the next place
  const NodeId* end;  // of the row
  const uint32_t* upper;
  const uint32_t* lower;
  uint32_t slot;  // of *upper
  Half closed[kNumTypes], open[kNumTypes];

  RowWalk(const ValueJob& j, NodeId i)
      : job(j),
        self(j.pairs->profile[i]),
        at(j.pattern->index.data() + j.pattern->start[i]),
        end(j.pattern->index.data() + j.pattern->start[i + 1]),
        upper(j.pairs->upper.data() + j.pairs->upper_start[self.rank]),
        lower(j.pairs->lower_slot.data() + j.pairs->lower_start[self.rank]),
        slot(j.pairs->upper_start[self.rank]) {
    for (size_t t = 0; t < kNumTypes; t++) {
      const Lanes& constant = j.forms->constant[t];
      closed[t] = loaded(constant.data());
      Half sum = loaded(constant.data() + 8);  // in a register
      for (size_t s = 0; s < kNumTypes; s++)
        add_product(sum, j.forms->own[t][s].data() + 8, self.degree[s]);
      open[t] = sum;
    }
  }
};

// A pair as a place of its row sees it. `transposed`: the row's node is the upper one; histograms
// have the lower node first.
struct PlacePair {
  uint32_t slot;
  uint32_t type;
  bool transposed;
};

inline void counts_of(const PairHistograms& histograms, uint32_t slot, uint32_t* count) {
  const PairHistogram& h = histograms.of_slot[slot];
  for (int c = 0; c < 9; c++) count[c] = h.count[c];
  if (count[0] != PairHistogram::kWide) [[likely]]
    return;
  const WideCounts* wide = histograms.wide.data();
  size_t size = histograms.wide.size();
  while (size > 1) {
    const size_t half = size / 2;
    if (wide[half].slot <= slot) wide += half;
    size -= half;
  }
  for (int c = 0; c < 9; c++) count[c] = wide->count[c];
}

inline void diagonal_entry(const RowWalk& row, uint32_t* lanes) {
  for (int lane = 0; lane < kLanes; lane++) {
    lanes[lane] = 0;
    for (int s = 0; s < kNumTypes; s++)
      lanes[lane] += row.job.forms->diagonal[s][lane] * row.self.degree[s];
  }
}

inline void add_common_plain(const ValueJob& job, const PlacePair& pair, Half& closed, Half& open) {
  uint32_t count[9];
  counts_of(*job.histograms, pair.slot, count);
  for (size_t c = 0; c < 9; c++) {
    const uint32_t h = count[pair.transposed ? c % 3 * 3 + c / 3 : c];
    const Lanes& coefficients = job.forms->common[pair.type][c];
    add_product(closed, coefficients.data(), h);
    if (job.open_lanes_need_common) add_product(open, coefficients.data() + 8, h);
  }
}

#ifdef __AVX2__

// Two cells at a time: sum += counts of both times coefficients of both, for eight lanes.
inline void add_cells(__m256i& sum, __m256i counts, const uint32_t* coefficients) {
  const auto* const of_cells = reinterpret_cast<const __m256i*>(coefficients);
  sum = _mm256_add_epi32(sum, _mm256_madd_epi16(counts, _mm256_load_si256(of_cells)));
}

inline void add_common(const ValueJob& job, const PlacePair& pair, Half& closed, Half& open) {
  const PairHistogram& h = job.histograms->of_slot[pair.slot];
  const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(h.count));
  const uint32_t ninth = h.count[8];
  const bool fits = _mm_testz_si128(eight, _mm_set1_epi16(INT16_MIN)) && ninth < 0x8000;
  if (!fits) [[unlikely]]
    return add_common_plain(job, pair, closed, open);
  const __m256i twice = _mm256_broadcastsi128_si256(eight);
  const __m256i cells[PairedCoefficients::kSteps] = {
      _mm256_shuffle_epi32(twice, 0x00), _mm256_shuffle_epi32(twice, 0x55),
      _mm256_shuffle_epi32(twice, 0xAA), _mm256_shuffle_epi32(twice, 0xFF),
      _mm256_set1_epi32(int(ninth))};
  const auto& coefficients = job.coefficients->common[pair.transposed][pair.type];
  auto sum = __m256i(closed);
  for (int s = 0; s < PairedCoefficients::kSteps; s++) add_cells(sum, cells[s], coefficients[s]);
  closed = Half(sum);
  if (!job.open_lanes_need_common) return;
  sum = __m256i(open);
  for (int s = 0; s < PairedCoefficients::kSteps; s++)
    add_cells(sum, cells[s], coefficients[s] + 8);
  open = Half(sum);
}

// Eight places of eight lanes to eight lanes of eight places.
inline void transpose_half(const uint32_t* from, __m256i* to) {
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

// Eight places by lane, `step` numbers from lane to lane.
inline void transpose_eight(const uint32_t* lanes, uint32_t* to, size_t step) {
  __m256i by_lane[8];
  for (size_t half = 0; half < kLanes; half += 8) {
    transpose_half(lanes + half, by_lane);
    for (size_t lane = 0; lane < 8; lane++)
      _mm256_store_si256(reinterpret_cast<__m256i*>(to + (half + lane) * step), by_lane[lane]);
  }
}

// A cache line, past the cache.
inline void stream_line(const uint32_t* from, uint32_t* to) {
  for (int half = 0; half < 16; half += 8)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + half),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + half)));
}

inline void end_stream() { _mm_sfence(); }

#else

inline void add_common(const ValueJob& job, const PlacePair& pair, Half& closed, Half& open) {
  add_common_plain(job, pair, closed, open);
}

inline void transpose_eight(const uint32_t* lanes, uint32_t* to, size_t step) {
  for (size_t p = 0; p < 8; p++)
    for (size_t lane = 0; lane < kLanes; lane++) to[lane * step + p] = lanes[p * kLanes + lane];
}

inline void stream_line(const uint32_t* from, uint32_t* to) { std::memcpy(to, from, 64); }

inline void end_stream() {}

#endif

constexpr int kAhead = 16;  // places, for prefetches

// The next `count` places of a row.
inline void entries(RowWalk& walk, NodeId i, int count, uint32_t* lanes) {
  const ValueJob job = walk.job;  // copies that no store can change: they stay in registers
  const NodeProfile* const profile = job.pairs->profile.data();
  const PairHistogram* const histograms = job.histograms->of_slot.data();
  const bool common = needs_histograms(job);
  const NodeId *at = walk.at, *const end = walk.end;
  const uint32_t *upper = walk.upper, *lower = walk.lower;
  uint32_t slot = walk.slot;
  const uint32_t rank = walk.self.rank;
  for (uint32_t* const stop = lanes + count * kLanes; lanes < stop; lanes += kLanes, at++) {
    if (*at == i) [[unlikely]] {
      diagonal_entry(walk, lanes);
      continue;
    }
    __builtin_prefetch(&profile[at[end - at > kAhead ? kAhead : 0]]);
    if (common) {
      const PairHistogram* const ahead = histograms + (lower[kAhead] >> 2);
      __builtin_prefetch(ahead);
      __builtin_prefetch(&ahead->count[8]);
    }
    const NodeProfile& other = profile[*at];
    // Branch-free: which node is the upper one is unpredictable.
    const bool above = other.rank < rank;
    const uint32_t if_above = slot << 2 | (*upper & 3), if_below = *lower;
    const uint32_t word = if_below ^ ((if_above ^ if_below) & -uint32_t(above));
    upper += above;
    slot += above;
    lower += !above;
    const PlacePair pair = {word >> 2, word & 3, !above};
    Half closed = walk.closed[pair.type], open = walk.open[pair.type];
    if (common) add_common(job, pair, closed, open);
    if (job.open_lanes)
      for (size_t s = 0; s < kNumTypes; s++)
        add_product(open, job.forms->other[pair.type][s].data() + 8, other.degree[s]);
    std::memcpy(lanes, &closed, sizeof closed);
    std::memcpy(lanes + 8, &open, sizeof open);
  }
  walk.at = at;
  walk.upper = upper;
  walk.lower = lower;
  walk.slot = slot;
}

// What the entries of a later row will read: its first places' histograms and profiles, and, still
// later, where to find them. Inlined by force, or g++ drops it as without effect.
[[gnu::always_inline]] inline void prefetch_row(const ValueJob& job, NodeId i) {
  constexpr NodeId kFarthest = 12, kFar = 6, kNear = 3;
  constexpr uint32_t kMaxPlaces = kAhead;  // later ones are fetched by `entries`
  const RankedPairs& pairs = *job.pairs;
  if (i + kFarthest >= pairs.num_nodes()) return;
  const uint32_t farthest = pairs.profile[i + kFarthest].rank;
  __builtin_prefetch(&pairs.lower_start[farthest]);
  __builtin_prefetch(&pairs.upper_start[farthest]);
  const uint32_t far = pairs.profile[i + kFar].rank;
  __builtin_prefetch(&pairs.lower_slot[pairs.lower_start[far]]);
  __builtin_prefetch(&pairs.upper[pairs.upper_start[far]]);
  const uint32_t near = pairs.profile[i + kNear].rank;
  const uint32_t begin = pairs.lower_start[near];
  const uint32_t end = std::min(pairs.lower_start[near + 1], begin + kMaxPlaces);
  if (needs_histograms(job)) {
    const PairHistogram* const histograms = job.histograms->of_slot.data();
    for (uint32_t p = begin; p < end; p++) {  // a histogram may lie on two lines
      const PairHistogram* const histogram = &histograms[pairs.lower_slot[p] >> 2];
      __builtin_prefetch(histogram);
      __builtin_prefetch(&histogram->count[8]);
    }
    __builtin_prefetch(histograms + pairs.upper_start[near]);
  }
  const Offset first = job.pattern->start[i + kNear];
  const Offset last =
      std::min<Offset>(job.pattern->start[size_t(i + kNear) + 1], first + kMaxPlaces);
  for (Offset e = first; e < last; e++) __builtin_prefetch(&pairs.profile[job.pattern->index[e]]);
}

// Buffers values on their way to the arrays. Places are computed by place, transposed to be by lane
// a block at a time, and go to each array in whole cache lines; what does not fill a line waits for
// the next block. So lines are written at once, past the cache with `stream`: without being
// read first.
class ValueWriter {
 public:
  static constexpr int kBlock = 128;

  ValueWriter(Offset begin, bool stream, const ValueOutput* outputs, int num_outputs)
      : begin_(begin), at_(begin), stream_(stream), outputs_(outputs), num_outputs_(num_outputs) {}

  int free_places() const { return kBlock - filled_; }
  uint32_t* next() { return lanes_ + filled_ * kLanes; }  // (free_places, kLanes) to be filled
  void advance(int count) {
    filled_ += count;
    if (filled_ == kBlock) flush(Flush::whole_lines);
  }
  void finish() {
    flush(Flush::everything);
    if (stream_) end_stream();
  }

 private:
  enum class Flush { whole_lines, everything };
  static constexpr int kLine = 16;  // numbers in a cache line

  static uint32_t* line_of(uint32_t* p) {
    return reinterpret_cast<uint32_t*>(reinterpret_cast<uintptr_t>(p) & ~uintptr_t(63));
  }

  void flush(Flush what) {
    for (int p = 0; p < filled_; p += 8)
      transpose_eight(lanes_ + p * kLanes, by_lane_[0] + kLine + p, kLine + kBlock);
    for (int o = 0; o < num_outputs_; o++) {
      const ValueOutput& output = outputs_[o];
      uint32_t* const begin = output.value + begin_;
      uint32_t* const at = output.value + at_;
      uint32_t* const first = std::max(begin, line_of(at));  // what is not written yet
      uint32_t* const stop = what == Flush::everything ? at + filled_ : line_of(at + filled_);
      copy(by_lane_[output.lane] + kLine - (at - first), first, stop);
    }
    if (what == Flush::everything) return;
    for (auto& of_lane : by_lane_)  // a whole block, longer than a line
      std::memcpy(of_lane, of_lane + filled_, kLine * sizeof(uint32_t));
    at_ += filled_;
    filled_ = 0;
  }

  void copy(const uint32_t* from, uint32_t* to, uint32_t* stop) const {
    if (stream_) {
      for (; to < stop && to != line_of(to); to++) *to = *from++;
      for (; stop - to >= kLine; to += kLine, from += kLine) stream_line(from, to);
    }
    for (; stop - to >= kLine; to += kLine, from += kLine)
      std::memcpy(to, from, kLine * sizeof(uint32_t));
    for (; to < stop; to++) *to = *from++;
  }

  Offset begin_;  // the first place
  Offset at_;     // the first place of the block
  int filled_ = 0;
  bool stream_;
  const ValueOutput* outputs_;
  int num_outputs_;
  alignas(64) uint32_t lanes_[kBlock * kLanes];
  // The last places of the previous block come first.
  alignas(64) uint32_t by_lane_[kLanes][kLine + kBlock];
};

}  // namespace

void write_values(const ValueJob& job, NodeId first, NodeId last, const ValueOutput* outputs,
                  int num_outputs) {
  ValueWriter writer(job.pattern->start[first], job.stream, outputs, num_outputs);
  for (NodeId i = first; i < last; i++) {  // a block goes on from row to row
    prefetch_row(job, i);
    RowWalk walk(job, i);
    while (walk.at < walk.end) {
      const int count = int(std::min<ptrdiff_t>(walk.end - walk.at, writer.free_places()));
      entries(walk, i, count, writer.next());
      writer.advance(count);
    }
  }
  writer.finish();
}

}  // namespace MGNN_KERNEL
}  // namespace mgnn
