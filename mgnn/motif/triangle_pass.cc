// Nodes x are taken from the largest degree down. All neighbours of x are marked; then the kernel
// (triangle_kernel.cc) scans the upper row of every lower neighbour. What that says about x's own
// upper pairs collects in a small table of the thread that has x, and is written once at the end.
// A node with very many lower neighbours is shared by all threads, which then add their tables.

#include "mgnn/motif/triangle_pass.h"

#include <algorithm>

#include "mgnn/base/cpu.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/motif/triangle_kernel.h"

namespace mgnn {
namespace {

constexpr uint32_t kPiece = 8192;           // lower neighbours between looks at the interrupt flag
constexpr uint32_t kPiecesBeforeFlush = 7;  // 7 * 8192 < 2^16: no table of 16 bits overflows
constexpr uint32_t kShared = 4 * kPiece;    // from here on all threads share a node
static_assert(kShared <= kPiece * kPiecesBeforeFlush);

// One thread's memory.
struct Workspace {
  LargeArray<uint8_t> mark;       // by rank
  LargeArray<uint16_t> position;  // by rank
  size_t found_room;
  Array<uint32_t> found;  // as ScanJob says
  Array<uint16_t> below;  // as ScanJob says
  Array<uint32_t> wide;   // the same in 32 bits, for shared nodes

  Workspace(const RankedPairs& pairs, size_t longest)
      : mark(size_t(pairs.num_nodes()) + 8, kUnmarked),
        position(size_t(pairs.num_nodes()) + 1),
        found_room(kFoundBatch + longest + 8),
        found(3 * found_room),
        below(longest * 12 + 1) {}
};

class TrianglePass {
 public:
  TrianglePass(const RankedPairs& pairs, PairHistograms& histograms)
      : pairs_(pairs), histograms_(histograms) {
    for (uint32_t x = 1; x <= nodes(); x++) {
      longest_ = std::max(longest_, upper_size(x));
      if (lower_size(x) > kShared) num_shared_ = x;  // ranks 1..num_shared_ are looked at so
    }
  }

  void run() {
    const bool threads = worth_threads(4 * pairs_.num_pairs());
    Progress progress("triangles", pairs_.num_pairs(), "pairs");
    ParallelError error;
#pragma omp parallel if (threads)
    {
      std::unique_ptr<Workspace> mine;
      error.run([&] { mine = std::make_unique<Workspace>(pairs_, longest_); });
#pragma omp barrier
      for (uint32_t x = 1; x <= num_shared_; x++) share_node(x, mine.get(), error, progress);
#pragma omp for schedule(dynamic, 16)
      for (uint32_t x = num_shared_ + 1; x <= nodes(); x++)
        error.run([&] {
          check_interrupted();
          do_node(x, *mine);
          progress.advance(lower_size(x));
        });
    }
    error.rethrow();
    std::sort(histograms_.wide.begin(), histograms_.wide.end(),
              [](const WideCounts& a, const WideCounts& b) { return a.slot < b.slot; });
  }

 private:
  uint32_t nodes() const { return uint32_t(pairs_.num_nodes()); }
  uint32_t upper_size(uint32_t x) const {
    return pairs_.upper_start[x + 1] - pairs_.upper_start[x];
  }
  uint32_t lower_size(uint32_t x) const {
    return pairs_.lower_start[x + 1] - pairs_.lower_start[x];
  }

  void mark(uint32_t x, Workspace& mine) const {
    const uint32_t* const upper = pairs_.upper.data() + pairs_.upper_start[x];
    for (uint32_t p = 0; p < upper_size(x); p++) {
      mine.mark[upper[p] >> 2] = uint8_t(kAboveFlag | mark_of(int(upper[p] & 3)));
      mine.position[upper[p] >> 2] = uint16_t(p);
    }
    const LowerNeighbour* const lower = pairs_.lower.data() + pairs_.lower_start[x];
    for (uint32_t p = 0; p < lower_size(x); p++)
      mine.mark[lower[p].rank_and_type >> 2] = mark_of(int(lower[p].rank_and_type & 3));
    std::fill_n(mine.below.begin(), size_t(upper_size(x)) * 12, uint16_t(0));
  }

  void unmark(uint32_t x, Workspace& mine) const {
    const uint32_t* const upper = pairs_.upper.data() + pairs_.upper_start[x];
    for (uint32_t p = 0; p < upper_size(x); p++) mine.mark[upper[p] >> 2] = kUnmarked;
    const LowerNeighbour* const lower = pairs_.lower.data() + pairs_.lower_start[x];
    for (uint32_t p = 0; p < lower_size(x); p++) mine.mark[lower[p].rank_and_type >> 2] = kUnmarked;
  }

  void scan(uint32_t x, uint32_t piece, Workspace& mine) const {
    const LowerNeighbour* const lower = pairs_.lower.data() + pairs_.lower_start[x];
    const ScanJob job = {
        pairs_.upper_start.data(), pairs_.upper.data(),
        lower + piece * kPiece,    lower + std::min((piece + 1) * kPiece, lower_size(x)),
        mine.mark.data(),          mine.position.data(),
        mine.found.data(),         mine.found_room,
        mine.below.data(),         upper_size(x),
        histograms_.of_slot.data()};
    MGNN_DISPATCH(scan_lower, job);
  }

