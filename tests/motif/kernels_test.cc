// Both instruction sets give the same bits.
#include "mgnn/base/cpu.h"
#include "mgnn/motif/triangle_kernel.h"
#include "mgnn/motif/value_kernel.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::random_graph;

// Marks x as the pass does, scans its lower neighbours, and gives the table of x's upper pairs.
template <class Kernel>
std::vector<uint16_t> scanned(const RankedPairs& pairs, uint32_t x, PairHistogram* histograms,
                              Kernel&& kernel) {
  const uint32_t first = pairs.upper_start[x], size = pairs.upper_start[x + 1] - first;
  std::vector<uint8_t> mark(size_t(pairs.num_nodes()) + 8, kUnmarked);
  std::vector<uint16_t> position(size_t(pairs.num_nodes()) + 1), below(size_t(size) * 12 + 1, 0);
  std::vector<uint32_t> hits(3 * (size_t(pairs.num_nodes()) + kHitBatch + 8));
  for (uint32_t p = 0; p < size; p++) {
    mark[pairs.upper[first + p] >> 2] =
        uint8_t(kAboveFlag | mark_of(int(pairs.upper[first + p] & 3)));
    position[pairs.upper[first + p] >> 2] = uint16_t(p);
  }
  const LowerNeighbour* const begin = pairs.lower.data() + pairs.lower_start[x];
  const LowerNeighbour* const end = pairs.lower.data() + pairs.lower_start[x + 1];
  for (const LowerNeighbour* at = begin; at < end; at++)
    mark[at->rank_and_type >> 2] = mark_of(int(at->rank_and_type & 3));
  kernel(ScanJob{.upper_start = pairs.upper_start.data(),
                 .upper = pairs.upper.data(),
                 .first = begin,
                 .last = end,
                 .mark = mark.data(),
                 .position = position.data(),
                 .hits = hits.data(),
                 .hits_size = hits.size() / 3,
                 .below = below.data(),
                 .upper_size = size,
                 .above = histograms});
  return below;
}

TEST(Kernels, TrianglesAgree) {
  if (instruction_set() == InstructionSet::generic) GTEST_SKIP() << "one set of kernels only";
  for (const auto& [nodes, density] : {std::pair{40, 0.2}, {300, 0.4}, {1300, 0.95}}) {
    const RankedPairs pairs = ranked_pairs(random_graph(nodes, density, 3));
    const auto size = size_t(pairs.num_pairs());
    std::vector<PairHistogram> plain(size, PairHistogram{}), fast(size, PairHistogram{});
    for (uint32_t x = 1; x <= uint32_t(nodes); x += nodes > 1000 ? 97 : 1)
      ASSERT_EQ(scanned(pairs, x, plain.data(), generic::scan_lower),
                scanned(pairs, x, fast.data(),
                        [](const ScanJob& job) { MGNN_DISPATCH(scan_lower, job); }));
    for (size_t s = 0; s < size; s++)
      for (int c = 0; c < 9; c++) ASSERT_EQ(plain[s].count[c], fast[s].count[c]);
  }
}

// What a kernel counts for all nodes together.
template <class Kernel>
std::array<std::array<int64_t, 9>, kNumTypes> counted_types(const RankedPairs& pairs,
                                                            Kernel&& kernel) {
  std::vector<uint8_t> mark(size_t(pairs.num_nodes()) + 8, kUnmarked);
  TypeCounter counter;
  for (uint32_t x = 1; x <= uint32_t(pairs.num_nodes()); x++) {
    const LowerNeighbour* const begin = pairs.lower.data() + pairs.lower_start[x];
    const LowerNeighbour* const end = pairs.lower.data() + pairs.lower_start[x + 1];
    for (uint32_t s = pairs.upper_start[x]; s < pairs.upper_start[x + 1]; s++)
      mark[pairs.upper[s] >> 2] = mark_of(int(pairs.upper[s] & 3));
    for (const LowerNeighbour* at = begin; at < end; at++)
      mark[at->rank_and_type >> 2] = mark_of(int(at->rank_and_type & 3));
    kernel(CountJob{.upper_start = pairs.upper_start.data(),
                    .upper = pairs.upper.data(),
                    .first = begin,
                    .last = end,
                    .mark = mark.data()},
           counter);
    std::fill(mark.begin(), mark.end(), kUnmarked);
  }
  std::array<std::array<int64_t, 9>, kNumTypes> result;
  for (int t = 0; t < kNumTypes; t++) {
    counter.flush(t);
    std::copy_n(counter.total[t], 9, result[size_t(t)].begin());
  }
  return result;
}

