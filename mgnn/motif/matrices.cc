// Ranked pairs -> histograms of common neighbours (triangle_pass.h) -> entries as linear forms of
// histograms and degrees (pair_forms.h), written row by row in the graph's order.

#include "mgnn/motif/matrices.h"

#include <algorithm>

#include "mgnn/base/cpu.h"
#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/motif/leaf_pairs.h"
#include "mgnn/motif/shared_values.h"
#include "mgnn/motif/value_kernel.h"
#include "mgnn/sparse/normalise.h"

namespace mgnn {
namespace {

constexpr Offset kPlaces = 8192;               // that a thread writes at a time
constexpr Offset kStreamed = Offset(4) << 20;  // bytes of values

bool needs_diagonal(const MotifOptions& options) {
  return options.counting == Counting::published &&
         (options.motifs.contains(8) || options.motifs.contains(9) || options.motifs.contains(11));
}

bool needs_leaf_pairs(const MotifOptions& options) {
  return options.entry == Entry::pair && options.motifs.has_open();
}

// The largest entry is a small multiple of a number of neighbours; entries are kept in 32 bits.
void check_degrees(const RankedPairs& pairs) {
  constexpr uint32_t kMost = uint32_t(1) << 27;
  if (pairs.num_nodes() == 0) return;
  const uint32_t most = pairs.upper_start[2] + pairs.lower_start[2];  // rank 1 has the most
  if (most <= kMost) return;
  size_t u = 0;
  while (pairs.profile[u].rank != 1) u++;
  fail("node {} has {} neighbours, more than the motif engine can count with ({})", u, most, kMost);
}

void write_all_values(const ValueJob& job, const std::vector<ValueOutput>& outputs) {
  const Csr& pattern = *job.pattern;
  const auto before = [&](int64_t row) { return pattern.start[size_t(row)] + row; };
  const auto row_after = [&](Offset work) {
    return NodeId(first_after(work, pattern.rows, before));
  };
  const Offset all = pattern.nnz() + pattern.rows;
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(4 * pattern.nnz()))
  for (Offset work = 0; work < all; work += kPlaces)
    error.run([&] {
      check_interrupted();
      MGNN_DISPATCH(write_values, job, row_after(work), row_after(work + kPlaces), outputs.data(),
                    int(outputs.size()));
    });
  error.rethrow();
}

ValueJob value_job(const SharedForms& shared, const PairedCoefficients& coefficients,
                   const RankedPairs& pairs, const PairHistograms& histograms, const Csr& pattern,
                   Counting counting, Entry entry) {
  bool closed = false, open = false;
  for (const int lane : shared.lane_of_array) (lane < 8 ? closed : open) = true;
  const bool common = counting == Counting::induced || entry == Entry::pair;
  return {&shared.forms, &coefficients, &pairs, &histograms,
          &pattern,      closed,        open,   open && common};
}

}  // namespace

Array<int64_t> MotifMatrices::counts(int motif) const {
  Array<int64_t> result(size_t(pattern.nnz()));
#pragma omp parallel for schedule(static) if (worth_threads(pattern.nnz()))
  for (Offset e = 0; e < pattern.nnz(); e++) result[size_t(e)] = count(motif, e);
  return result;
}

int64_t MotifMatrices::sum(int motif) const {
  const MotifRef& ref = of[size_t(motif - 1)];
  if (ref.array < 0) return 0;
  int64_t sum = 0;
  const Array<uint32_t>& value = values[size_t(ref.array)];
#pragma omp parallel for schedule(static) reduction(+ : sum) if (worth_threads(pattern.nnz()))
  for (Offset e = 0; e < pattern.nnz(); e++) sum += value[size_t(e)];
  return ref.factor * sum;
}

MotifMatrices motif_matrices(const Graph& graph, const MotifOptions& options) {
  check(!options.motifs.empty(), "no motif was asked for");
  check(options.counting != Counting::published || options.entry == Entry::edge,
        "counting published goes with entry edge only, not with {}", name_of(options.entry));
  RankedPairs pairs = ranked_pairs(graph);
  check_degrees(pairs);
  const SharedForms shared =
      share_forms(pair_forms(options.counting, options.entry), options.motifs, pairs.has_type);
  LeafPairs leaves;
  if (needs_leaf_pairs(options))
    leaves = leaf_pairs(pairs, shared, options.pair_memory_limit);  // refuses before the work
  MotifMatrices matrices{options.counting, options.entry, options.motifs, {}, {}, shared.of};
  Csr diagonal = needs_diagonal(options) ? with_diagonal(pairs.connected) : Csr();
  const Csr& pattern = needs_diagonal(options) ? diagonal : pairs.connected;
  PairHistograms histograms;
  const PairedCoefficients coefficients(shared.forms);
  ValueJob job =
      value_job(shared, coefficients, pairs, histograms, pattern, options.counting, options.entry);
  if (job.closed_lanes || job.open_lanes_need_common) histograms = triangle_pass(pairs);
  pairs.lower = LargeArray<LowerNeighbour>();  // room for the values

  std::vector<ValueOutput> outputs;
  for (const int lane : shared.lane_of_array) {
    Array<uint32_t>& value = matrices.values.emplace_back(size_t(pattern.nnz()));
    prefer_large_pages(value.data(), value.size() * sizeof(uint32_t));
    outputs.push_back({matrices.values.back().data(), lane});
  }
  job.stream = pattern.nnz() * Offset(4 * outputs.size()) > kStreamed;
  write_all_values(job, outputs);
  histograms = {};
  if (needs_leaf_pairs(options))
    add_leaf_pairs(pairs, shared, std::move(leaves), matrices);
  else
    matrices.pattern = std::move(needs_diagonal(options) ? diagonal : pairs.connected);
  share_values(matrices);
  return matrices;
}

}  // namespace mgnn
