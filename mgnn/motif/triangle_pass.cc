// Nodes x are taken from the largest degree down. All neighbours of x are marked; then the kernel
// (triangle_kernel.cc) scans the upper row of every lower neighbour. Counts of x's own upper pairs
// are collected in a small table of the thread that has x, and written once at the end.
// So a pair's common neighbours are found in two parts, each with one writer: `above`, those ranked
// before its lower node, when its upper node is x, and `below`, the rest, when its lower one is.
// Both are added when all are there. 16 bits hold any count of the first part.
// A node with very many lower neighbours is shared by all threads: they mark its neighbours
// together, scan a piece each, and then add their tables.

#include "mgnn/motif/triangle_pass.h"

#include <algorithm>

#include "mgnn/base/cpu.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/motif/triangle_kernel.h"

namespace mgnn {
namespace {

constexpr uint32_t kPiece = 8192;              // lower neighbours between checks for an interrupt
constexpr uint32_t kPiecesBeforeFlush = 7;     // 7 * 8192 < 2^16: no table of 16 bits overflows
constexpr uint32_t kMaxUnshared = 4 * kPiece;  // with more lower neighbours threads share a node
static_assert(kMaxUnshared <= kPiece * kPiecesBeforeFlush && kMaxUnshared < PairHistogram::kWide);

// One thread's memory.
struct Workspace {
  LargeArray<uint8_t> mark;       // by rank; of the first thread's, when a node is shared
  LargeArray<uint16_t> position;  // the same
  size_t hits_size;
  Array<uint32_t> hits;   // as in ScanJob
  Array<uint16_t> below;  // as in ScanJob
  Array<uint32_t> wide;   // the same in 32 bits, for shared nodes

  Workspace(const RankedPairs& pairs, size_t longest)
      : mark(size_t(pairs.num_nodes()) + 8, kUnmarked),
        position(size_t(pairs.num_nodes()) + 1),
        hits_size(kHitBatch + longest + 8),
        hits(3 * hits_size),
        below(longest * 12 + 1) {}
};

class TrianglePass {
 public:
  TrianglePass(const RankedPairs& pairs, PairHistograms& histograms)
      : pairs_(pairs), histograms_(histograms) {
    histograms.of_slot.resize(size_t(pairs.num_pairs()));
    below_.resize(size_t(pairs.num_pairs()));
    uint32_t longest = 0;
#pragma omp parallel for schedule(static) reduction(max : longest) if (worth_threads(nodes()))
    for (uint32_t x = 1; x <= nodes(); x++) longest = std::max(longest, upper_size(x));
    longest_ = longest;
    for (uint32_t x = 1; x <= nodes() && upper_size(x) + lower_size(x) > kMaxUnshared; x++)
      if (lower_size(x) > kMaxUnshared) num_shared_ = x;  // ranks 1..num_shared_ are shared
  }

  void run() {
    const bool threads = worth_threads(4 * pairs_.num_pairs());
    Progress progress("triangles", pairs_.num_pairs(), "pairs");
    const RankBlocks blocks(pairs_, num_shared_);
    ParallelError error;
#pragma omp parallel if (threads)
    {
      std::unique_ptr<Workspace> mine;
      error.run([&] { mine = std::make_unique<Workspace>(pairs_, longest_); });
#pragma omp master
      marked_ = mine.get();
#pragma omp barrier
      for (uint32_t x = 1; x <= num_shared_; x++)
        count_node_together(x, mine.get(), error, progress);
#pragma omp for schedule(dynamic, 1)
      for (int64_t block = 0; block < blocks.count(); block++)
        error.run([&] {
          check_interrupted();
          const uint32_t last = blocks.first_of(block + 1);
          for (uint32_t x = blocks.first_of(block); x < last; x++) count_node(x, *mine);
          progress.advance(blocks.num_lower(block));
        });
    }
    error.rethrow();
    std::sort(wide_.begin(), wide_.end(), by_slot);
    add_parts();
  }

 private:
  uint32_t nodes() const { return uint32_t(pairs_.num_nodes()); }
  uint32_t upper_size(uint32_t x) const { return pairs_.upper_size(x); }
  uint32_t lower_size(uint32_t x) const { return pairs_.lower_size(x); }

  std::span<const uint32_t> upper(uint32_t x) const { return pairs_.upper_row(x); }
  std::span<const LowerNeighbour> lower(uint32_t x) const { return pairs_.lower_row(x); }

