// From the histograms of common neighbours and the degrees to the roles of each node (node_sums.h), and
// from these to its motifs. An instance is counted at its three nodes.

#include "mgnn/motif/census.h"

#include <algorithm>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/motif/node_sums.h"
#include "mgnn/motif/pair_matrices.h"

namespace mgnn {
namespace {

constexpr int64_t kWorkPerTask = 8192;  // nodes and their pairs

void check_graph_start(const std::vector<NodeId>& start, NodeId nodes) {
  if (start.empty()) return;
  const bool ascending = std::is_sorted(start.begin(), start.end());
  check(ascending && start.front() == 0 && start.back() == nodes,
        "the first nodes of the graphs must ascend from 0 to the number of nodes, {}", nodes);
}

MotifCounts& operator+=(MotifCounts& sum, const MotifCounts& counts) {
  for (size_t k = 0; k < kNumMotifs; k++) sum[k] += counts[k];
  return sum;
}

RoleCounts roles_of(const NodeSums& sums, Counting counting) {
  const RoleCounts induced = induced_roles(sums);
  return counting == Counting::induced ? induced : subgraph_roles(induced);
}

// Calls take(node, its roles) once for each node, by many threads. Returns the motifs of all nodes
// together.
template <class Take>
MotifCounts each_node(const RankedPairs& pairs, const PairHistograms& histograms, Counting counting,
                      const Take& take) {
  const auto nodes = int64_t(pairs.num_nodes());
  const LargeArray<RankedNode> by_rank = ranked_nodes(pairs);
  const auto work_before = [&](int64_t rank) {
    return rank + pairs.upper_start[rank] + pairs.lower_start[rank];
  };
  const auto rank_after = [&](int64_t work) {
    return std::max<int64_t>(1, first_after(work, nodes + 1, work_before));
  };
  const int64_t total_work = work_before(nodes + 1);
  MotifCounts total{};
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(4 * pairs.connected.nnz()))
  for (int64_t work = 0; work < total_work; work += kWorkPerTask)
    error.run([&] {
      check_interrupted();
      MotifCounts sum{};
      const int64_t last = rank_after(work + kWorkPerTask);
      for (int64_t rank = rank_after(work); rank < last; rank++) {
        const RoleCounts roles =
            roles_of(node_sums(pairs, histograms, by_rank, uint32_t(rank)), counting);
        take(by_rank[rank].node, roles);
        sum += motif_counts(roles);
      }
#pragma omp critical(mgnn_census)
      total += sum;
    });
  error.rethrow();
  return total;
}

// From sums over nodes.
void divide_by_three(MotifCounts& sums) {
  for (int64_t& sum : sums) sum /= 3;
}

// Nothing is stored for a pair but who it is.
MotifCounts total_counts(const Graph& graph, Counting counting) {
  const RankedPairs pairs = ranked_pairs(graph, PairLists::for_triangles);
  MotifCounts total =
      motif_counts(roles_of(sums_of_all_nodes(pairs, triangle_totals(pairs)), counting));
  divide_by_three(total);
  return total;
}

Array<MotifCounts> counts_of_graphs(const std::vector<NodeId>& graph_start,
                                    const Array<MotifCounts>& per_node) {
  Array<MotifCounts> per_graph(graph_start.size() - 1, MotifCounts{});
  for (size_t g = 0; g < per_graph.size(); g++) {
    for (NodeId u = graph_start[g]; u < graph_start[g + 1]; u++) per_graph[g] += per_node[u];
    divide_by_three(per_graph[g]);
  }
  return per_graph;
}

}  // namespace

Census census(const Graph& graph, const CensusOptions& options) {
  check(!is_published(options.counting),
        "counting published has no census, for its open matrices do not count instances; take "
        "subgraph or induced");
  check_graph_start(options.graph_start, graph.num_nodes());
  const bool set = !options.graph_start.empty();
  if (!options.per_node && !options.per_role && !options.per_arc && !set)
    return {.counting = options.counting, .total = total_counts(graph, options.counting)};
  RankedPairs pairs = ranked_pairs(graph);
  PairHistograms histograms = triangle_pass(pairs);
  Census result{.counting = options.counting};
  if (options.per_node || set) result.per_node.resize(size_t(graph.num_nodes()));
  if (options.per_role) result.per_role.resize(size_t(graph.num_nodes()));
  result.total =
      each_node(pairs, histograms, options.counting, [&](NodeId u, const RoleCounts& roles) {
        if (!result.per_node.empty()) result.per_node[u] = motif_counts(roles);
        if (!result.per_role.empty()) result.per_role[u] = roles;
      });
  divide_by_three(result.total);
  if (set) result.per_graph = counts_of_graphs(options.graph_start, result.per_node);
  if (!options.per_node) result.per_node = {};
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

}  // namespace mgnn
