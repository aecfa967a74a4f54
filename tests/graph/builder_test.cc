#include <set>

#include "mgnn/base/parallel.h"
#include "mgnn/graph/components.h"
#include "mgnn/graph/graph.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

Array<Edge> random_edges(NodeId nodes, size_t count, uint64_t seed) {
  Rng rng(seed);
  Array<Edge> edges(count);
  for (Edge& e : edges) {  // squares favour small ids: hubs, loops and repetitions
    e.from = NodeId(double(nodes) * rng.uniform() * rng.uniform());
    e.to = NodeId(double(nodes) * rng.uniform() * rng.uniform());
  }
  return edges;
}

// The same by std::set.
struct Reference {
  std::set<std::pair<NodeId, NodeId>> arcs;
  Offset loops = 0, duplicates = 0;
  Reference(const Array<Edge>& edges, bool symmetrise) {
    std::set<std::pair<NodeId, NodeId>> seen;
    const auto add = [&](NodeId u, NodeId v) {
      if (!seen.insert({u, v}).second) duplicates++;
      if (u == v)
        loops++;
      else
        arcs.insert({u, v});
    };
    for (const Edge& e : edges) {
      add(e.from, e.to);
      if (symmetrise && e.from != e.to) add(e.to, e.from);
    }
  }
};

void expect_is(const Graph& graph, const std::set<std::pair<NodeId, NodeId>>& arcs) {
  ASSERT_EQ(graph.num_arcs(), Offset(arcs.size()));
  ASSERT_EQ(graph.in.nnz(), Offset(arcs.size()));
  std::set<std::pair<NodeId, NodeId>> reversed;
  auto arc = arcs.begin();
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    for (NodeId v : graph.out.row(u)) {
      ASSERT_EQ(*arc++, std::pair(u, v));
      reversed.insert({v, u});
    }
  arc = reversed.begin();
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    for (NodeId v : graph.in.row(u)) ASSERT_EQ(*arc++, std::pair(u, v));
}

TEST(Builder, AgreesWithASet) {
  for (const auto& [nodes, count] : {std::pair<NodeId, size_t>{1, 5},
                                     {2, 9},
                                     {30, 400},
                                     {1023, 5000},
                                     {1024, 5000},
                                     {1025, 3},
                                     {5000, 200'000},
                                     {100'000, 150'000}}) {
    for (const bool symmetrise : {false, true}) {
      const Array<Edge> edges = random_edges(nodes, count, uint64_t(nodes) + count);
      const Reference reference(edges, symmetrise);
      const BuiltGraph built = build_graph(nodes, edges, {.symmetrise = symmetrise});
      expect_is(built.graph, reference.arcs);
      EXPECT_EQ(built.stats.arcs_given, Offset(count));
      EXPECT_EQ(built.stats.loops_dropped, reference.loops);
      EXPECT_EQ(built.stats.duplicates_dropped, reference.duplicates);
    }
  }
}

TEST(Builder, DoesNotDependOnThreads) {
  const Array<Edge> edges = random_edges(20'000, 500'000, 3);
  const Graph reference = make_graph(20'000, edges);
  for (const int threads : {1, 2, 3, 8}) {
    set_num_threads(threads);
    const Graph graph = make_graph(20'000, edges);
    EXPECT_EQ(graph.out.start, reference.out.start);
    EXPECT_EQ(graph.out.index, reference.out.index);
    EXPECT_EQ(graph.in.index, reference.in.index);
    EXPECT_EQ(fingerprint(graph), fingerprint(reference));
  }
  set_num_threads(0);
}

TEST(Builder, GraphsWithoutNodesOrEdges) {
  EXPECT_EQ(make_graph(0, {}).num_nodes(), 0);
  const Graph graph = make_graph(7, {});
  EXPECT_EQ(graph.num_nodes(), 7);
  EXPECT_EQ(graph.num_arcs(), 0);
}

TEST(Builder, RefusesNodesOutside) {
  EXPECT_EQ(error_of([] {
              make_graph(3, {{0, 1}, {2, 3}, {9, 9}});
            }),
            "edge 1 is 2 -> 3, but the nodes are 0 to 2");
  EXPECT_EQ(error_of([] {
              make_graph(3, {{-1, 1}});
            }),
            "edge 0 is -1 -> 1, but the nodes are 0 to 2");
}

TEST(Builder, SumsValuesOfRepeatedEdges) {
  const Array<Edge> edges = {{0, 1}, {1, 1}, {0, 1}, {1, 0}};
  const Graph graph = make_graph(2, edges);
  EXPECT_EQ(arc_values(graph, edges, std::vector<float>{1, 5, 2, 4}), (Array<float>{3, 4}));
}

TEST(Components, AreNumberedBySmallestNode) {
  const Components actual = weak_components(make_graph(6, {{5, 1}, {3, 0}, {4, 1}}));
  EXPECT_EQ(actual.of, (Array<NodeId>{0, 1, 2, 0, 1, 1}));
  EXPECT_EQ(actual.size, (Array<NodeId>{2, 3, 1}));
}

TEST(Graph, FingerprintSeesEveryChange) {
  const uint64_t a = fingerprint(make_graph(3, {{0, 1}}));
  EXPECT_NE(a, fingerprint(make_graph(3, {{1, 0}})));
  EXPECT_NE(a, fingerprint(make_graph(4, {{0, 1}})));
  EXPECT_NE(a, fingerprint(make_graph(3, {})));
  EXPECT_EQ(a, fingerprint(make_graph(3, {{0, 1}, {0, 1}})));
}

}  // namespace
}  // namespace mgnn
