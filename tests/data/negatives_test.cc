#include "mgnn/data/negatives.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "mgnn/base/parallel.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph;

NodePairs pairs_of(const Graph& graph) {
  NodePairs pairs;
  for (const Edge& arc : arcs(graph)) pairs.push_back(arc);
  return pairs;
}

bool same(const NodePairs& a, const NodePairs& b) { return a.from == b.from && a.to == b.to; }

TEST(Negatives, AreNeverEdges) {
  for (uint64_t seed = 0; seed < 20; seed++)
    for (const bool directed : {false, true}) {
      const Graph graph = random_graph(30, 0.02 + 0.03 * double(seed % 10), seed);
      const NegativeSampler sampler(graph, {}, directed);
      const NodePairs drawn = sampler.draw(pairs_of(graph), Rng(seed));
      ASSERT_EQ(drawn.size(), size_t(graph.num_arcs()));
      for (size_t i = 0; i < drawn.size(); i++) {
        EXPECT_NE(drawn.from[i], drawn.to[i]);
        EXPECT_FALSE(graph.has_arc(drawn.from[i], drawn.to[i]));
        if (!directed) {
          EXPECT_FALSE(graph.has_arc(drawn.to[i], drawn.from[i]));
        }
      }
    }
}

TEST(Negatives, KeepTheTypesOfTheirPair) {
  const Graph graph = random_graph(60, 0.1, 3);
  std::vector<int32_t> type;
  for (NodeId v = 0; v < 60; v++) type.push_back(v * v % 3);  // 0 and 1 only
  const NodePairs known = pairs_of(graph);
  const NodePairs drawn = NegativeSampler(graph, type, false).draw(known, Rng(1));
  for (size_t i = 0; i < drawn.size(); i++) {
    EXPECT_EQ(type[size_t(drawn.from[i])], type[size_t(known.from[i])]);
    EXPECT_EQ(type[size_t(drawn.to[i])], type[size_t(known.to[i])]);
  }
}

// Ends of edges are ends of negatives as often, whatever their degrees; first ends stay first.
TEST(Negatives, OfMatchedDegrees) {
  Rng rng(4);
  Array<Edge> edges;
  std::vector<int32_t> type(200, 1);
  for (NodeId u = 0; u < 40; u++) {
    type[size_t(u)] = 0;
    for (NodeId v = 40; v < 200; v++)  // degrees from few to many
      if (rng.uniform() < 0.5 * double(u + 1) / 40 * double(v - 39) / 160) edges.push_back({u, v});
  }
  const Graph graph = make_graph(200, std::move(edges));
  const NodePairs known = pairs_of(graph);
  const NegativeSampler sampler(graph, type, false, &known);
  std::vector<double> of_edges(200, 0), of_negatives(200, 0);
  constexpr int kDraws = 200;
  for (uint64_t i = 0; i < kDraws; i++) {
    const NodePairs drawn = sampler.draw(known, Rng(i));
    for (size_t e = 0; e < drawn.size(); e++) {
      ASSERT_FALSE(graph.has_arc(drawn.from[e], drawn.to[e]));
      ASSERT_EQ(type[size_t(drawn.from[e])], 0);
      ASSERT_EQ(type[size_t(drawn.to[e])], 1);
      for (const NodeId end : {drawn.from[e], drawn.to[e]}) of_negatives[size_t(end)]++;
    }
  }
  for (NodeId v = 0; v < 200; v++)
    of_edges[size_t(v)] = double(kDraws) * double(graph.out.row_size(v) + graph.in.row_size(v));
  // Hubs lose some, since many of their pairs are edges: but the products of degrees of negatives are
  // nearer to those of edges than to those of any nodes.
  double shared = 0, total = 0;
  for (size_t v = 0; v < 200; v++) {
    shared += std::min(of_edges[v], of_negatives[v]);
    total += of_edges[v];
  }
  EXPECT_GT(shared / total, 0.93);
  const NodePairs uniform = NegativeSampler(graph, type, false).draw(known, Rng(1));
  std::vector<double> of_uniform(200, 0);
  for (size_t e = 0; e < uniform.size(); e++)
    for (const NodeId end : {uniform.from[e], uniform.to[e]}) of_uniform[size_t(end)] += kDraws;
  double by_chance = 0;
  for (size_t v = 0; v < 200; v++) by_chance += std::min(of_edges[v], of_uniform[v]);
  EXPECT_LT(by_chance / total, 0.85);
}

