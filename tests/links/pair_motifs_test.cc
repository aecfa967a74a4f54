#include "mgnn/links/pair_motifs.h"

#include "tests/reference/motif_reference.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::random_graph;

// The graph in which u and v are joined by these arcs and no others.
Graph with_pair(const Graph& graph, NodeId u, NodeId v, PairArcs kind) {
  Array<Edge> edges;
  for (const Edge& e : arcs(graph))
    if (std::minmax(e.from, e.to) != std::minmax(u, v)) edges.push_back(e);
  if (kind != PairArcs::backward) edges.push_back({u, v});
  if (kind != PairArcs::forward) edges.push_back({v, u});
  return make_graph(graph.num_nodes(), std::move(edges));
}

TEST(PairMotifs, AreTheInstancesThatTheEdgeWouldMake) {
  for (const PairArcs kind : {PairArcs::forward, PairArcs::backward, PairArcs::both})
    for (uint64_t seed = 0; seed < 8; seed++) {
      const NodeId n = 5 + NodeId(seed);
      const Graph graph = random_graph(n, 0.15 + 0.07 * double(seed), seed);
      const PairMotifs motifs(graph, kind);
      for (NodeId u = 0; u < n; u++) {
        std::vector<NodeId> targets;
        for (NodeId v = 0; v < n; v++)
          if (v != u) targets.push_back(v);
        std::vector<MotifCounts> counts(targets.size());
        motifs.count(u, targets, counts);
        for (size_t i = 0; i < targets.size(); i++) {
          const Graph joined = with_pair(graph, u, targets[i], kind);
          for (int k = 1; k <= kNumMotifs; k++) {
            const reference::Dense right =
                reference::motif_matrix(joined, k, Counting::subgraph, Entry::edge);
            ASSERT_EQ(counts[i][size_t(k - 1)], right(u, targets[i]))
                << motif_label(k) << " of " << u << ", " << targets[i] << "; seed " << seed;
          }
        }
      }
    }
}

TEST(PairMotifs, WhatJoinsThePairPlaysNoPart) {
  const Graph graph = random_graph(14, 0.3, 2);
  const PairMotifs motifs(graph, PairArcs::forward);
  for (const Edge& e : arcs(graph)) {
    const PairMotifs others(with_pair(graph, e.from, e.to, PairArcs::both), PairArcs::forward);
    MotifCounts one, other;
    motifs.count(e.from, std::span(&e.to, 1), std::span(&one, 1));
    others.count(e.from, std::span(&e.to, 1), std::span(&other, 1));
    ASSERT_EQ(one, other);
  }
}

TEST(PairMotifs, ArcsOfMostPairs) {
  const Graph graph = make_graph(4, {{0, 1}, {1, 0}, {2, 3}, {0, 2}, {3, 1}});
  const auto usual = [&](std::vector<NodeId> from, std::vector<NodeId> to) {
    return usual_arcs(graph, from, to);
  };
  EXPECT_EQ(usual({0}, {1}), PairArcs::both);
  EXPECT_EQ(usual({2, 0, 0}, {3, 2, 1}), PairArcs::forward);
  EXPECT_EQ(usual({3, 2, 0}, {2, 0, 1}), PairArcs::backward);
}

}  // namespace
}  // namespace mgnn
