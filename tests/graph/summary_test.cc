#include <gtest/gtest.h>

#include <set>

#include "mgnn/base/parallel.h"
#include "mgnn/graph/graph.h"
#include "tests/util.h"

namespace mgnn {
namespace {

TEST(Summary, OfNothing) {
  const GraphSummary s = summarise(make_graph(0, {}));
  EXPECT_EQ(s.nodes, 0);
  EXPECT_EQ(s.components, 0);
  EXPECT_EQ(s.out.max, 0);
  EXPECT_EQ(s.reciprocity(), 0);
}

TEST(Summary, OfASmallGraph) {
  // 0 <-> 1, 1 -> 2, and 3 alone
  const GraphSummary s = summarise(make_graph(4, {{0, 1}, {1, 0}, {1, 2}}));
  EXPECT_EQ(s.arcs, 3);
  EXPECT_EQ(s.reciprocal_pairs, 1);
  EXPECT_EQ(s.undirected_edges, 2);
  EXPECT_EQ(s.isolated, 1);
  EXPECT_EQ(s.components, 2);
  EXPECT_EQ(s.largest_component, 3);
  EXPECT_EQ(s.out.min, 0);
  EXPECT_EQ(s.out.max, 2);
  EXPECT_DOUBLE_EQ(s.out.mean, 0.75);
  EXPECT_DOUBLE_EQ(s.out.median, 0.5);  // degrees 1 2 0 0
  EXPECT_DOUBLE_EQ(s.in.median, 1);     // degrees 1 1 1 0
  EXPECT_DOUBLE_EQ(s.reciprocity(), 2. / 3);
}

// Every number counted again from the matrix, sorting all degrees.
TEST(Summary, AgreesWithPlainCounting) {
  for (uint64_t seed = 0; seed < 30; seed++) {
    const NodeId n = NodeId(1 + seed % 7 * 5);
    const Graph g = testing::random_graph(n, 0.02 + 0.03 * double(seed), seed);
    const GraphSummary s = summarise(g);
    Offset pairs = 0, edges = 0, isolated = 0;
    std::vector<Offset> out;
    for (NodeId u = 0; u < n; u++) {
      Offset degree = 0, in = 0;
      for (NodeId v = 0; v < n; v++) {
        degree += g.has_arc(u, v);
        in += g.has_arc(v, u);
        pairs += u < v && g.has_arc(u, v) && g.has_arc(v, u);
        edges += u < v && (g.has_arc(u, v) || g.has_arc(v, u));
      }
      out.push_back(degree);
      isolated += degree + in == 0;
    }
    std::sort(out.begin(), out.end());
    EXPECT_EQ(s.reciprocal_pairs, pairs) << seed;
    EXPECT_EQ(s.undirected_edges, edges) << seed;
    EXPECT_EQ(s.isolated, isolated) << seed;
    EXPECT_EQ(s.out.min, out.front()) << seed;
    EXPECT_EQ(s.out.max, out.back()) << seed;
    EXPECT_DOUBLE_EQ(s.out.median, double(out[size_t(n - 1) / 2] + out[size_t(n) / 2]) / 2) << seed;
  }
}

TEST(Summary, IsTheSameForAnyNumberOfThreads) {
  const Graph g = testing::random_graph(600, 0.4, 5);  // enough arcs to be worth threads
  set_num_threads(1);
  const GraphSummary one = summarise(g);
  set_num_threads(4);
  const GraphSummary four = summarise(g);
  set_num_threads(0);
  EXPECT_EQ(one.reciprocal_pairs, four.reciprocal_pairs);
  EXPECT_EQ(one.isolated, four.isolated);
}

}  // namespace
}  // namespace mgnn
