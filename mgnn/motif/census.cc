// Sums of rows of the `edge` matrices, taken while they are computed. An instance of a closed motif
// has two of its three joined pairs at each of its nodes. Of the two of an open motif the centre
// has both and a leaf one, so that
//
//   row sum = 2 · (times the node is centre) + (times it is leaf),
//
// and the row sum of the same entries restricted to the node as centre (pair_forms.h) tells the
// first term.

#include "mgnn/motif/census.h"

#include <cmath>
#include <limits>

#include "mgnn/base/cpu.h"
#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/graph/rewire.h"
#include "mgnn/motif/value_kernel.h"

namespace mgnn {
namespace {

constexpr NodeId kCensusRows = 256;

ValueJob census_job(const PairForms& forms, const PairedCoefficients& coefficients,
                    const RankedPairs& pairs, const PairHistograms& histograms, Counting counting,
                    bool closed) {
  return {&forms,           &coefficients, &pairs, &histograms,
          &pairs.connected, closed,        true,   counting == Counting::induced};
}

void check_offsets(const std::vector<NodeId>& offsets, NodeId nodes) {
  if (offsets.empty()) return;
  bool ascending = offsets.front() == 0 && offsets.back() == nodes;
  for (size_t g = 1; g < offsets.size(); g++) ascending &= offsets[g - 1] <= offsets[g];
  check(ascending, "the offsets of the graphs must ascend from 0 to the number of nodes, {}",
        nodes);
}

MotifCounts node_counts(const int64_t* edge_sums, const int64_t* centre_sums) {
  MotifCounts counts;
  for (int k = 1; k <= kNumMotifs; k++) {
    const int64_t sum = edge_sums[lane_of(k)];
    counts[size_t(k - 1)] = k <= 7 ? sum / 2 : sum - centre_sums[lane_of(k)] / 2;
  }
  return counts;
}

// Calls take(node, counts) for every node; by many threads, each node once.
template <class Take>
void each_node(const RankedPairs& pairs, const PairHistograms& histograms, Counting counting,
               Take&& take) {
  const PairForms edge = pair_forms(counting, Entry::edge), centre = centre_forms(counting);
  const PairedCoefficients edge_pairs(edge), centre_pairs(centre);
  const ValueJob edge_job = census_job(edge, edge_pairs, pairs, histograms, counting, true);
  const ValueJob centre_job = census_job(centre, centre_pairs, pairs, histograms, counting, false);
  const NodeId n = pairs.num_nodes();
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(4 * pairs.connected.nnz()))
  for (NodeId first = 0; first < n; first += kCensusRows)
    error.run([&] {
      check_interrupted();
      const NodeId last = std::min(n, first + kCensusRows);
      int64_t edge_sums[kCensusRows * kLanes], centre_sums[kCensusRows * kLanes];
      MGNN_DISPATCH(sum_values, edge_job, first, last, edge_sums);
      MGNN_DISPATCH(sum_values, centre_job, first, last, centre_sums);
      for (NodeId u = first; u < last; u++)
        take(u, node_counts(edge_sums + (u - first) * kLanes, centre_sums + (u - first) * kLanes));
    });
  error.rethrow();
}

// From counts at nodes, each instance being at three.
MotifCounts instances(std::span<const MotifCounts> nodes) {
  MotifCounts sum{};
  for (const MotifCounts& node : nodes)
    for (size_t k = 0; k < kNumMotifs; k++) sum[k] += node[k];
  for (int64_t& count : sum) count /= 3;
  return sum;
}

}  // namespace

Census census(const Graph& graph, const CensusOptions& options) {
  check(options.counting != Counting::published,
        "counting published has no census, for its open matrices do not count instances; take "
        "subgraph or induced");
  check_offsets(options.graph_offsets, graph.num_nodes());
  const RankedPairs pairs = ranked_pairs(graph);
  const PairHistograms histograms = triangle_pass(pairs);
  Census result{options.counting, {}, {}, {}};
  Array<MotifCounts> per_node(size_t(graph.num_nodes()));
  each_node(pairs, histograms, options.counting,
            [&](NodeId u, const MotifCounts& counts) { per_node[size_t(u)] = counts; });
  result.total = instances(per_node);
  for (size_t g = 0; g + 1 < options.graph_offsets.size(); g++) {
    const NodeId first = options.graph_offsets[g], last = options.graph_offsets[g + 1];
    result.per_graph.push_back(instances(std::span(per_node.data() + first, size_t(last - first))));
  }
  if (options.per_node) result.per_node = std::move(per_node);
  return result;
}

TriadCensus triad_census(const Graph& graph) {
  const __int128 n = graph.num_nodes();
  const __int128 triples = n * (n - 1) * (n - 2) / 6;
  if (triples > std::numeric_limits<int64_t>::max())
    fail("{} nodes have more triples than 64 bits can count", graph.num_nodes());
  TriadCensus result;
  result.connected = census(graph, {.counting = Counting::induced}).total;
  Offset two_way_arcs = 0;
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    for (const NodeId v : graph.out.row(u)) two_way_arcs += graph.has_arc(v, u);
  // Pairs times third nodes, less the triples that have more than this one pair.
  __int128 one_way = __int128(graph.num_arcs() - two_way_arcs) * (n - 2);
  __int128 two_way = __int128(two_way_arcs / 2) * (n - 2);
  __int128 rest = triples;
  for (int k = 1; k <= kNumMotifs; k++) {
    const int64_t count = result.connected[size_t(k - 1)];
    two_way -= __int128(motif(k).triad[0] - '0') * count;
    one_way -= __int128(motif(k).triad[1] - '0') * count;
    rest -= count;
  }
  result.one_arc = int64_t(one_way);
  result.one_two_way_pair = int64_t(two_way);
  result.no_arc = int64_t(rest - one_way - two_way);
  return result;
}

RandomGraph rewiring_null(const Graph& graph, Rng rng) {
  return [&graph, rng](int i) { return rewired(graph, rng.split(uint64_t(i))).graph; };
}

NullModel null_model(const MotifCounts& observed, Counting counting, int graphs,
                     const RandomGraph& random_graph) {
  check(graphs >= 2, "a null model needs at least two random graphs, not {}", graphs);
  NullModel null{graphs, {}, {}, {}};
  Progress progress("null model", graphs, "graphs");
  for (int i = 0; i < graphs; i++) {  // Welford's running mean and sum of squares
    check_interrupted();
    const MotifCounts found = census(random_graph(i), {.counting = counting}).total;
    for (size_t k = 0; k < kNumMotifs; k++) {
      const double off = double(found[k]) - null.mean[k];
      null.mean[k] += off / (i + 1);
      null.deviation[k] += off * (double(found[k]) - null.mean[k]);
    }
    progress.advance(1);
  }
  for (size_t k = 0; k < kNumMotifs; k++) {
    null.deviation[k] = std::sqrt(null.deviation[k] / (graphs - 1));
    const double off = double(observed[k]) - null.mean[k];
    null.z_score[k] = off == 0 ? 0 : off / null.deviation[k];
  }
  return null;
}

}  // namespace mgnn