  uint32_t num_pieces(uint32_t x) const { return (lower_size(x) + kPiece - 1) / kPiece; }

  // Writes `below` of x's upper pairs. The other node sees w as w does not see it: reversed.
  template <class Count>
  void store(uint32_t x, const Count* below) {
    const size_t size = upper_size(x);
    for (size_t p = 0; p < size; p++) {
      PairHistogram& histogram = histograms_.of_slot[pairs_.upper_start[x] + p];
      Count most = 0;
      for (size_t own = 0; own < 3; own++) {
        const Count* const cell = below + (own * size + p) * 4;
        histogram.below[3 * own + kOut] = uint16_t(cell[kIn]);
        histogram.below[3 * own + kIn] = uint16_t(cell[kOut]);
        histogram.below[3 * own + kBoth] = uint16_t(cell[kBoth]);
        most = std::max({most, cell[0], cell[1], cell[2]});
      }
      if (most >= PairHistogram::kWide) [[unlikely]]
        store_wide(x, p, below);
    }
  }

  template <class Count>
  void store_wide(uint32_t x, size_t p, const Count* below) {
    const size_t size = upper_size(x);
    WideCounts wide{pairs_.upper_start[x] + uint32_t(p), {}};
    for (size_t c = 0; c < 9; c++)
      wide.below[c] = below[(c / 3 * size + p) * 4 + size_t(reversed(int(c % 3)))];
    uint16_t* const narrow = histograms_.of_slot[wide.slot].below;
    std::fill_n(narrow, 9, uint16_t(0));
    narrow[0] = PairHistogram::kWide;
#pragma omp critical(mgnn_wide_counts)
    histograms_.wide.push_back(wide);
  }

  void do_node(uint32_t x, Workspace& mine) {
    if (lower_size(x) > 0) {
      mark(x, mine);
      for (uint32_t piece = 0; piece < num_pieces(x); piece++) {
        if (piece > 0) check_interrupted();
        scan(x, piece, mine);
      }
      unmark(x, mine);
      store(x, mine.below.data());
    } else {
      for (uint32_t slot = pairs_.upper_start[x]; slot < pairs_.upper_start[x + 1]; slot++)
        std::fill_n(histograms_.of_slot[slot].below, 9, uint16_t(0));
    }
  }

  void flush(uint32_t x, Workspace& mine) const {
    const size_t size = size_t(upper_size(x)) * 12;
    for (size_t i = 0; i < size; i++) mine.wide[i] += std::exchange(mine.below[i], uint16_t(0));
  }

  // Called by all threads of the team together.
  void share_node(uint32_t x, Workspace* mine, ParallelError& error, Progress& progress) {
    uint32_t since_flush = 0;
    error.run([&] {
      mark(x, *mine);
      mine->wide.assign(size_t(upper_size(x)) * 12, 0);
    });
#pragma omp single
    shared_.assign(size_t(upper_size(x)) * 12, 0);
#pragma omp for schedule(dynamic, 1) nowait
    for (uint32_t piece = 0; piece < num_pieces(x); piece++)
      error.run([&] {
        check_interrupted();
        scan(x, piece, *mine);
        progress.advance(std::min(kPiece, lower_size(x) - piece * kPiece));
        if (++since_flush == kPiecesBeforeFlush) flush(x, *mine), since_flush = 0;
      });
    error.run([&] {
      flush(x, *mine);
      unmark(x, *mine);
#pragma omp critical(mgnn_shared_node)
      for (size_t i = 0; i < shared_.size(); i++) shared_[i] += mine->wide[i];
    });
#pragma omp barrier
#pragma omp single
    error.run([&] { store(x, shared_.data()); });
  }

  const RankedPairs& pairs_;
  PairHistograms& histograms_;
  uint32_t longest_ = 0, num_shared_ = 0;
  Array<uint32_t> shared_;
};

}  // namespace

std::array<uint32_t, 9> PairHistograms::counts(uint32_t slot) const {
  const PairHistogram& h = of_slot[slot];
  std::array<uint32_t, 9> result;
  for (int c = 0; c < 9; c++) result[size_t(c)] = uint32_t(h.above[c]) + h.below[c];
  if (h.below[0] != PairHistogram::kWide) return result;
  const auto found = std::lower_bound(wide.begin(), wide.end(), slot,
                                      [](const WideCounts& w, uint32_t s) { return w.slot < s; });
  for (int c = 0; c < 9; c++) result[size_t(c)] = h.above[c] + found->below[c];
  return result;
}

PairHistograms triangle_pass(const RankedPairs& pairs) {
  PairHistograms histograms;
  histograms.of_slot.resize(size_t(pairs.num_pairs()));
  TrianglePass(pairs, histograms).run();
  return histograms;
}

}  // namespace mgnn
