// Sums of rows of the `edge` matrices, taken while they are computed. An instance of a closed motif
// has two of its three joined pairs at each of its nodes. Of the two of an open motif the centre
// has both and a leaf one, so that
//
//   row sum = 2 · (times the node is centre) + (times it is leaf),
//
// and the row sum of the same entries restricted to the node as centre (pair_forms.h) is the
// first term.

#include "mgnn/motif/census.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mgnn/base/cpu.h"
#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/graph/rewire.h"
#include "mgnn/motif/pair_matrices.h"
#include "mgnn/motif/value_kernel.h"

namespace mgnn {
namespace {

constexpr NodeId kNodesPerBlock = 256;

ValueJob census_job(const PairForms& forms, const PairedCoefficients& coefficients,
                    const RankedPairs& pairs, const PairHistograms& histograms, Counting counting) {
  return {.forms = &forms,
          .coefficients = &coefficients,
          .pairs = &pairs,
          .histograms = &histograms,
          .pattern = &pairs.connected,
          .closed_lanes = true,
          .open_lanes = true,
          .open_lanes_need_common = counting == Counting::induced};
}

void check_graph_start(const std::vector<NodeId>& start, NodeId nodes) {
  if (start.empty()) return;
  const bool ascending = std::is_sorted(start.begin(), start.end());
  check(ascending && start.front() == 0 && start.back() == nodes,
        "the first nodes of the graphs must ascend from 0 to the number of nodes, {}", nodes);
}

MotifCounts node_counts(const int64_t* edge_sums, const int64_t* centre_sums) {
  MotifCounts counts;
  for (int k = 1; k <= kNumMotifs; k++) {
    const int64_t sum = edge_sums[lane_of(k)];
    counts[k - 1] = k <= 7 ? sum / 2 : sum - centre_sums[lane_of(k)] / 2;
  }
  return counts;
}

// Calls take(first, counts of the nodes first, first + 1, …) for blocks of nodes; by many threads,
// each node once.
template <class Take>
void each_block(const RankedPairs& pairs, const PairHistograms& histograms, Counting counting,
                Take&& take) {
  const PairForms edge = pair_forms(counting, Entry::edge), centre = centre_forms(counting);
  const PairedCoefficients edge_coefficients(edge), centre_coefficients(centre);
  const ValueJob edge_job = census_job(edge, edge_coefficients, pairs, histograms, counting);
  ValueJob centre_job = census_job(centre, centre_coefficients, pairs, histograms, counting);
  centre_job.closed_lanes = false;
  const NodeId n = pairs.num_nodes();
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(4 * pairs.connected.nnz()))
  for (NodeId first = 0; first < n; first += kNodesPerBlock)
    error.run([&] {
      check_interrupted();
      const NodeId size = std::min(n - first, kNodesPerBlock);
      int64_t edge_sums[kNodesPerBlock * kLanes], centre_sums[kNodesPerBlock * kLanes];
      MGNN_DISPATCH(sum_values, edge_job, first, first + size, edge_sums);
      MGNN_DISPATCH(sum_values, centre_job, first, first + size, centre_sums);
      MotifCounts counts[kNodesPerBlock];
      for (NodeId i = 0; i < size; i++)
        counts[i] = node_counts(edge_sums + i * kLanes, centre_sums + i * kLanes);
      take(first, std::span<const MotifCounts>(counts, size_t(size)));
    });
  error.rethrow();
}

MotifCounts& operator+=(MotifCounts& sum, const MotifCounts& counts) {
  for (size_t k = 0; k < kNumMotifs; k++) sum[k] += counts[k];
  return sum;
}

// From sums over nodes: each instance was counted at its three nodes.
void divide_by_three(MotifCounts& sums) {
  for (int64_t& sum : sums) sum /= 3;
}

// The counts of consecutive nodes to those of their graphs.
void add_to_graphs(const std::vector<NodeId>& graph_start, NodeId first,
                   std::span<const MotifCounts> nodes, Array<MotifCounts>& per_graph) {
  auto g = size_t(std::upper_bound(graph_start.begin(), graph_start.end(), first) -
                  graph_start.begin()) -
           1;
  for (size_t i = 0; i < nodes.size(); i++) {
    while (graph_start[g + 1] <= first + NodeId(i)) g++;
    per_graph[g] += nodes[i];
  }
}

}  // namespace

