#include "mgnn/links/heuristics.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"

namespace mgnn {

std::span<const LinkHeuristic> link_heuristics() {
  static const std::array table = {
      LinkHeuristic{"degree-product",
                    "preferential attachment: d(u) d(v), of the edges asked about",
                    "Barabasi, Albert, Science 1999", degree_product},
      LinkHeuristic{"common-neighbours", "|Γ(u) ∩ Γ(v)|", "Newman, Phys. Rev. E 2001",
                    common_neighbours},
      LinkHeuristic{"adamic-adar", "sum of 1 / log d(w) over common neighbours w",
                    "Adamic, Adar, Social Networks 2003", adamic_adar},
      LinkHeuristic{"resource-allocation", "sum of 1 / d(w) over common neighbours w",
                    "Zhou et al., Eur. Phys. J. B 2009", resource_allocation},
      LinkHeuristic{"katz", "all walks between u and v, discounted by length",
                    "Katz, Psychometrika 1953", katz, false, 8},
      LinkHeuristic{"pagerank", "where walks from u that go on with chance 1/2 end",
                    "Liben-Nowell, Kleinberg, CIKM 2003", personalised_pagerank, false, 18},
      LinkHeuristic{"neighbour-vote",
                    "partners of nodes whose partners are like those of u, and the same for v",
                    "Sarwar et al., WWW 2001", neighbour_vote},
      LinkHeuristic{"source-vote", "do nodes whose partners are like those of u have v?",
                    "Sarwar et al., WWW 2001", neighbour_vote_of_sources, true},
      LinkHeuristic{"target-vote", "do nodes whose partners are like those of v have u?",
                    "Sarwar et al., WWW 2001", neighbour_vote_of_targets, true}};
  return table;
}

std::vector<LinkHeuristic> link_heuristics_for(const LinkEvidence& evidence) {
  std::vector<LinkHeuristic> suitable;
  for (const LinkHeuristic& heuristic : link_heuristics())
    if (!heuristic.two_sides_only || evidence.two_sides || evidence.directed)
      suitable.push_back(heuristic);
  return suitable;
}

namespace {

bool has_two_sides(const NodePairs& pairs, NodeId num_nodes) {
  std::vector<uint8_t> is_first(size_t(num_nodes), 0);
  for (const NodeId u : pairs.from) is_first[size_t(u)] = 1;
  return std::none_of(pairs.to.begin(), pairs.to.end(),
                      [&](NodeId v) { return is_first[size_t(v)]; });
}

}  // namespace

LinkEvidence link_evidence(const Graph& graph, const NodePairs& training_pairs, bool directed) {
  const NodeId n = graph.num_nodes();
  LinkEvidence evidence;
  evidence.directed = directed;
  evidence.two_sides = !directed && has_two_sides(training_pairs, n);
  evidence.graph = build_graph(n, arcs(graph), {.symmetrise = !directed}).graph;
  Array<Edge> asked;
  asked.reserve(training_pairs.size());
  for (size_t i = 0; i < training_pairs.size(); i++) asked.push_back(training_pairs[i]);
  evidence.partners =
      build_graph(n, std::move(asked), {.symmetrise = !directed && !evidence.two_sides}).graph;
  return evidence;
}

std::vector<float> scores_of_pairs(const SourceScorer& scorer, NodeId num_nodes,
                                   const NodePairs& pairs) {
  std::vector<size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return pairs.from[a] < pairs.from[b]; });
  std::vector<NodeId> sources;
  std::vector<size_t> first;  // of each source, in `order`
  for (size_t i = 0; i < order.size(); i++)
    if (const NodeId u = pairs.from[order[i]]; sources.empty() || sources.back() != u) {
      sources.push_back(u);
      first.push_back(i);
    }
  first.push_back(order.size());
  std::vector<float> score(pairs.size());
  const auto blocks = int64_t((sources.size() + kSourcesAtOnce - 1) / kSourcesAtOnce);
  ParallelError error;
#pragma omp parallel if (worth_threads(int64_t(sources.size()) * num_nodes))
  {
    Array<float> rows;
    error.run([&] { rows.resize(std::min(kSourcesAtOnce, sources.size()) * size_t(num_nodes)); });
#pragma omp for schedule(dynamic)
    for (int64_t b = 0; b < blocks; b++)
      error.run([&] {
        check_interrupted();
        const size_t begin = size_t(b) * kSourcesAtOnce;
        const size_t end = std::min(begin + kSourcesAtOnce, sources.size());
        scorer(std::span(sources).subspan(begin, end - begin), rows.data());
        for (size_t s = begin; s < end; s++)
          for (size_t i = first[s]; i < first[s + 1]; i++)
            score[order[i]] = rows[(s - begin) * size_t(num_nodes) + size_t(pairs.to[order[i]])];
      });
  }
  error.rethrow();
  return score;
}

}  // namespace mgnn