  void mark_upper(uint32_t x, Workspace& in) const {
    uint8_t* const marks = in.mark.data();  // a store of bytes may change any member
    uint16_t* const positions = in.position.data();
    uint16_t position = 0;
    for (const uint32_t e : upper(x)) {
      marks[e >> 2] = uint8_t(kAboveFlag | mark_of(int(e & 3)));
      positions[e >> 2] = position++;
    }
  }
  void unmark_upper(uint32_t x, Workspace& in) const {
    uint8_t* const marks = in.mark.data();
    for (const uint32_t e : upper(x)) marks[e >> 2] = kUnmarked;
  }

  std::span<const LowerNeighbour> piece_of(uint32_t x, uint32_t piece) const {
    return lower(x).subspan(piece * kPiece, std::min(kPiece, lower_size(x) - piece * kPiece));
  }
  static void mark_lower(std::span<const LowerNeighbour> lower, Workspace& in) {
    uint8_t* const marks = in.mark.data();
    for (const LowerNeighbour& v : lower)
      marks[v.rank_and_type >> 2] = mark_of(int(v.rank_and_type & 3));
  }
  static void unmark_lower(std::span<const LowerNeighbour> lower, Workspace& in) {
    uint8_t* const marks = in.mark.data();
    for (const LowerNeighbour& v : lower) marks[v.rank_and_type >> 2] = kUnmarked;
  }

  void clear_below(uint32_t x, Workspace& mine) const {
    std::fill_n(mine.below.begin(), size_t(upper_size(x)) * 12, uint16_t(0));
  }

  void scan(uint32_t x, std::span<const LowerNeighbour> lower, const Workspace& marked,
            Workspace& mine) const {
    const ScanJob job = {.upper_start = pairs_.upper_start.data(),
                         .upper = pairs_.upper.data(),
                         .first = lower.data(),
                         .last = lower.data() + lower.size(),
                         .mark = marked.mark.data(),
                         .position = marked.position.data(),
                         .hits = mine.hits.data(),
                         .hits_size = mine.hits_size,
                         .below = mine.below.data(),
                         .upper_size = upper_size(x),
                         .above = histograms_.of_slot.data()};
    MGNN_DISPATCH(scan_lower, job);
  }

  uint32_t num_pieces(uint32_t x) const { return (lower_size(x) + kPiece - 1) / kPiece; }

  PairHistogram* below(uint32_t x) { return below_.data() + pairs_.upper_start[x]; }

  // Writes `below` of the upper pairs of a node that was shared, whose counts may not fit.
  void store_shared(uint32_t x) {
    const size_t size = upper_size(x);
    for (size_t p = 0; p < size; p++) {
      WideCounts wide{pairs_.upper_start[x] + uint32_t(p), {}};
      for (size_t c = 0; c < 9; c++)
        wide.count[c] = shared_[(c / 3 * size + p) * 4 + size_t(reversed(int(c % 3)))];
      const bool fits = *std::max_element(wide.count, wide.count + 9) < PairHistogram::kWide;
      uint16_t* const narrow = below(x)[p].count;
      for (size_t c = 0; c < 9; c++) narrow[c] = fits ? uint16_t(wide.count[c]) : 0;
      if (fits) continue;
      narrow[0] = PairHistogram::kWide;
      wide_.push_back(wide);
    }
  }

  void count_node(uint32_t x, Workspace& mine) {
    if (lower_size(x) == 0) {
      std::fill_n(below(x), upper_size(x), PairHistogram{});
      return;
    }
    mark_upper(x, mine);
    mark_lower(lower(x), mine);
    clear_below(x, mine);
    for (uint32_t piece = 0; piece < num_pieces(x); piece++) {
      if (piece > 0) check_interrupted();
      scan(x, piece_of(x, piece), mine, mine);
    }
    unmark_upper(x, mine);
    unmark_lower(lower(x), mine);
    MGNN_DISPATCH(store_below, mine.below.data(), upper_size(x), below(x));
  }

  void flush(uint32_t x, Workspace& mine) const {
    const size_t size = size_t(upper_size(x)) * 12;
    for (size_t i = 0; i < size; i++) mine.wide[i] += std::exchange(mine.below[i], uint16_t(0));
  }

