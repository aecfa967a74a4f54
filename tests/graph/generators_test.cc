#include "mgnn/graph/generators.h"

#include <map>
#include <numeric>
#include <set>

#include "mgnn/base/parallel.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

// |got - mean| within six standard deviations.
void expect_near(double got, double mean, double variance, const std::string& what) {
  EXPECT_LE(std::abs(got - mean), 6 * std::sqrt(variance) + 1e-9) << what;
}

void expect_plain(const GeneratedEdges& g) {  // no loops, none twice, all ends inside
  std::set<std::pair<NodeId, NodeId>> seen;
  for (const Edge& e : g.edges) {
    ASSERT_NE(e.from, e.to);
    ASSERT_TRUE(e.from >= 0 && e.from < g.num_nodes && e.to >= 0 && e.to < g.num_nodes);
    ASSERT_TRUE(seen.insert({e.from, e.to}).second) << e.from << " -> " << e.to;
  }
}

TEST(Er, HasTheRightDensityEverywhere) {
  const NodeId n = 800;
  const double p = 0.1;
  const GeneratedEdges g = er_edges(n, p, Rng(1));
  expect_plain(g);
  const double pairs = double(n) * (n - 1);
  expect_near(double(g.edges.size()), p * pairs, pairs * p * (1 - p), "arcs");
  double chi_out = 0, chi_in = 0;
  std::vector<int> out(n), in(n);
  for (const Edge& e : g.edges) out[e.from]++, in[e.to]++;
  for (NodeId u = 0; u < n; u++) {
    chi_out += std::pow(out[u] - p * (n - 1), 2) / ((n - 1) * p * (1 - p));
    chi_in += std::pow(in[u] - p * (n - 1), 2) / ((n - 1) * p * (1 - p));
  }
  expect_near(chi_out, n, 2 * n, "spread of out-degrees");
  expect_near(chi_in, n, 2 * n, "spread of in-degrees");
}

TEST(Er, EveryArcIsAsLikely) {
  std::map<std::pair<NodeId, NodeId>, int> count;
  const int rounds = 4000;
  for (int i = 0; i < rounds; i++)
    for (const Edge& e : er_edges(5, 0.3, Rng(uint64_t(i))).edges) count[{e.from, e.to}]++;
  EXPECT_EQ(count.size(), 20u);
  for (const auto& [pair, times] : count) expect_near(times, 1200, 840, "one arc");
}

