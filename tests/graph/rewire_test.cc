#include "mgnn/graph/rewire.h"

#include <map>
#include <set>

#include "mgnn/base/interrupt.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph;

struct Degrees {
  std::vector<NodeId> out, in, mutual;
  explicit Degrees(const Graph& g) {
    for (NodeId u = 0; u < g.num_nodes(); u++) {
      out.push_back(NodeId(g.out.row_size(u)));
      in.push_back(NodeId(g.in.row_size(u)));
      mutual.push_back(0);
      for (NodeId v : g.out.row(u)) mutual.back() += g.has_arc(v, u);
    }
  }
  bool operator==(const Degrees&) const = default;
};

TEST(Rewire, KeepsAllDegrees) {
  for (uint64_t seed = 0; seed < 30; seed++) {
    const Graph g = random_graph(NodeId(5 + 4 * seed), seed % 3 == 0 ? 0.5 : 0.1, seed);
    const Rewired r = rewired(g, Rng(seed));
    EXPECT_EQ(Degrees(r.graph), Degrees(g)) << "seed " << seed;
    EXPECT_LE(r.done, r.tried);
    EXPECT_TRUE(seed <= 5 || fingerprint(r.graph) != fingerprint(g)) << "seed " << seed;
  }
}

TEST(Rewire, UndirectedStaysUndirected) {
  Array<Edge> edges;
  for (const Edge& e : arcs(random_graph(60, 0.05, 1)))
    edges.insert(edges.end(), {e, {e.to, e.from}});
  const Graph g = make_graph(60, edges);
  const Graph r = rewired(g, Rng(2)).graph;
  EXPECT_EQ(Degrees(r), Degrees(g));
  EXPECT_NE(fingerprint(r), fingerprint(g));
}

TEST(Rewire, ForgetsWhereItBegan) {
  const Graph g = random_graph(300, 0.02, 3);
  const Graph r = rewired(g, Rng(4)).graph;
  Offset remaining = 0;
  for (const Edge& e : arcs(r)) remaining += g.has_arc(e.from, e.to);
  // An arc u -> v of a random graph with these degrees is there with chance about 0.02.
  EXPECT_LT(double(remaining), 0.06 * double(g.num_arcs()));
}

// All graphs with the given degrees, by brute force over the arcs of `n` nodes.
std::set<uint64_t> all_with_degrees_of(const Graph& g) {
  const NodeId n = g.num_nodes();
  Array<Edge> pairs;
  for (NodeId u = 0; u < n; u++)
    for (NodeId v = 0; v < n; v++)
      if (u != v) pairs.push_back({u, v});
  const Degrees wanted(g);
  std::set<uint64_t> actual;
  for (uint32_t subset = 0; subset < 1u << pairs.size(); subset++) {
    if (std::popcount(subset) != g.num_arcs()) continue;
    Array<Edge> edges;
    for (size_t i = 0; i < pairs.size(); i++)
      if (subset >> i & 1) edges.push_back(pairs[i]);
    const Graph candidate = make_graph(n, edges);
    if (Degrees(candidate) == wanted) actual.insert(fingerprint(candidate));
  }
  return actual;
}

void expect_uniform(const Graph& g, size_t states) {
  const std::set<uint64_t> all = all_with_degrees_of(g);
  ASSERT_EQ(all.size(), states);
  std::map<uint64_t, double> count;
  const double rounds = 400. * double(states);
  for (uint64_t seed = 0; seed < uint64_t(rounds); seed++)
    count[fingerprint(rewired(g, Rng(seed), {.swaps_per_edge = 30}).graph)]++;
  EXPECT_EQ(count.size(), states);
  double chi = 0;
  for (const uint64_t state : all) chi += std::pow(count[state] - 400, 2) / 400;
  EXPECT_LT(chi, double(states) - 1 + 6 * std::sqrt(2 * double(states)));
}

TEST(Rewire, ReachesAllGraphsEquallyOften) {
  // One-way arcs from {0, 1} to {2, 3, 4}: out-degrees 2, 1, in-degrees 1, 1, 1.
  expect_uniform(make_graph(5, {{0, 2}, {0, 3}, {1, 4}}), 3);
  // Two mutual pairs on four nodes: three matchings.
  expect_uniform(make_graph(4, {{0, 1}, {1, 0}, {2, 3}, {3, 2}}), 3);
  // Both kinds on four nodes, where each has to make way for the other.
  expect_uniform(make_graph(4, {{0, 1}, {1, 0}, {2, 3}, {3, 2}, {0, 2}, {3, 1}}), 4);
}

TEST(Rewire, SameSeedSameGraph) {
  const Graph g = random_graph(100, 0.1, 5);
  EXPECT_EQ(fingerprint(rewired(g, Rng(6)).graph), fingerprint(rewired(g, Rng(6)).graph));
  EXPECT_NE(fingerprint(rewired(g, Rng(6)).graph), fingerprint(rewired(g, Rng(7)).graph));
}

TEST(Rewire, LeavesWhatCannotBeSwapped) {
  for (const Graph& g : {make_graph(0, {}), make_graph(2, {{0, 1}}),
                         make_graph(4, {{0, 1}, {0, 2}, {0, 3}}), make_graph(3, {{0, 1}, {1, 0}})})
    EXPECT_EQ(fingerprint(rewired(g, Rng(8)).graph), fingerprint(g));
}

TEST(Rewire, StopsWhenAsked) {
  const Graph g = random_graph(50, 0.1, 9);
  set_interrupted(true);
  EXPECT_EQ(error_of([&] { rewired(g, Rng(1)); }), "interrupted");
  set_interrupted(false);
  EXPECT_EQ(error_of([&] { rewired(g, Rng(1), {.swaps_per_edge = -1}); }),
            "swaps per edge are -1, but 0 to a million are meant");
}

}  // namespace
}  // namespace mgnn
