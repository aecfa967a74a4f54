// An instance is a choice of how each of its pairs is used: as an arc out, an arc in, or both. For
// a connected pair (i, j) let H_tu be the sum over common neighbours w of the joined weights of
// (i, w) used as t and (j, w) used as u, N_tu their number, and R_t the sum over the other
// neighbours of i used as t, r_t their number. With v_s the weight of (i, j) used as s, the
// instances that (s, t, u) make a closed motif of add
//
//   product  v_s H_tu              mean  (N_tu v_s + H_tu) / arcs of the motif
//
// and those with centre i and leaf j that (s, t) make an open one of
//
//   product  v_s R_t               mean  (r_t v_s + R_t) / arcs of the motif
//
// where `induced` takes the common neighbours out of R. Leaves that are not joined need H alone.
// Common neighbours are found from the end of smaller degree, so every pair is looked at once, by
// one thread, and its sums run over w in ascending order.

#include <algorithm>
#include <cmath>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/motif/leaf_pairs.h"
#include "mgnn/motif/motifs.h"
#include "mgnn/motif/pair_weights.h"
#include "mgnn/sparse/csr.h"

namespace mgnn {
namespace {

// Of the nodes i = 0, j = 1, w = 2 of a triple.
struct MotifOfWays {
  int closed[kNumTypes][kNumTypes][kNumTypes];  // of (i, j), (i, w), (j, w)
  int open[kNumTypes][kNumTypes];               // of two leaves as their centre sees them

  MotifOfWays() {
    for (int s = 0; s < kNumTypes; s++)
      for (int t = 0; t < kNumTypes; t++) {
        open[s][t] = motif_of_arcs(arcs_between(0, 1, s) | arcs_between(0, 2, t));
        for (int u = 0; u < kNumTypes; u++)
          closed[s][t][u] =
              motif_of_arcs(arcs_between(0, 1, s) | arcs_between(0, 2, t) | arcs_between(1, 2, u));
      }
  }
};

// H and N of a pair, and the parts of R that its common neighbours are.
struct CommonSums {
  double weight[kNumTypes][kNumTypes] = {};
  int64_t count[kNumTypes][kNumTypes] = {};
  WaySums around_i, around_j;
};

using MotifSums = std::array<double, kNumMotifs>;

class WeightedSums {
 public:
  WeightedSums(const PairWeights& pairs, MotifWeights weights, const MotifOptions& options)
      : pairs_(pairs), weights_(weights), options_(options) {
    if (options.motifs.has_open()) around_ = pairs.sums_around();
  }

  // The sums of (i, j) and (j, i) at place `e` of (i, j), divided where they are means.
  struct Entries {
    MotifSums forward{}, backward{};
  };
  Entries entries(Offset e, const CommonSums& common) const {
    Entries result;
    const PairWays pair = pairs_.ways(e);
    for (int s = pair.first; s <= pair.last; s++) add_closed(result, s, pair.weight[s], common);
    if (options_.motifs.has_open()) {
      add_wedges(result, e, common.around_i);
      std::swap(result.forward, result.backward);  // as j sees it
      add_wedges(result, pairs_.reverse(e), common.around_j);
      std::swap(result.forward, result.backward);
      if (options_.entry == Entry::pair && options_.counting == Counting::subgraph)
        for (MotifSums* sums : {&result.forward, &result.backward})
          add_leaves(*sums, common.weight);
    }
    divide(result.forward);
    divide(result.backward);
    return result;
  }

  // Open motifs whose leaves i and j are, from H.
  void add_leaves(MotifSums& sums, const double (&weight)[kNumTypes][kNumTypes]) const {
    for (int t = 0; t < kNumTypes; t++)
      for (int u = 0; u < kNumTypes; u++)
        sums[motif_.open[reversed(t)][reversed(u)] - 1] += weight[t][u];
  }
  void divide(MotifSums& sums) const {
    if (weights_ != MotifWeights::mean) return;
    for (int k = 1; k <= kNumMotifs; k++) sums[k - 1] /= motif(k).num_arcs;
  }