Census census(const Graph& graph, const CensusOptions& options) {
  check(options.counting != Counting::published,
        "counting published has no census, for its open matrices do not count instances; take "
        "subgraph or induced");
  check_graph_start(options.graph_start, graph.num_nodes());
  RankedPairs pairs = ranked_pairs(graph);
  PairHistograms histograms = triangle_pass(pairs);
  Census result{.counting = options.counting};
  if (options.per_node) result.per_node.resize(size_t(graph.num_nodes()));
  if (!options.graph_start.empty())
    result.per_graph.resize(options.graph_start.size() - 1, MotifCounts{});
  each_block(pairs, histograms, options.counting,
             [&](NodeId first, std::span<const MotifCounts> nodes) {
               if (options.per_node)
                 std::copy(nodes.begin(), nodes.end(), result.per_node.begin() + first);
               MotifCounts sum{};
               for (const MotifCounts& counts : nodes) sum += counts;
#pragma omp critical(mgnn_census)
               {
                 result.total += sum;
                 if (!result.per_graph.empty())
                   add_to_graphs(options.graph_start, first, nodes, result.per_graph);
               }
             });
  divide_by_three(result.total);
  for (MotifCounts& counts : result.per_graph) divide_by_three(counts);
  if (options.per_arc)
    result.per_arc = pair_matrices(std::move(pairs), std::move(histograms),
                                   {.counting = options.counting, .entry = Entry::arc});
  return result;
}

TriadCensus triad_census(const Graph& graph) {
  const __int128 n = graph.num_nodes();
  const __int128 triples = n * (n - 1) * (n - 2) / 6;
  if (triples > std::numeric_limits<int64_t>::max())
    fail("{} nodes have more triples than 64 bits can count", graph.num_nodes());
  TriadCensus result;
  result.connected = census(graph, {.counting = Counting::induced}).total;
  Offset mutual_arcs = 0;
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    for (const NodeId v : graph.out.row(u)) mutual_arcs += graph.has_arc(v, u);
  // Pairs times third nodes, less the triples that have more than this one pair.
  __int128 one_way = __int128(graph.num_arcs() - mutual_arcs) * (n - 2);
  __int128 mutual = __int128(mutual_arcs / 2) * (n - 2);
  __int128 rest = triples;
  for (int k = 1; k <= kNumMotifs; k++) {
    const int64_t count = result.connected[k - 1];
    mutual -= __int128(motif(k).triad[0] - '0') * count;
    one_way -= __int128(motif(k).triad[1] - '0') * count;
    rest -= count;
  }
  result.one_arc = int64_t(one_way);
  result.one_mutual_pair = int64_t(mutual);
  result.no_arc = int64_t(rest - one_way - mutual);
  return result;
}

RandomGraph rewiring_null(const Graph& graph, Rng rng) {
  return [&graph, rng](int i) { return rewired(graph, rng.split(uint64_t(i))).graph; };
}

NullModel null_model(const MotifCounts& observed, Counting counting, int graphs,
                     const RandomGraph& random_graph) {
  check(graphs >= 2, "a null model needs at least two random graphs, not {}", graphs);
  NullModel null{.graphs = graphs};
  Progress progress("null model", graphs, "graphs");
  for (int i = 0; i < graphs; i++) {  // Welford's running mean and sum of squares
    check_interrupted();
    const MotifCounts counts = census(random_graph(i), {.counting = counting}).total;
    for (size_t k = 0; k < kNumMotifs; k++) {
      const double difference = double(counts[k]) - null.mean[k];
      null.mean[k] += difference / (i + 1);
      null.deviation[k] += difference * (double(counts[k]) - null.mean[k]);
    }
    progress.advance(1);
  }
  for (size_t k = 0; k < kNumMotifs; k++) {
    null.deviation[k] = std::sqrt(null.deviation[k] / (graphs - 1));
    const double difference = double(observed[k]) - null.mean[k];
    null.z_score[k] = difference == 0 ? 0 : difference / null.deviation[k];
  }
  return null;
}

}  // namespace mgnn