  // The same by all threads of the team, each of which calls this.
  void count_node_together(uint32_t x, Workspace* mine, ParallelError& error, Progress& progress) {
    uint32_t since_flush = 0;
    error.run([&] {
      clear_below(x, *mine);
      mine->wide.assign(size_t(upper_size(x)) * 12, 0);
    });
#pragma omp for schedule(static) nowait
    for (uint32_t piece = 0; piece < num_pieces(x); piece++)
      error.run([&] { mark_lower(piece_of(x, piece), *marked_); });
#pragma omp single
    error.run([&] {
      mark_upper(x, *marked_);
      shared_.assign(size_t(upper_size(x)) * 12, 0);
    });
#pragma omp for schedule(dynamic, 1) nowait
    for (uint32_t piece = 0; piece < num_pieces(x); piece++)
      error.run([&] {
        check_interrupted();
        const auto lower = piece_of(x, piece);
        scan(x, lower, *marked_, *mine);
        progress.advance(int64_t(lower.size()));
        if (++since_flush == kPiecesBeforeFlush) flush(x, *mine), since_flush = 0;
      });
    error.run([&] {
      flush(x, *mine);
#pragma omp critical(mgnn_shared_node)
      for (size_t i = 0; i < shared_.size(); i++) shared_[i] += mine->wide[i];
    });
#pragma omp barrier
#pragma omp for schedule(static) nowait
    for (uint32_t piece = 0; piece < num_pieces(x); piece++)
      error.run([&] { unmark_lower(piece_of(x, piece), *marked_); });
#pragma omp single
    error.run([&] {
      unmark_upper(x, *marked_);
      store_shared(x);
    });
  }

  static bool by_slot(const WideCounts& a, const WideCounts& b) { return a.slot < b.slot; }

  void add_parts() {
    constexpr int64_t kSlots = 4096;
    const auto slots = int64_t(below_.size());
    ParallelError error;
#pragma omp parallel for schedule(static) if (worth_threads(slots))
    for (int64_t first = 0; first < slots; first += kSlots)
      error.run([&] {
        check_interrupted();
        const int64_t last = std::min(slots, first + kSlots);
        PairHistogram* const above = histograms_.of_slot.data() + first;
        if (MGNN_DISPATCH(add_histograms, above, below_.data() + first, size_t(last - first)))
          return;
        for (int64_t slot = first; slot < last; slot++) add_parts_of(uint32_t(slot));
      });
    error.rethrow();
    std::sort(histograms_.wide.begin(), histograms_.wide.end(), by_slot);
  }

  void add_parts_of(uint32_t slot) {
    uint16_t* const above = histograms_.of_slot[slot].count;
    const uint16_t* const below = below_[slot].count;
    WideCounts sum{slot, {}};
    std::copy_n(below, 9, sum.count);
    if (below[0] == PairHistogram::kWide)
      sum = *std::lower_bound(wide_.begin(), wide_.end(), sum, by_slot);
    for (int c = 0; c < 9; c++) sum.count[c] += above[c];
    const bool fits = *std::max_element(sum.count, sum.count + 9) < PairHistogram::kWide;
    for (int c = 0; c < 9; c++) above[c] = fits ? uint16_t(sum.count[c]) : 0;
    if (fits) return;
    above[0] = PairHistogram::kWide;
#pragma omp critical(mgnn_wide_counts)
    histograms_.wide.push_back(sum);
  }

  const RankedPairs& pairs_;
  PairHistograms& histograms_;
  LargeArray<PairHistogram> below_;
  std::vector<WideCounts> wide_;  // of below_
  Workspace* marked_ = nullptr;   // where all threads mark a node that they share
  uint32_t longest_ = 0, num_shared_ = 0;
  Array<uint32_t> shared_;
};

}  // namespace

std::array<uint32_t, 9> PairHistograms::counts(uint32_t slot) const {
  std::array<uint32_t, 9> result;
  std::copy_n(of_slot[slot].count, 9, result.begin());
  if (result[0] != PairHistogram::kWide) return result;
  const auto counts = std::lower_bound(wide.begin(), wide.end(), slot,
                                       [](const WideCounts& w, uint32_t s) { return w.slot < s; });
  std::copy_n(counts->count, 9, result.begin());
  return result;
}

PairHistograms triangle_pass(const RankedPairs& pairs) {
  PairHistograms histograms;
  TrianglePass(pairs, histograms).run();
  return histograms;
}

}  // namespace mgnn