 private:
  double instances(double own, int64_t count, double others) const {
    return weights_ == MotifWeights::mean ? double(count) * own + others : own * others;
  }
  void add(Entries& result, int motif, int way, double x) const {
    const bool arcs_only = options_.entry == Entry::arc;
    if (!arcs_only || way != kIn) result.forward[motif - 1] += x;
    if (!arcs_only || way != kOut) result.backward[motif - 1] += x;
  }
  void add_closed(Entries& result, int s, double own, const CommonSums& common) const {
    for (int t = 0; t < kNumTypes; t++)
      for (int u = 0; u < kNumTypes; u++)
        if (const int64_t count = common.count[t][u])
          add(result, motif_.closed[s][t][u], s, instances(own, count, common.weight[t][u]));
  }
  // Wedges with the row's node of place `e` as centre and the column's as a leaf.
  void add_wedges(Entries& result, Offset e, const WaySums& common) const {
    const PairWays pair = pairs_.ways(e);
    const bool induced = options_.counting == Counting::induced;
    for (int t = 0; t < kNumTypes; t++) {
      LongSum others = around_[e].weight[t];
      int64_t count = around_[e].count[t];
      if (induced) {
        others.subtract(common.weight[t]);
        count -= common.count[t];
      }
      if (count == 0) continue;
      for (int s = pair.first; s <= pair.last; s++)
        add(result, motif_.open[s][t], s, instances(pair.weight[s], count, others.value()));
    }
  }