TEST(Er, ExtremesAreExact) {
  EXPECT_TRUE(er_edges(100, 0, Rng(1)).edges.empty());
  EXPECT_EQ(er_edges(100, 1, Rng(1)).edges.size(), 9900u);
  EXPECT_TRUE(er_edges(0, 0.5, Rng(1)).edges.empty());
  EXPECT_TRUE(er_edges(1, 1, Rng(1)).edges.empty());
  EXPECT_LE(er_edges(2'000'000'000, 1e-19, Rng(1)).edges.size(), 20u);
}

TEST(Er, ExactlyAsManyAsAsked) {
  for (const Offset arcs : {0, 1, 500, 2000, 4900, 9000, 9899, 9900}) {
    const GeneratedEdges g = er_edges_exactly(100, arcs, Rng(uint64_t(arcs)));
    EXPECT_EQ(Offset(g.edges.size()), arcs);
    expect_plain(g);
    EXPECT_TRUE(std::is_sorted(g.edges.begin(), g.edges.end(), [](const Edge& a, const Edge& b) {
      return std::pair(a.from, a.to) < std::pair(b.from, b.to);
    }));
  }
}

TEST(Er, ExactSetsAreEquallyLikely) {  // 15 sets of 2 (and of 4) of the 6 pairs of 3 nodes
  for (const Offset arcs : {2, 4}) {
    std::map<std::vector<std::pair<NodeId, NodeId>>, int> count;
    for (uint64_t seed = 0; seed < 6000; seed++) {
      std::vector<std::pair<NodeId, NodeId>> chosen;
      for (const Edge& e : er_edges_exactly(3, arcs, Rng(seed)).edges)
        chosen.push_back({e.from, e.to});
      count[chosen]++;
    }
    ASSERT_EQ(count.size(), 15u);
    double chi = 0;
    for (const auto& [chosen, times] : count) chi += std::pow(times - 400, 2) / 400;
    EXPECT_LT(chi, 14 + 6 * std::sqrt(28.)) << arcs;
  }
}

// Share of edges in the upper left, upper right, lower left quarter of the matrix.
TEST(Rmat, QuartersHaveTheirShares) {
  const Offset arcs = 400'000;
  for (const double noise : {0., 0.1}) {
    const GeneratedEdges g = rmat_edges({.nodes = 1024, .arcs = arcs, .noise = noise}, Rng(2));
    ASSERT_EQ(Offset(g.edges.size()), arcs);
    for (const int bit : {9, 4, 0}) {  // the levels are independent
      std::array<double, 4> quarter{};
      for (const Edge& e : g.edges) quarter[2 * (e.from >> bit & 1) + (e.to >> bit & 1)]++;
      const std::array<double, 4> share = {0.57, 0.19, 0.19, 0.05};
      for (size_t q = 0; q < 4; q++) {
        const double slack = noise == 0 ? 0 : 2 * noise * double(arcs);
        EXPECT_LE(std::abs(quarter[q] - share[q] * double(arcs)),
                  slack + 6 * std::sqrt(double(arcs) * share[q] * (1 - share[q])))
            << "bit " << bit << " quarter " << q;
      }
    }
  }
}

TEST(Rmat, NumbersOfNodesThatAreNoPowersOfTwo) {
  for (const NodeId nodes : {1, 2, 3, 1000, 1025}) {
    const GeneratedEdges g = rmat_edges({.nodes = nodes, .arcs = 5000}, Rng(3));
    EXPECT_EQ(g.num_nodes, nodes);
    EXPECT_EQ(g.edges.size(), 5000u);
    for (const Edge& e : g.edges) {
      ASSERT_TRUE(e.from >= 0 && e.from < nodes);
      ASSERT_TRUE(e.to >= 0 && e.to < nodes);
    }
  }
}

TEST(Rmat, ShufflingOnlyRenumbers) {
  RmatOptions options{.nodes = 512, .arcs = 20'000};
  const auto degrees = [&] {
    const GeneratedEdges g = rmat_edges(options, Rng(4));
    std::vector<std::pair<int, int>> of(512);
    for (const Edge& e : g.edges) of[e.from].first++, of[e.to].second++;
    return of;
  };
  auto plain = degrees();
  options.shuffle = true;
  auto shuffled = degrees();
  EXPECT_NE(plain, shuffled);
  EXPECT_NE(shuffled[0], *std::max_element(shuffled.begin(), shuffled.end()));
  std::sort(plain.begin(), plain.end());
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(plain, shuffled);
}

TEST(Sbm, BlocksHaveTheirDensities) {
  for (const bool directed : {true, false}) {
    const GeneratedEdges g = sbm_edges(
        {.sizes = {100, 0, 350, 50}, .p_in = 0.3, .p_out = 0.05, .directed = directed}, Rng(5));
    expect_plain(g);
    ASSERT_EQ(g.num_nodes, 500);
    EXPECT_EQ(std::count(g.block.begin(), g.block.end(), 2), 350);
    EXPECT_EQ(g.block[99], 0);
    EXPECT_EQ(g.block[100], 2);
    const std::array<double, 4> size = {100, 0, 350, 50};
    std::map<std::pair<int, int>, double> count;
    for (const Edge& e : g.edges) count[{g.block[e.from], g.block[e.to]}]++;
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        const double pairs = i == j ? size[i] * std::max(size[i] - 1, 0.) : size[i] * size[j];
        const double p = i == j ? 0.3 : 0.05;
        const double doubled = directed || i != j ? 1 : 2;  // arcs come in pairs
        expect_near(count[{i, j}], pairs * p, doubled * pairs * p * (1 - p), "block");
      }
    const Graph graph = make_graph(g.num_nodes, g.edges);
    bool symmetric = true;
    for (const Edge& e : g.edges) symmetric = symmetric && graph.has_arc(e.to, e.from);
    EXPECT_EQ(symmetric, !directed);
  }
}

TEST(Sbm, EqualBlocks) {
  const GeneratedEdges g = sbm_edges({.nodes = 10, .blocks = 3, .p_in = 1, .p_out = 0}, Rng(6));
  EXPECT_EQ(g.block, (std::vector<int32_t>{0, 0, 0, 0, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(g.edges.size(), 12u + 6 + 6);
}

TEST(Configuration, KeepsBothDegreeSequences) {
  const std::vector<NodeId> out = {3, 0, 1, 2, 0, 6}, in = {0, 4, 4, 0, 3, 1};
  std::set<std::vector<NodeId>> orders;
  for (uint64_t seed = 0; seed < 50; seed++) {
    const GeneratedEdges g = configuration_edges(out, in, Rng(seed));
    std::vector<NodeId> got_out(6), got_in(6), targets;
    for (const Edge& e : g.edges) got_out[e.from]++, got_in[e.to]++, targets.push_back(e.to);
    EXPECT_EQ(got_out, out);
    EXPECT_EQ(got_in, in);
    orders.insert(targets);
  }
  EXPECT_GT(orders.size(), 45u);
}

TEST(Configuration, MatchingsAreEquallyLikely) {
  std::map<std::vector<NodeId>, int> count;
  const std::vector<NodeId> ones(4, 1);
  for (uint64_t seed = 0; seed < 12'000; seed++) {
    std::vector<NodeId> targets;
    for (const Edge& e : configuration_edges(ones, ones, Rng(seed)).edges) targets.push_back(e.to);
    count[targets]++;
  }
  ASSERT_EQ(count.size(), 24u);
  double chi = 0;
  for (const auto& [targets, times] : count) chi += std::pow(times - 500, 2) / 500;
  EXPECT_LT(chi, 23 + 6 * std::sqrt(46.));
}

TEST(PowerLaw, DegreesFollowIt) {
  const PowerLawOptions options{
      .nodes = 200'000, .exponent = 2.2, .min_degree = 2, .max_degree = 50};
  const Array<NodeId> degree = power_law_degrees(options, Rng(7));
  double sum = 0;
  for (int k = 2; k <= 50; k++) sum += std::pow(k, -2.2);
  std::map<NodeId, double> count;
  for (const NodeId d : degree) count[d]++;
  EXPECT_EQ(count.begin()->first, 2);
  EXPECT_LE(count.rbegin()->first, 50);
  for (const NodeId k : {2, 3, 7, 20}) {
    const double p = std::pow(k, -2.2) / sum;
    expect_near(count[k], 200'000 * p, 200'000 * p * (1 - p), "degree " + std::to_string(k));
  }
}

TEST(PowerLaw, OutAndInAreDrawnApart) {
  const GeneratedEdges g = power_law_edges({.nodes = 5000, .min_degree = 2}, Rng(8));
  std::vector<double> out(5000), in(5000);
  for (const Edge& e : g.edges) out[e.from]++, in[e.to]++;
  EXPECT_GE(*std::min_element(out.begin(), out.end()), 2);
  EXPECT_GE(*std::min_element(in.begin(), in.end()), 2);
  EXPECT_GT(*std::max_element(out.begin(), out.end()), 50);
  EXPECT_NE(out, in);
}

TEST(RegularGraphs, AreWhatTheySay) {
  EXPECT_EQ(star_edges(4).edges, (Array<Edge>{{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_EQ(path_edges(3).edges, (Array<Edge>{{0, 1}, {1, 2}}));
  EXPECT_EQ(cycle_edges(3).edges, (Array<Edge>{{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(complete_edges(3).edges, (Array<Edge>{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}));
  EXPECT_TRUE(cycle_edges(1).edges.empty());
  EXPECT_TRUE(star_edges(0).edges.empty());
}

TEST(Generators, DoNotDependOnThreads) {
  const std::vector<std::function<GeneratedEdges(uint64_t)>> all = {
      [](uint64_t seed) { return er_edges(3000, 0.05, Rng(seed)); },
      [](uint64_t seed) { return er_edges_exactly(3000, 400'000, Rng(seed)); },
      [](uint64_t seed) {
        return rmat_edges({.nodes = 3000, .arcs = 300'000, .noise = 0.1, .shuffle = true},
                          Rng(seed));
      },
      [](uint64_t seed) {
        return sbm_edges({.nodes = 3000, .p_in = 0.1, .p_out = 0.02}, Rng(seed));
      },
      [](uint64_t seed) {
        return power_law_edges({.nodes = 100'000, .exponent = 2, .min_degree = 2}, Rng(seed));
      },
  };
  for (size_t i = 0; i < all.size(); i++) {
    set_num_threads(1);
    const GeneratedEdges one = all[i](9);
    EXPECT_GT(one.edges.size(), 200'000u) << i;  // several blocks
    for (const int threads : {2, 3}) {
      set_num_threads(threads);
      EXPECT_TRUE(all[i](9).edges == one.edges) << "generator " << i;
    }
    EXPECT_FALSE(all[i](10).edges == one.edges) << "generator " << i;
  }
  set_num_threads(0);
}

TEST(Generators, RefuseInvalidOptions) {
  const Rng rng(1);
  EXPECT_EQ(error_of([&] { er_edges(-1, 0.5, rng); }), "invalid number of nodes: -1");
  EXPECT_EQ(error_of([&] { er_edges(5, 1.5, rng); }),
            "the probability of an arc is 1.5, but a probability is from 0 to 1");
  EXPECT_EQ(error_of([&] { er_edges_exactly(3, 7, rng); }),
            "invalid number of arcs: 7; 3 nodes have 0 to 6");
  EXPECT_NE(error_of([&] { er_edges(2'000'000'000, 0.5, rng); }).find("ask for fewer"),
            std::string::npos);
  EXPECT_EQ(error_of([&] { rmat_edges({.nodes = 0}, rng); }),
            "R-MAT needs at least one node, not 0");
  EXPECT_EQ(error_of([&] { rmat_edges({.arcs = -3}, rng); }), "invalid number of arcs: -3");
  EXPECT_EQ(error_of([&] { rmat_edges({.a = 0.9}, rng); }),
            "R-MAT shares a = 0.9, b = 0.19, c = 0.19 must not be negative, nor their sum above 1");
  EXPECT_EQ(error_of([&] { rmat_edges({.noise = 0.3}, rng); }),
            "R-MAT noise is 0.3, but must be from 0 to min(b, c) = 0.19");
  EXPECT_EQ(error_of([&] { rmat_edges({.nodes = 3, .a = 0}, rng); }),
            "R-MAT with a = 0 needs a power of two as the number of nodes, not 3");
  EXPECT_EQ(error_of([&] { sbm_edges({.blocks = 0}, rng); }), "invalid number of blocks: 0");
  EXPECT_EQ(error_of([&] {
              sbm_edges({.sizes = {3, -1}}, rng);
            }),
            "block sizes must not be negative, and fit 32 bits together; one is -1");
  EXPECT_EQ(error_of([&] { sbm_edges({.p_out = -1}, rng); }),
            "p_out is -1, but a probability is from 0 to 1");
  const std::vector<NodeId> one = {1}, two = {2}, negative = {-2}, none;
  EXPECT_EQ(error_of([&] { configuration_edges(one, two, rng); }),
            "out-degrees sum to 1, but in-degrees to 2");
  EXPECT_EQ(error_of([&] { configuration_edges(one, none, rng); }),
            "1 out-degrees, but 0 in-degrees");
  EXPECT_EQ(error_of([&] { configuration_edges(one, negative, rng); }),
            "node 0 has the invalid degree -2");
  EXPECT_EQ(error_of([&] { power_law_degrees({.exponent = 0}, rng); }),
            "a power law needs min_degree >= 0 and exponent > 0, not 1, 0");
  EXPECT_EQ(
      error_of([&] { power_law_degrees({.nodes = 10, .min_degree = 3, .max_degree = 10}, rng); }),
      "invalid degrees from 3 to 10 among 10 nodes");
}

}  // namespace
}  // namespace mgnn
