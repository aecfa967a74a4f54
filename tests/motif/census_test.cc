#include "mgnn/motif/census.h"

#include "mgnn/base/parallel.h"
#include "mgnn/graph/generators.h"
#include "mgnn/io/edge_list.h"
#include "mgnn/motif/motifs.h"
#include "tests/reference/motif_reference.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph;

constexpr Counting kCountings[] = {Counting::subgraph, Counting::induced};

Graph built(GeneratedEdges generated) {
  return make_graph(generated.num_nodes, std::move(generated.edges));
}

TEST(Census, AgreesWithEnumeration) {
  for (uint64_t seed = 0; seed < 400; seed++) {
    const auto n = NodeId(seed % 9);
    const Graph graph = random_graph(n, 0.1 + 0.08 * double(seed % 11), seed);
    for (const Counting counting : kCountings) {
      const Census actual = census(graph, {.counting = counting, .per_node = true});
      ASSERT_EQ(actual.total, census(graph, {.counting = counting}).total);  // another way
      for (int k = 1; k <= kNumMotifs; k++) {
        int64_t total = 0;
        std::vector<int64_t> at(static_cast<size_t>(n), 0);
        reference::each_instance(reference::adjacency(graph), motif(k),
                                 counting == Counting::induced, [&](const auto& nodes) {
                                   total++;
                                   for (const int u : nodes) at[u]++;
                                 });
        ASSERT_EQ(actual.total[k - 1], total / motif(k).automorphisms);
        for (size_t u = 0; u < at.size(); u++)
          ASSERT_EQ(actual.per_node[u][k - 1], at[u] / motif(k).automorphisms);
      }
    }
  }
}