  const PairWeights& pairs_;
  const MotifWeights weights_;
  const MotifOptions& options_;
  const MotifOfWays motif_;
  Array<WaySums> around_;
};

// Calls visit(place of (i, w), place of (j, w)) for every common neighbour w of a pair, ascending.
// `place` holds the places of the row of i, -1 elsewhere.
template <class Visit>
void each_common(const Csr& s, NodeId i, NodeId j, const Array<Offset>& place, Visit&& visit) {
  const Offset size_i = s.row_size(i), size_j = s.row_size(j);
  if (double(size_j) <= double(size_i) * std::log2(double(size_j) + 2)) {
    for (Offset f = s.start[j]; f < s.start[j + 1]; f++)
      if (const Offset e = place[s.index[f]]; e >= 0) visit(e, f);
    return;
  }
  const NodeId* const row = s.index.data();
  const NodeId* at = row + s.start[j];
  const NodeId* const end = row + s.start[j + 1];
  for (Offset e = s.start[i]; e < s.start[i + 1]; e++) {
    at = std::lower_bound(at, end, s.index[e]);
    if (at == end) return;
    if (*at == s.index[e]) visit(e, Offset(at - row));
  }
}

void add_joined(const PairWeights& pairs, const PairWays& a, const PairWays& b,
                double (&weight)[kNumTypes][kNumTypes]) {
  for (int t = a.first; t <= a.last; t++)
    for (int u = b.first; u <= b.last; u++) weight[t][u] += pairs.joined(a.weight[t], b.weight[u]);
}

CommonSums common_sums(const PairWeights& pairs, NodeId i, NodeId j, const Array<Offset>& place,
                       bool around) {
  CommonSums sums;
  each_common(pairs.connected(), i, j, place, [&](Offset e, Offset f) {
    const PairWays a = pairs.ways(e), b = pairs.ways(f);
    add_joined(pairs, a, b, sums.weight);
    for (int t = a.first; t <= a.last; t++)
      for (int u = b.first; u <= b.last; u++) sums.count[t][u]++;
    if (!around) return;
    sums.around_i.add(a);
    sums.around_j.add(b);
  });
  return sums;
}

void write_entry(WeightedMotifMatrices& matrices, Offset place, const MotifSums& sums) {
  for (int k = 0; k < kNumMotifs; k++)
    if (!matrices.value[k].empty()) matrices.value[k][place] = sums[k];
}

// The entries of all pairs of S; `place_of` leads from places of S to those of the pattern.
void fill_connected(const PairWeights& pairs, const WeightedSums& sums, const MotifOptions& options,
                    const Array<Offset>& place_of, WeightedMotifMatrices& matrices) {
  const Csr& s = pairs.connected();
  const bool around = options.counting == Counting::induced && options.motifs.has_open();
  Progress progress("weighted motifs", s.rows, "nodes");
  ParallelError error;
#pragma omp parallel if (worth_threads(8 * s.nnz()))
  {
    Array<Offset> place;
    error.run([&] { place.assign(size_t(s.rows), Offset(-1)); });
#pragma omp for schedule(dynamic, 16)
    for (NodeId i = 0; i < s.rows; i++)
      error.run([&] {
        check_interrupted();
        for (Offset e = s.start[i]; e < s.start[i + 1]; e++) place[s.index[e]] = e;
        for (Offset e = s.start[i]; e < s.start[i + 1]; e++) {
          const NodeId j = s.index[e];
          if (j < i) continue;
          const auto [forward, backward] = sums.entries(e, common_sums(pairs, i, j, place, around));
          const Offset r = pairs.reverse(e);
          write_entry(matrices, place_of.empty() ? e : place_of[e], forward);
          write_entry(matrices, place_of.empty() ? r : place_of[r], backward);
        }
        for (const NodeId w : s.row(i)) place[w] = -1;
        progress.advance(1);
      });
  }
  error.rethrow();
}

struct LeafCells {
  double weight[kNumTypes][kNumTypes] = {};
};

// The entries of leaves that are not joined.
void fill_leaves(const PairWeights& pairs, const WeightedSums& sums,
                 WeightedMotifMatrices& matrices) {
  const Csr &s = pairs.connected(), &pattern = matrices.pattern;
  Progress progress("weighted pairs of leaves", s.rows, "nodes");
  ParallelError error;
#pragma omp parallel if (worth_threads(pattern.nnz()))
  {
    Array<NodeId> joined;
    Array<LeafCells> cells;
    error.run([&] {
      joined.assign(size_t(s.rows), NodeId(-1));
      cells.assign(size_t(s.rows), LeafCells{});
    });
#pragma omp for schedule(dynamic, 16)
    for (NodeId i = 0; i < s.rows; i++)
      error.run([&] {
        check_interrupted();
        joined[i] = i;
        for (const NodeId w : s.row(i)) joined[w] = i;
        for (Offset e = s.start[i]; e < s.start[i + 1]; e++) {
          const PairWays own = pairs.ways(e);
          const NodeId w = s.index[e];
          for (Offset f = s.start[w]; f < s.start[w + 1]; f++)
            if (const NodeId j = s.index[f]; joined[j] != i)
              add_joined(pairs, own, pairs.ways(pairs.reverse(f)), cells[j].weight);
        }
        for (Offset e = pattern.start[i]; e < pattern.start[i + 1]; e++) {
          const NodeId j = pattern.index[e];
          if (joined[j] == i) continue;
          MotifSums entry{};
          sums.add_leaves(entry, cells[j].weight);
          sums.divide(entry);
          write_entry(matrices, e, entry);
        }
        for (const NodeId w : s.row(i))
          for (const NodeId j : s.row(w)) cells[j] = {};
        progress.advance(1);
      });
  }
  error.rethrow();
}

void check_options(const Graph& graph, std::span<const float> arc_weight, MotifWeights weights,
                   const MotifOptions& options) {
  check(!options.motifs.empty(), "no motif was asked for");
  check(Offset(arc_weight.size()) == graph.num_arcs(), "the graph has {} arcs, but {} weights",
        graph.num_arcs(), arc_weight.size());
  if (weights == MotifWeights::none) fail_usage("weights none: nothing is to be weighted");
  if (is_published(options.counting))
    fail_usage(
        "counting published does not count instances, which weights {} need; take subgraph "
        "or induced",
        name_of(weights));
  for (const float w : arc_weight)
    if (!std::isfinite(w))
      fail_data("a weight of an arc is {}; motif matrices need finite ones", w);
}

}  // namespace

double WeightedMotifMatrices::sum(int motif) const {
  LongSum sum;
  for (const double x : value[motif - 1]) sum.add(x);
  return sum.value();
}

WeightedMotifMatrices weighted_motif_matrices(const Graph& graph, std::span<const float> arc_weight,
                                              MotifWeights weights, const MotifOptions& options) {
  check_options(graph, arc_weight, weights, options);
  WeightedMotifMatrices matrices{.counting = options.counting,
                                 .entry = options.entry,
                                 .weights = weights,
                                 .motifs = options.motifs};
  RankedPairs ranked = ranked_pairs(graph);
  const bool with_leaves = options.entry == Entry::pair && options.motifs.has_open();
  if (with_leaves) {
    const SharedForms shared =
        share_forms(pair_forms(options.counting, options.entry), options.motifs, ranked.has_type);
    matrices.pattern =
        leaf_pairs(ranked, shared,
                   {int64_t(sizeof(double)) * options.motifs.size(), int64_t(sizeof(LeafCells))},
                   options.pair_memory_limit)
            .pattern;
  }
  const Csr connected = std::move(ranked.connected);
  ranked = {};
  const Array<Offset> place_of =
      with_leaves ? places_in(connected, matrices.pattern) : Array<Offset>();
  if (!with_leaves) matrices.pattern = connected;
  for (const int k : options.motifs.numbers())
    matrices.value[k - 1] = Array<double>(size_t(matrices.pattern.nnz()), 0.);
  const PairWeights pairs(graph, arc_weight, connected, weights, options.counting);
  const WeightedSums sums(pairs, weights, options);
  fill_connected(pairs, sums, options, place_of, matrices);
  if (with_leaves) fill_leaves(pairs, sums, matrices);
  return matrices;
}

}  // namespace mgnn
