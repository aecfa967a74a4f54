// Ranked pairs -> histograms of common neighbours (triangle_pass.h) -> entries as linear forms of
// histograms and degrees (pair_forms.h), written row by row in the graph's order.

#include <algorithm>

#include "mgnn/base/cpu.h"
#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/motif/leaf_pairs.h"
#include "mgnn/motif/motifs.h"
#include "mgnn/motif/pair_matrices.h"
#include "mgnn/motif/shared_values.h"
#include "mgnn/motif/value_kernel.h"
#include "mgnn/sparse/csr.h"

namespace mgnn {
namespace {

constexpr Offset kPlacesPerTask = 8192;
constexpr Offset kMinStreamedBytes = Offset(4) << 20;  // more values than a cache holds

bool needs_diagonal(const MotifOptions& options) {
  return is_published(options.counting) &&
         (options.motifs.contains(8) || options.motifs.contains(9) || options.motifs.contains(11));
}

bool needs_leaf_pairs(const MotifOptions& options) {
  return options.entry == Entry::pair && options.motifs.has_open();
}

// Entries, small multiples of a number of neighbours, are stored in 32 bits.
constexpr uint32_t kMaxNeighbours = uint32_t(1) << 27;

void check_degrees(const RankedPairs& pairs) {
  if (pairs.num_nodes() == 0) return;
  const uint32_t max_neighbours = pairs.upper_start[2] + pairs.lower_start[2];  // of rank 1
  if (max_neighbours <= kMaxNeighbours) return;
  size_t u = 0;
  while (pairs.profile[u].rank != 1) u++;
  fail("node {} has {} neighbours; motif matrices support at most {}", u, max_neighbours,
       kMaxNeighbours);
}

void write_all_values(const ValueJob& job, const std::vector<ValueOutput>& outputs) {
  const Csr& pattern = *job.pattern;
  const auto before = [&](int64_t row) { return pattern.start[row] + row; };
  const auto row_after = [&](Offset work) {
    return NodeId(first_after(work, pattern.rows, before));
  };
  const Offset total_work = pattern.nnz() + pattern.rows;
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(4 * pattern.nnz()))
  for (Offset work = 0; work < total_work; work += kPlacesPerTask)
    error.run([&] {
      check_interrupted();
      MGNN_DISPATCH(write_values, job, row_after(work), row_after(work + kPlacesPerTask),
                    outputs.data(), int(outputs.size()));
    });
  error.rethrow();
}

// Which counts the arrays to be computed are made of.
struct NeededCounts {
  bool closed = false, open = false;
  bool open_common = false;  // open motifs need common neighbours too
  bool triangles() const { return closed || open_common; }
};

NeededCounts needed_counts(const SharedForms& shared, const MotifOptions& options) {
  NeededCounts needs;
  for (const int lane : shared.lane_of_array) (lane < 8 ? needs.closed : needs.open) = true;
  needs.open_common =
      needs.open && (options.counting == Counting::induced || options.entry == Entry::pair);
  return needs;
}

std::vector<Array<uint32_t>> values_on(const Csr& pattern, const SharedForms& shared,
                                       NeededCounts needs, const RankedPairs& pairs,
                                       const PairHistograms& histograms) {
  std::vector<Array<uint32_t>> values;
  std::vector<ValueOutput> outputs;
  for (const int lane : shared.lane_of_array) {
    Array<uint32_t>& value = values.emplace_back(size_t(pattern.nnz()));
    prefer_large_pages(value.data(), value.size() * sizeof(uint32_t));
    outputs.push_back({value.data(), lane});
  }
  const PairedCoefficients coefficients(shared.forms);
  write_all_values({.forms = &shared.forms,
                    .coefficients = &coefficients,
                    .pairs = &pairs,
                    .histograms = &histograms,
                    .pattern = &pattern,
                    .closed_lanes = needs.closed,
                    .open_lanes = needs.open,
                    .open_lanes_need_common = needs.open_common,
                    .stream = pattern.nnz() * Offset(4 * outputs.size()) > kMinStreamedBytes},
                   outputs);
  return values;
}

}  // namespace

Array<int64_t> MotifMatrices::counts(int motif) const {
  Array<int64_t> result(size_t(pattern.nnz()));
#pragma omp parallel for schedule(static) if (worth_threads(pattern.nnz()))
  for (Offset e = 0; e < pattern.nnz(); e++) result[e] = count(motif, e);
  return result;
}

int64_t MotifMatrices::sum(int motif) const {
  const MotifRef& ref = of[motif - 1];
  if (ref.array < 0) return 0;
  int64_t sum = 0;
  const Array<uint32_t>& value = values[ref.array];
#pragma omp parallel for schedule(static) reduction(+ : sum) if (worth_threads(pattern.nnz()))
  for (Offset e = 0; e < pattern.nnz(); e++) sum += value[e];
  return ref.factor * sum;
}

MotifMatrices pair_matrices(RankedPairs pairs, std::optional<PairHistograms> histograms,
                            const MotifOptions& options) {
  check(!options.motifs.empty(), "no motif was asked for");
  check(!is_published(options.counting) || options.entry == Entry::edge,
        "counting published goes with entry edge only, not with {}", name_of(options.entry));
  check_degrees(pairs);
  const SharedForms shared =
      share_forms(pair_forms(options.counting, options.entry), options.motifs, pairs.has_type);
  LeafPairs leaves;
  if (needs_leaf_pairs(options))
    leaves = leaf_pairs(pairs, shared,  // may refuse: before the work
                        {int64_t(4 * shared.lane_of_array.size()), 9 * sizeof(uint32_t)},
                        options.pair_memory_limit);
  const NeededCounts needs = needed_counts(shared, options);
  if (!histograms) histograms = needs.triangles() ? triangle_pass(pairs) : PairHistograms();
  pairs.lower = LargeArray<LowerNeighbour>();  // frees memory for the values
  Csr diagonal = needs_diagonal(options) ? with_diagonal(pairs.connected) : Csr();
  Csr& pattern = needs_diagonal(options) ? diagonal : pairs.connected;

  MotifMatrices matrices{.counting = options.counting,
                         .entry = options.entry,
                         .motifs = options.motifs,
                         .of = shared.of};
  matrices.values = values_on(pattern, shared, needs, pairs, *histograms);
  histograms.reset();
  if (needs_leaf_pairs(options))
    add_leaf_pairs(pairs, shared, std::move(leaves), matrices);
  else
    matrices.pattern = std::move(pattern);
  share_values(matrices);
  return matrices;
}

MotifMatrices motif_matrices(const Graph& graph, const MotifOptions& options) {
  return pair_matrices(ranked_pairs(graph), std::nullopt, options);
}

}  // namespace mgnn
