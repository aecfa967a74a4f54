// Walks against the exact transition probabilities, by chi-square.
#include "mgnn/graph/walks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "mgnn/data/embedded.h"
#include "mgnn/graph/line_graph.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph;

Graph undirected(NodeId n, Array<Edge> edges) {
  return build_graph(n, std::move(edges), {.symmetrise = true}).graph;
}

// Probability of each x after t -> v, straight from the definition.
std::map<NodeId, double> exact(const Graph& g, std::span<const float> weight, double p, double q,
                               NodeId t, NodeId v) {
  std::map<NodeId, double> share;
  double sum = 0;
  for (Offset e = g.out.start[v]; e < g.out.start[v + 1]; e++) {
    const NodeId x = g.out.index[e];
    const double bias = x == t ? 1 / p : g.has_arc(x, t) ? 1 : 1 / q;
    sum += share[x] = bias * (weight.empty() ? 1 : double(weight[e]));
  }
  for (auto& [x, s] : share) s /= sum;
  return share;
}

// (χ² - k) / √(2k) over all pairs of arcs, which is about normal.
double surprise(const Graph& g, std::span<const float> weight, double p, double q, uint64_t seed) {
  constexpr int kDraws = 4000;
  const Walker walker(g, weight, {.p = p, .q = q});
  Rng rng(seed);
  double chi = 0, k = 0;
  for (NodeId t = 0; t < g.num_nodes(); t++)
    for (const NodeId v : g.out.row(t)) {
      if (g.out.row_size(v) == 0) continue;
      std::map<NodeId, int> seen;
      for (int i = 0; i < kDraws; i++) seen[walker.step(t, v, rng)]++;
      k--;
      for (const auto& [x, share] : exact(g, weight, p, q, t, v)) {
        chi += std::pow(seen[x] - kDraws * share, 2) / (kDraws * share);
        k++;
        seen.erase(x);
      }
      EXPECT_TRUE(seen.empty()) << "a step to where no arc leads";
    }
  return (chi - k) / std::sqrt(2 * k);
}

TEST(Walks, FollowTheExactDistribution) {
  const Dataset karate = karate_dataset();
  for (const auto& [p, q] : {std::pair(1., 1.), {.25, 4.}, {4., .25}, {1000., 1000.}})
    EXPECT_LT(surprise(karate.graph, {}, p, q, 7), 4) << p << " " << q;
  const Graph directed = random_graph(12, 0.4, 3);
  std::vector<float> weight;
  Rng rng(5);
  for (Offset e = 0; e < directed.num_arcs(); e++) weight.push_back(float(rng.below(4)) + 0.5f);
  for (const auto& [p, q] : {std::pair(1., 1.), {.1, 3.}, {3., .2}})
    EXPECT_LT(surprise(directed, weight, p, q, 9), 4) << p << " " << q;
}

TEST(Walks, PawGraph) {
  const Graph paw = undirected(4, {{0, 1}, {0, 2}, {1, 2}, {2, 3}});
  const auto expected = exact(paw, {}, 4, 0.25, 1, 2);
  EXPECT_NEAR(expected.at(0), 0.190476, 1e-6);
  EXPECT_NEAR(expected.at(1), 0.047619, 1e-6);
  EXPECT_NEAR(expected.at(3), 0.761905, 1e-6);
  EXPECT_LT(surprise(paw, {}, 4, 0.25, 1), 4);
}

TEST(Walks, InfinitePNeverTurnsBackUnlessItMust) {
  const Graph path = undirected(4, {{0, 1}, {1, 2}, {2, 3}});
  const Walker walker(path, {}, {.p = INFINITY});
  Rng rng(1);
  std::vector<NodeId> walk(8);
  ASSERT_EQ(walker.walk(0, rng, walk), 8u);
  EXPECT_EQ(walk, (std::vector<NodeId>{0, 1, 2, 3, 2, 1, 0, 1}));
}