// Every unknown pair about equally often: χ² far below what a bias would give.
TEST(Negatives, AreUniform) {
  const Graph graph = random_graph(8, 0.3, 5);
  NodePairs beside;
  constexpr int kDraws = 40'000;
  for (int i = 0; i < kDraws; i++) beside.push_back({0, 1});
  std::map<std::pair<NodeId, NodeId>, double> count;
  for (NodeId u = 0; u < 8; u++)
    for (NodeId v = 0; v < 8; v++)
      if (u != v && !graph.has_arc(u, v)) count[{u, v}] = 0;
  const NodePairs drawn = NegativeSampler(graph, {}, true).draw(beside, Rng(2));
  for (size_t i = 0; i < drawn.size(); i++) count[{drawn.from[i], drawn.to[i]}]++;
  const double expected = kDraws / double(count.size());
  double square = 0;
  for (const auto& [pair, times] : count)
    square += (times - expected) * (times - expected) / expected;
  EXPECT_LT(square, 2 * double(count.size()));
}

TEST(Negatives, DistinctOnesAreUsedUpToTheLast) {
  // A path of 6 nodes leaves 10 of 15 unordered pairs.
  Array<Edge> path;
  for (NodeId v = 0; v + 1 < 6; v++) path.push_back({v, v + 1});
  const Graph graph = make_graph(6, path);
  const NegativeSampler sampler(graph, {}, false);
  NodePairs ten;
  for (int i = 0; i < 10; i++) ten.push_back({0, 1});
  TakenPairs taken;
  const NodePairs drawn = sampler.draw_distinct(ten, Rng(1), taken);
  std::set<std::pair<NodeId, NodeId>> found;
  for (size_t i = 0; i < drawn.size(); i++) found.insert(std::minmax(drawn.from[i], drawn.to[i]));
  EXPECT_EQ(found.size(), 10u);
  NodePairs more;
  more.push_back({0, 1});
  EXPECT_EQ(error_of([&] { sampler.draw_distinct(more, Rng(1), taken); }),
            "the graph is too dense for negatives: all pairs of the 6 and 6 nodes that may be its "
            "ends are edges or drawn already; hold out fewer edges");
}

TEST(Negatives, OfACompleteGraphThereAreNone) {
  const Graph graph = random_graph(5, 1, 1);
  const auto refusal = [&](std::span<const int32_t> type) {
    return error_of([&] { NegativeSampler(graph, type, false).draw(pairs_of(graph), Rng(1)); });
  };
  EXPECT_EQ(refusal({}),
            "the graph is too dense for negatives: all pairs of the 5 and 5 nodes that may be its "
            "ends are edges; there is nothing to tell edges from");
  const std::vector<int32_t> type(5, 0);
  EXPECT_EQ(refusal(type),
            "the graph is too dense for negatives: all pairs of the 5 and 5 nodes that may be its "
            "ends are edges; use uniform negatives");
  EXPECT_EQ(NegativeSampler(make_graph(0, {}), {}, false).draw({}, Rng(1)).size(), 0u);
}

TEST(Negatives, DependOnTheSeedAlone) {
  const Graph graph = random_graph(200, 0.1, 7);
  const NegativeSampler sampler(graph, {}, false);
  const NodePairs known = pairs_of(graph);
  set_num_threads(1);
  const NodePairs alone = sampler.draw(known, Rng(3));
  set_num_threads(4);
  const NodePairs together = sampler.draw(known, Rng(3)), other = sampler.draw(known, Rng(4));
  set_num_threads(0);
  EXPECT_TRUE(same(alone, together));
  EXPECT_FALSE(same(alone, other));
}

}  // namespace
}  // namespace mgnn