// Totals are counted without the nodes; hubs are shared by threads, in pieces.
TEST(Census, TotalsAreThoseOfTheNodesForAnyNumberOfThreads) {
  GeneratedEdges mixed = rmat_edges({.nodes = 1 << 14, .arcs = 200'000}, Rng(4));
  Rng rng(5);
  for (NodeId hub = 0; hub < 3; hub++)
    for (NodeId v = 3; v < 60'000; v++) {
      if (rng.chance(0.8)) mixed.edges.push_back({hub, v});
      if (rng.chance(0.3)) mixed.edges.push_back({v, hub});
    }
  const Graph graph = make_graph(60'000, std::move(mixed.edges));
  for (const Counting counting : kCountings) {
    const Census nodes = census(graph, {.counting = counting, .per_node = true});
    MotifCounts sums{};
    for (const MotifCounts& counts : nodes.per_node)
      for (size_t k = 0; k < kNumMotifs; k++) sums[k] += counts[k];
    for (size_t k = 0; k < kNumMotifs; k++) ASSERT_EQ(sums[k], 3 * nodes.total[k]);
    for (const int threads : {1, 2, 3, 4}) {
      set_num_threads(threads);
      EXPECT_EQ(census(graph, {.counting = counting}).total, nodes.total) << threads;
    }
    set_num_threads(0);
  }
}

TEST(Census, MatricesSumToIt) {
  const Graph graph = random_graph(120, 0.15, 6);
  for (const Counting counting : kCountings) {
    const MotifCounts total = census(graph, {.counting = counting}).total;
    for (const Entry entry : {Entry::arc, Entry::edge, Entry::pair}) {
      const MotifMatrices matrices = motif_matrices(graph, {counting, entry});
      for (int k = 1; k <= kNumMotifs; k++) {
        const int times = entry == Entry::arc                        ? motif(k).num_arcs
                          : entry == Entry::edge && !motif(k).closed ? 4
                                                                     : 6;
        EXPECT_EQ(matrices.sum(k), times * total[k - 1]) << "M" << k;
      }
    }
  }
}

TEST(Census, TriadsAreAllTriples) {
  for (const double density : {0.0, 0.01, 0.2, 0.7, 1.0}) {
    const Graph graph = random_graph(70, density, 8);
    const TriadCensus triads = triad_census(graph);
    int64_t sum = triads.one_arc + triads.one_mutual_pair + triads.no_arc;
    for (const int64_t count : triads.connected) sum += count;
    EXPECT_EQ(sum, 70 * 69 * 68 / 6);
    EXPECT_GE(triads.one_arc, 0);
    EXPECT_GE(triads.one_mutual_pair, 0);
    EXPECT_GE(triads.no_arc, 0);
  }
  const TriadCensus lone = triad_census(make_graph(5, {{0, 1}, {2, 3}, {3, 2}}));
  EXPECT_EQ(lone.one_arc, 3);          // 0 -> 1 with each of the others
  EXPECT_EQ(lone.one_mutual_pair, 3);  // 2 <-> 3 likewise
  EXPECT_EQ(lone.no_arc, 4);
}

TEST(Census, OneRowPerGraph) {
  const Graph first = random_graph(20, 0.3, 1), second = random_graph(30, 0.2, 2);
  Array<Edge> edges = arcs(first);
  for (const Edge& e : arcs(second)) edges.push_back({e.from + 20, e.to + 20});
  const Graph both = make_graph(50, std::move(edges));
  const Census actual = census(both, {.graph_start = {0, 20, 20, 50}});
  ASSERT_EQ(actual.per_graph.size(), 3u);
  EXPECT_EQ(actual.per_graph[0], census(first).total);
  EXPECT_EQ(actual.per_graph[1], MotifCounts{});
  EXPECT_EQ(actual.per_graph[2], census(second).total);
  EXPECT_EQ(error_of([&] {
              census(both, {.graph_start = {0, 60}});
            }),
            "the first nodes of the graphs must ascend from 0 to the number of nodes, 50");
}

TEST(Census, RefusesPublished) {
  EXPECT_EQ(error_of([] { census(make_graph(3, {}), {.counting = Counting::published}); }),
            "counting published has no census, for its open matrices do not count instances; take "
            "subgraph or induced");
}

TEST(Census, StarsBeyond32Bits) {
  const NodeId leaves = 200'000;
  const Graph graph = built(star_edges(leaves + 1));
  for (const int threads : {1, 2, 4}) {
    set_num_threads(threads);
    const Census actual = census(graph, {.per_node = true});
    EXPECT_EQ(actual.total[7], int64_t(leaves) * (leaves - 1) / 2);  // about 2e10
    EXPECT_EQ(actual.per_node[0][7], int64_t(leaves) * (leaves - 1) / 2);
    EXPECT_EQ(actual.per_node[5][7], leaves - 1);
  }
  set_num_threads(0);
}

// Pairs with more common neighbours in one cell than 16 bits count.
TEST(Census, CommonNeighboursBeyond16Bits) {
  const NodeId many = 140'000;
  Array<Edge> edges = {{0, 1}, {0, 2}, {2, 0}};
  for (NodeId w = 3; w < many + 3; w++) {
    edges.push_back({0, w});
    edges.push_back({w, 1});
    if (w % 2 == 0) edges.push_back({w, 2});
  }
  const Graph graph = make_graph(many + 3, std::move(edges));
  for (const int threads : {1, 2, 4}) {
    set_num_threads(threads);
    const MotifMatrices actual = motif_matrices(graph, {.counting = Counting::induced});
    const auto row = actual.pattern.row(0);
    ASSERT_EQ(row[0], 1);
    ASSERT_EQ(row[1], 2);
    EXPECT_EQ(actual.count(5, 0), many);  // 0 -> w -> 1, 0 -> 1
    EXPECT_EQ(actual.count(2, 1), many / 2);
    EXPECT_EQ(actual.sum(5), 6 * int64_t(many));
    EXPECT_EQ(actual.sum(2), 6 * int64_t(many / 2));
    const MotifCounts total = census(graph, {.counting = Counting::induced}).total;
    EXPECT_EQ(total[4], many);
    EXPECT_EQ(total[1], many / 2);
    EXPECT_EQ(total[0], 0);
  }
  set_num_threads(0);
}

TEST(Census, CompleteCoreInASparseGraph) {
  const NodeId core = 300;
  GeneratedEdges generated = star_edges(5000);  // node 0 is in both
  for (const Edge& e : complete_edges(core).edges) generated.edges.push_back(e);
  const MotifCounts total =
      census(built(std::move(generated)), {.counting = Counting::induced}).total;
  EXPECT_EQ(total[3], int64_t(core) * (core - 1) * (core - 2) / 6);
  EXPECT_EQ(total[10], int64_t(core - 1) * (5000 - core));  // 0 <-> core, 0 -> leaf
}

struct RealGraph {
  const char* path;
  MotifCounts induced;
};

TEST(Census, RealGraphs) {
  MGNN_NEEDS_DATA();
  const RealGraph cases[] = {
      {"/snap/wiki-Vote.txt",
       {6795, 17667, 15275, 2119, 462715, 45559, 58259, 5796637, 2746838, 3232664, 558525, 357461,
        28288}},
      {"/snap/soc-Epinions1.txt.gz",
       {7656, 84384, 328076, 160097, 531325, 281093, 231850, 11828423, 7315767, 26454993, 8238385,
        10922681, 4567428}},
      {"/hetionet/edges.tsv.gz",
       {38, 788, 28330, 819376, 245690, 825917, 635620, 668665133, 9126185, 40765301, 14246704,
        4626842, 53188828}},
  };
  for (const RealGraph& c : cases) {
    EdgeList list = read_edge_list(testing::data_dir() + c.path);
    const Graph graph = make_graph(list.num_nodes, std::move(list.edges));
    EXPECT_EQ(census(graph, {.counting = Counting::induced}).total, c.induced) << c.path;
  }
}

}  // namespace
}  // namespace mgnn
