// As in triangle_pass.cc the neighbours of a node x are marked, and the upper rows of its lower
// neighbours v are looked up in the marks. A row of v is in the order of the graph, and the pair (v, x)
// knows its place in it: only what comes before is looked up, so that a triangle v, x, k is found by
// one of x and k alone.

#include "mgnn/motif/triangle_totals.h"

#include <algorithm>
#include <memory>

#include "mgnn/base/cpu.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/motif/triangle_kernel.h"

namespace mgnn {
namespace {

constexpr uint32_t kMarkedTogether = 32768;  // with more lower neighbours threads share a node
constexpr uint32_t kLowerPerPiece = 8192;    // that a thread scans at a time

class TotalsPass {
 public:
  explicit TotalsPass(const RankedPairs& pairs) : pairs_(pairs) {
    while (num_shared_ < nodes() && lower(num_shared_ + 1).size() > kMarkedTogether) num_shared_++;
  }

  TriangleTotals run() {
    Progress progress("triangles", pairs_.num_pairs(), "pairs");
    const RankBlocks blocks(pairs_, num_shared_);
    ParallelError error;
#pragma omp parallel if (worth_threads(4 * pairs_.num_pairs()))
    {
      std::unique_ptr<Workspace> mine;
      error.run([&] { mine = std::make_unique<Workspace>(nodes()); });
#pragma omp master
      shared_ = mine.get();
#pragma omp barrier
      for (uint32_t x = 1; x <= num_shared_; x++) count_node_together(x, mine.get(), error);
#pragma omp for schedule(dynamic, 1)
      for (int64_t block = 0; block < blocks.count(); block++)
        error.run([&] {
          check_interrupted();
          const uint32_t last = blocks.first_of(block + 1);
          for (uint32_t x = blocks.first_of(block); x < last; x++) count_node(x, *mine);
          progress.advance(blocks.num_lower(block));
        });
      error.run([&] { add(*mine); });
    }
    error.rethrow();
    return totals_;
  }

 private:
  struct Workspace {
    LargeArray<uint8_t> mark;  // by rank
    TypeCounter counter;
    explicit Workspace(size_t nodes) : mark(nodes + 8, kUnmarked) {}
  };

  uint32_t nodes() const { return uint32_t(pairs_.profile.size()); }
  std::span<const uint32_t> upper(uint32_t x) const { return pairs_.upper_row(x); }
  std::span<const LowerNeighbour> lower(uint32_t x) const { return pairs_.lower_row(x); }

  void mark_upper(uint32_t x, Workspace& in) const {
    uint8_t* const marks = in.mark.data();  // a store of bytes may change any member
    for (const uint32_t e : upper(x)) marks[e >> 2] = mark_of(int(e & 3));
  }
  void unmark_upper(uint32_t x, Workspace& in) const {
    uint8_t* const marks = in.mark.data();
    for (const uint32_t e : upper(x)) marks[e >> 2] = kUnmarked;
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

  void scan(std::span<const LowerNeighbour> lower, const Workspace& marked, Workspace& mine) const {
    const CountJob job = {.upper_start = pairs_.upper_start.data(),
                          .upper = pairs_.upper.data(),
                          .first = lower.data(),
                          .last = lower.data() + lower.size(),
                          .mark = marked.mark.data()};
    MGNN_DISPATCH(count_types, job, mine.counter);
  }

  void count_node(uint32_t x, Workspace& mine) const {
    if (lower(x).empty()) return;
    mark_upper(x, mine);
    mark_lower(lower(x), mine);
    scan(lower(x), mine, mine);
    unmark_upper(x, mine);
    unmark_lower(lower(x), mine);
  }

  // The same by all threads of the team, each of which calls this.
  void count_node_together(uint32_t x, Workspace* mine, ParallelError& error) {
    const auto pieces = int64_t((lower(x).size() + kLowerPerPiece - 1) / kLowerPerPiece);
    const auto piece = [&](int64_t p) {
      const size_t first = size_t(p) * kLowerPerPiece;
      return lower(x).subspan(first, std::min<size_t>(kLowerPerPiece, lower(x).size() - first));
    };
#pragma omp single
    error.run([&] { mark_upper(x, *shared_); });
#pragma omp for schedule(static)
    for (int64_t p = 0; p < pieces; p++) error.run([&] { mark_lower(piece(p), *shared_); });
#pragma omp for schedule(dynamic, 1)
    for (int64_t p = 0; p < pieces; p++)
      error.run([&] {
        check_interrupted();
        scan(piece(p), *shared_, *mine);
      });
#pragma omp for schedule(static)
    for (int64_t p = 0; p < pieces; p++) error.run([&] { unmark_lower(piece(p), *shared_); });
#pragma omp single
    error.run([&] { unmark_upper(x, *shared_); });
  }

  void add(Workspace& mine) {
    for (int type = 0; type < kNumTypes; type++) mine.counter.flush(type);
#pragma omp critical(mgnn_triangle_totals)
    for (size_t t = 0; t < kNumTypes; t++)
      for (size_t c = 0; c < 9; c++) totals_.count[reversed(int(t))][c] += mine.counter.total[t][c];
  }

  const RankedPairs& pairs_;
  uint32_t num_shared_ = 0;      // ranks 1..num_shared_ are shared
  Workspace* shared_ = nullptr;  // where all threads mark a node that they share
  TriangleTotals totals_;
};

}  // namespace

TriangleTotals triangle_totals(const RankedPairs& pairs) { return TotalsPass(pairs).run(); }

}  // namespace mgnn