TEST(Walks, EndAtSinksAndHeedZeroWeights) {
  const Graph g = make_graph(4, {{0, 1}, {1, 2}, {1, 3}});
  Rng rng(2);
  std::vector<NodeId> walk(5);
  const std::vector<float> weight = {1, 0, 2};
  const Walker walker(g, weight);
  for (int i = 0; i < 50; i++) {
    ASSERT_EQ(walker.walk(0, rng, walk), 3u);
    EXPECT_EQ(walk[2], 3);
  }
  const std::vector<float> none = {0, 0, 0};
  EXPECT_EQ(Walker(g, none).walk(0, rng, walk), 1u);
  EXPECT_EQ(Walker(g).walk(3, rng, walk), 1u);
}

TEST(Walks, VisitNodesByDegree) {
  const Dataset karate = karate_dataset();
  const Walker walker(karate.graph);
  Rng rng(3);
  std::vector<NodeId> walk(200'000);
  walker.walk(0, rng, walk);
  std::vector<double> visits(34, 0);
  for (const NodeId u : walk) visits[u]++;
  for (NodeId u = 0; u < 34; u++)
    EXPECT_NEAR(visits[u] / 200'000, double(karate.graph.out.row_size(u)) / 156, 0.004);
}

TEST(Walks, RefuseWhatCannotBe) {
  const Graph g = make_graph(2, {{0, 1}});
  const std::vector<float> negative = {-1}, two = {1, 1};
  EXPECT_EQ(error_of([&] { Walker(g, {}, {.p = 0}); }), "p and q must be above 0, not 0 and 1");
  EXPECT_EQ(error_of([&] { Walker(g, negative); }), "a walk needs weights of 0 and above, not -1");
  EXPECT_EQ(error_of([&] { Walker(g, two); }), "2 weights for 1 arcs");
}

TEST(Alias, DrawsByWeight) {
  const std::vector<float> weight = {0, 3, 1, 0, 4};
  std::vector<AliasSlot> slots(weight.size());
  EXPECT_EQ(fill_alias_slots(weight, slots), 8);
  Rng rng(1);
  std::vector<int> seen(5, 0);
  for (int i = 0; i < 80'000; i++) seen[draw(slots, rng)]++;
  for (size_t i = 0; i < 5; i++) EXPECT_NEAR(seen[i], weight[i] * 10'000, 400) << i;
  EXPECT_EQ(seen[0] + seen[3], 0);
}

TEST(LineGraph, OfSmallGraphs) {
  const Graph k3 = undirected(3, {{0, 1}, {1, 2}, {0, 2}});
  const Graph star = undirected(4, {{0, 1}, {0, 2}, {0, 3}});
  EXPECT_EQ(line_graph(k3).graph.num_arcs(), 6);
  EXPECT_EQ(line_graph(star).graph.out.index, line_graph(k3).graph.out.index);
  const Graph path = undirected(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  const LineGraph of_path = line_graph(path);
  EXPECT_EQ(of_path.graph.num_nodes(), 4);
  EXPECT_EQ(of_path.graph.num_arcs(), 6);
  const LineGraph karate = line_graph(karate_dataset().graph);
  EXPECT_EQ(karate.graph.num_nodes(), 78);
  EXPECT_EQ(karate.graph.num_arcs(), 2 * 528);
}

TEST(LineGraph, OfDirectedGraphsAndSets) {
  const Graph g = random_graph(9, 0.3, 4);
  const LineGraph line = line_graph(g);
  ASSERT_EQ(line.graph.num_nodes(), g.num_arcs());
  for (NodeId a = 0; a < line.graph.num_nodes(); a++)
    for (NodeId b = 0; b < line.graph.num_nodes(); b++)
      EXPECT_EQ(line.graph.has_arc(a, b), a != b && line.edges[a].to == line.edges[b].from);
  // A triangle, an edge, nothing.
  const Graph set = undirected(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}});
  const std::vector<NodeId> start = {0, 3, 5, 6};
  const LineGraph of_set = line_graph(set, start);
  EXPECT_EQ(of_set.graph_start, (std::vector<NodeId>{0, 3, 4, 4}));
  EXPECT_EQ(of_set.graph.out.row_size(3), 0);
}

}  // namespace
}  // namespace mgnn