TEST(Kernels, TypesOfTrianglesAgree) {
  for (const auto& [nodes, density] : {std::pair{5, 0.5}, {40, 0.2}, {300, 0.4}, {600, 0.97}}) {
    const RankedPairs pairs = ranked_pairs(random_graph(nodes, density, 3));
    const auto plain = counted_types(pairs, generic::count_types);
    EXPECT_EQ(plain, counted_types(pairs, [](const CountJob& job, TypeCounter& counter) {
                MGNN_DISPATCH(count_types, job, counter);
              }));
    // Each triangle is in the histograms of its three pairs.
    const PairHistograms histograms = triangle_pass(pairs);
    int64_t triangles = 0, thrice = 0;
    for (const auto& of_type : plain)
      for (const int64_t count : of_type) triangles += count;
    for (uint32_t slot = 0; slot < uint32_t(pairs.num_pairs()); slot++)
      for (const uint32_t count : histograms.counts(slot)) thrice += count;
    EXPECT_EQ(3 * triangles, thrice);
  }
}

TEST(Kernels, HistogramsAreAddedUnlessTheyDoNotFit) {
  Rng rng(6);
  std::vector<PairHistogram> a(100), b(100);
  for (size_t s = 0; s < a.size(); s++)
    for (int c = 0; c < 9; c++) {
      a[s].count[c] = uint16_t(rng.below(30'000));
      b[s].count[c] = uint16_t(rng.below(30'000));
    }
  const auto expect_sum = [&](auto&& kernel, bool fits) {
    std::vector<PairHistogram> sum = a;
    EXPECT_EQ(kernel(sum.data(), b.data(), sum.size()), fits);
    for (size_t s = 0; s < a.size(); s++)
      for (int c = 0; c < 9; c++)
        ASSERT_EQ(sum[s].count[c], a[s].count[c] + (fits ? b[s].count[c] : 0));
  };
  const auto expect_both = [&](bool fits) {
    expect_sum(generic::add_histograms, fits);
    expect_sum([](PairHistogram* above, const PairHistogram* below,
                  size_t count) { return MGNN_DISPATCH(add_histograms, above, below, count); },
               fits);
  };
  expect_both(true);
  a[99].count[8] = 40'000;
  b[99].count[8] = 25'534;
  expect_both(true);
  b[99].count[8]++;  // 65,535, the mark of wide counts
  expect_both(false);
  b[99].count[8] = 60'000;
  expect_both(false);
}

TEST(Kernels, ValuesAgree) {
  if (instruction_set() == InstructionSet::generic) GTEST_SKIP() << "one set of kernels only";
  const RankedPairs pairs = ranked_pairs(random_graph(150, 0.3, 5));
  PairHistograms histograms = triangle_pass(pairs);
  histograms.of_slot[3].count[2] = 40'000;  // beyond 15 bits, and a wide one
  histograms.of_slot[7].count[0] = PairHistogram::kWide;
  histograms.wide = {{7, {70'000, 1, 2, 3, 4, 5, 6, 7, 8}}};
  const auto places = size_t(pairs.connected.nnz());
  for (const Counting counting : {Counting::subgraph, Counting::induced}) {
    const PairForms forms = pair_forms(counting, Entry::arc);
    const PairedCoefficients coefficients(forms);
    ValueJob job = {.forms = &forms,
                    .coefficients = &coefficients,
                    .pairs = &pairs,
                    .histograms = &histograms,
                    .pattern = &pairs.connected,
                    .closed_lanes = true,
                    .open_lanes = true,
                    .open_lanes_need_common = counting == Counting::induced};
    for (const bool stream : {false, true}) {
      job.stream = stream;
      std::vector<std::vector<uint32_t>> plain, fast;
      std::vector<ValueOutput> to_plain, to_fast;
      for (int k = 1; k <= kNumMotifs; k++) {  // arrays that begin anywhere within a cache line
        plain.emplace_back(places + 16, 4711);
        fast.emplace_back(places + 16, 4711);
        to_plain.push_back({plain.back().data() + k, lane_of(k)});
        to_fast.push_back({fast.back().data() + k, lane_of(k)});
      }
      generic::write_values(job, 0, 150, to_plain.data(), kNumMotifs);
      for (const auto& [first, last] : {std::pair(0, 1), {1, 40}, {40, 40}, {40, 149}, {149, 150}})
        MGNN_DISPATCH(write_values, job, first, last, to_fast.data(), kNumMotifs);
      EXPECT_EQ(plain, fast);
    }
  }
}

}  // namespace
}  // namespace mgnn
