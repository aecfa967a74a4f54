#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/motif/motifs.h"
#include "tests/reference/motif_reference.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using reference::Dense, reference::dense;
using testing::error_of, testing::random_graph;

constexpr Counting kCountings[] = {Counting::subgraph, Counting::induced};
constexpr Entry kEntries[] = {Entry::arc, Entry::edge, Entry::pair};

// A random graph whose share of mutual pairs varies too.
Graph mixed_graph(NodeId nodes, uint64_t seed) {
  Rng rng(seed);
  const double density = rng.uniform(), mutual = rng.uniform() * rng.uniform();
  Array<Edge> edges;
  for (NodeId u = 0; u < nodes; u++)
    for (NodeId v = 0; v < u; v++) {
      if (!rng.chance(density)) continue;
      const bool both = rng.chance(mutual), up = rng.chance(0.5);
      if (both || up) edges.push_back({u, v});
      if (both || !up) edges.push_back({v, u});
    }
  return make_graph(nodes, std::move(edges));
}

TEST(MotifMatrices, AgreeWithTheDefinitionsOnSmallGraphs) {
  for (uint64_t seed = 0; seed < 2000; seed++) {
    const Graph graph = mixed_graph(NodeId(seed % 9), seed);
    for (const Counting counting : kCountings)
      for (const Entry entry : kEntries) {
        const MotifMatrices actual = motif_matrices(graph, {counting, entry});
        for (int k = 1; k <= kNumMotifs; k++)
          ASSERT_EQ(dense(actual, k).data, reference::motif_matrix(graph, k, counting, entry).data)
              << "seed " << seed << " M" << k << ' ' << name_of(counting) << ' ' << name_of(entry);
      }
  }
}

TEST(MotifMatrices, AgreeWithProductsOnLargerGraphs) {
  for (const auto& [nodes, density, seed] :
       {std::tuple{200, 0.03, 1}, {300, 0.1, 2}, {130, 0.5, 3}, {90, 0.97, 4}}) {
    const Graph graph = random_graph(nodes, density, uint64_t(seed));
    const Dense a = reference::adjacency(graph), b = a * reference::transposed(a);
    for (const Counting counting : {Counting::subgraph, Counting::induced, Counting::published}) {
      const MotifMatrices actual = motif_matrices(graph, {.counting = counting});
      const Dense x = counting == Counting::induced ? a - b : a;
      for (int k = 1; k <= 7; k++)
        EXPECT_EQ(dense(actual, k).data, reference::closed_by_product(x, b, k).data) << "M" << k;
    }
  }
}

TEST(MotifMatrices, AgreeWithTheDefinitionsOnLargerGraphs) {
  const Graph graph = mixed_graph(60, 77);
  for (const Counting counting : kCountings)
    for (const Entry entry : kEntries) {
      const MotifMatrices actual = motif_matrices(graph, {counting, entry});
      for (int k = 1; k <= kNumMotifs; k++)
        EXPECT_EQ(dense(actual, k).data, reference::motif_matrix(graph, k, counting, entry).data);
    }
}

TEST(MotifMatrices, PublishedOpenMotifsOnSmallGraphs) {
  for (uint64_t seed = 0; seed < 300; seed++) {
    const Graph graph = mixed_graph(NodeId(seed % 9), seed);
    const MotifMatrices actual = motif_matrices(graph, {.counting = Counting::published});
    Dense a = reference::adjacency(graph);
    for (int k = 8; k <= 13; k++)
      ASSERT_EQ(dense(actual, k).data, reference::published_open(a, k).data)
          << "seed " << seed << " M" << k;
  }
}

// The version for sets of graphs: M11 counts instances, and a mutual neighbour with itself; M12 counts
// instances; the others are those of the version for nodes.
TEST(MotifMatrices, PublishedForGraphsDiffersInTwoMotifs) {
  for (uint64_t seed = 0; seed < 300; seed++) {
    const Graph graph = mixed_graph(NodeId(seed % 9), seed);
    const MotifMatrices nodes = motif_matrices(graph, {.counting = Counting::published_node});
    const MotifMatrices graphs = motif_matrices(graph, {.counting = Counting::published_graph});
    const Dense a = reference::adjacency(graph), b = a * reference::transposed(a);
    const std::vector<int64_t> bi = reference::row_sums(b);
    for (int k = 1; k <= 13; k++) {
      Dense expected = dense(nodes, k);
      if (k == 11 || k == 12)
        expected = reference::motif_matrix(graph, k, Counting::subgraph, Entry::edge);
      if (k == 11) {
        expected = expected + b + b;
        for (int v = 0; v < a.n; v++) expected(v, v) += 2 * bi[size_t(v)];
      }
      ASSERT_EQ(dense(graphs, k).data, expected.data) << "seed " << seed << " M" << k;
    }
  }
}

TEST(MotifMatrices, AnySubsetIsTheSameAsAll) {
  const Graph graph = mixed_graph(40, 5);
  for (const Counting counting :
       {Counting::subgraph, Counting::induced, Counting::published, Counting::published_graph})
    for (const Entry entry : kEntries) {
      if (is_published(counting) && entry != Entry::edge) continue;
      const MotifMatrices all = motif_matrices(graph, {counting, entry});
      for (const char* subset : {"1", "13", "4,9", "closed", "open", "2,8,11", "10"}) {
        const MotifSet motifs = parse_motifs(subset);
        const MotifMatrices some = motif_matrices(graph, {counting, entry, motifs});
        for (int k = 1; k <= kNumMotifs; k++) {
          ASSERT_EQ(some.has(k), motifs.contains(k));
          if (some.has(k)) {
            EXPECT_EQ(dense(some, k).data, dense(all, k).data) << subset << " M" << k;
          }
        }
      }
    }
}

Graph relabelled(const Graph& graph, const std::vector<NodeId>& to) {
  Array<Edge> edges = arcs(graph);
  for (Edge& e : edges) e = {to[e.from], to[e.to]};
  return make_graph(graph.num_nodes(), std::move(edges));
}

TEST(MotifMatrices, RelabellingPermutes) {
  const Graph graph = mixed_graph(50, 9);
  std::vector<NodeId> to(50);
  for (NodeId i = 0; i < 50; i++) to[i] = i;
  Rng(4).shuffle(std::span<NodeId>(to));
  for (const Counting counting : kCountings)
    for (const Entry entry : kEntries) {
      const MotifMatrices before = motif_matrices(graph, {counting, entry});
      const MotifMatrices after = motif_matrices(relabelled(graph, to), {counting, entry});
      for (int k = 1; k <= kNumMotifs; k++) {
        const Dense a = dense(before, k), b = dense(after, k);
        for (int i = 0; i < 50; i++)
          for (int j = 0; j < 50; j++) ASSERT_EQ(a(i, j), b(to[i], to[j]));
      }
    }
}

TEST(MotifMatrices, ReversingSwapsMotifs) {
  const Graph graph = mixed_graph(50, 10);
  const Graph reversed = {graph.in, graph.out};
  constexpr int twin[] = {0, 1, 2, 3, 4, 5, 7, 6, 10, 9, 8, 12, 11, 13};
  for (const Counting counting : kCountings)
    for (const Entry entry : kEntries) {
      const MotifMatrices before = motif_matrices(graph, {counting, entry});
      const MotifMatrices after = motif_matrices(reversed, {counting, entry});
      for (int k = 1; k <= kNumMotifs; k++)
        EXPECT_EQ(dense(before, k).data, reference::transposed(dense(after, twin[k])).data);
    }
}

TEST(MotifMatrices, AUnionIsBlockDiagonal) {
  const Graph first = mixed_graph(20, 11), second = mixed_graph(25, 12);
  Array<Edge> edges = arcs(first);
  for (const Edge& e : arcs(second)) edges.push_back({e.from + 20, e.to + 20});
  const Graph both = make_graph(45, std::move(edges));
  for (const Counting counting : kCountings)
    for (const Entry entry : kEntries) {
      const MotifMatrices a = motif_matrices(first, {counting, entry});
      const MotifMatrices b = motif_matrices(second, {counting, entry});
      const MotifMatrices c = motif_matrices(both, {counting, entry});
      for (int k = 1; k <= kNumMotifs; k++) {
        Dense joined(45);
        const Dense da = dense(a, k), db = dense(b, k);
        for (int i = 0; i < 20; i++)
          for (int j = 0; j < 20; j++) joined(i, j) = da(i, j);
        for (int i = 0; i < 25; i++)
          for (int j = 0; j < 25; j++) joined(i + 20, j + 20) = db(i, j);
        EXPECT_EQ(joined.data, dense(c, k).data);
      }
    }
}

TEST(MotifMatrices, EqualOnesAreStoredOnce) {
  Array<Edge> edges;
  for (const Edge& e : arcs(random_graph(60, 0.1, 3))) {
    edges.push_back(e);
    edges.push_back({e.to, e.from});
  }
  const Graph undirected = make_graph(60, std::move(edges));
  EXPECT_EQ(motif_matrices(undirected).values.size(), 2u);
  EXPECT_EQ(motif_matrices(undirected, {.counting = Counting::published}).values.size(), 4u);
  const MotifMatrices induced = motif_matrices(undirected, {.counting = Counting::induced});
  EXPECT_EQ(induced.values.size(), 2u);
  for (int k = 1; k <= kNumMotifs; k++) EXPECT_EQ(induced.is_zero(k), k != 4 && k != 13);
  EXPECT_EQ(motif_matrices(random_graph(60, 0.3, 3)).values.size(), 13u);
}

TEST(MotifMatrices, ProportionalByChanceAreStoredOnceToo) {
  // A mutual triangle with a tail: on general grounds all thirteen differ; here M1 and M5 do not.
  const Graph graph =
      make_graph(5, {{0, 1}, {1, 0}, {1, 2}, {2, 1}, {0, 2}, {2, 0}, {2, 3}, {4, 3}});
  const MotifMatrices actual = motif_matrices(graph);
  EXPECT_EQ(actual.of[0].array, actual.of[4].array);
  EXPECT_EQ(actual.of[0].array, actual.of[3].array);
  for (int k = 1; k <= kNumMotifs; k++)
    EXPECT_EQ(dense(actual, k).data,
              reference::motif_matrix(graph, k, Counting::subgraph, Entry::edge).data);
}

// A graph large enough for threads, with hubs.
Graph hub_graph(NodeId nodes, size_t count, uint64_t seed) {
  Rng rng(seed);
  Array<Edge> edges(count);
  for (Edge& e : edges) {
    const auto pick = [&] { return NodeId(nodes * rng.uniform() * rng.uniform() * rng.uniform()); };
    e = {pick(), pick()};
  }
  return make_graph(nodes, std::move(edges));
}

void expect_same(const MotifMatrices& a, const MotifMatrices& b) {
  EXPECT_EQ(a.pattern.start, b.pattern.start);
  EXPECT_EQ(a.pattern.index, b.pattern.index);
  EXPECT_EQ(a.values, b.values);
  for (int k = 0; k < kNumMotifs; k++) {
    EXPECT_EQ(a.of[k].array, b.of[k].array);
    EXPECT_EQ(a.of[k].factor, b.of[k].factor);
  }
}

void expect_same_for_all_threads(const Graph& graph, const MotifOptions& options) {
  set_num_threads(1);
  const MotifMatrices one = motif_matrices(graph, options);
  for (const int threads : {2, 3, 4, 7}) {
    set_num_threads(threads);
    expect_same(one, motif_matrices(graph, options));
  }
  set_num_threads(0);
}

TEST(MotifMatrices, DoNotDependOnThreads) {
  const Graph graph = hub_graph(10'000, 120'000, 8);
  for (const Counting counting : {Counting::subgraph, Counting::induced, Counting::published})
    expect_same_for_all_threads(graph, {.counting = counting});
  const Graph small = hub_graph(1500, 20'000, 9);
  for (const Counting counting : {Counting::subgraph, Counting::induced}) {
    expect_same_for_all_threads(graph, {counting, Entry::arc});
    expect_same_for_all_threads(small, {counting, Entry::pair});
  }
  expect_same_for_all_threads(hub_graph(150'000, 300'000, 10), {});  // threads rank nodes, too
}

// Hubs whose many lower neighbours are shared by threads, and counts beyond 16 bits.
TEST(MotifMatrices, SharedHubsDoNotDependOnThreads) {
  constexpr NodeId kLeaves = 70'000;
  Array<Edge> edges = {{0, 1}};
  for (NodeId v = 2; v < kLeaves + 2; v++) {
    edges.push_back({0, v});
    edges.push_back({v, 1});
    if (v % 3 == 0) edges.push_back({v, v - 1});
  }
  const Graph graph = make_graph(kLeaves + 2, std::move(edges));
  for (const Counting counting : {Counting::subgraph, Counting::induced})
    for (const Entry entry : {Entry::edge, Entry::arc})
      expect_same_for_all_threads(graph, {counting, entry});
  const MotifMatrices actual = motif_matrices(graph);
  EXPECT_EQ(actual.pattern.index[0], 1);
  EXPECT_EQ(actual.count(5, 0), kLeaves);  // 0 -> v -> 1 and 0 -> 1
}

TEST(MotifMatrices, CanBeInterrupted) {
  const Graph graph = hub_graph(2000, 20'000, 8);
  set_interrupted(true);
  EXPECT_EQ(error_of([&] { motif_matrices(graph); }), "interrupted");
  set_interrupted(false);
  EXPECT_EQ(error_of([&] { motif_matrices(graph); }), "");
}

TEST(MotifMatrices, RefuseWhatCannotBe) {
  const Graph graph = mixed_graph(30, 3);
  EXPECT_EQ(error_of([&] {
              motif_matrices(graph, {Counting::published, Entry::arc});
            }),
            "counting published goes with entry edge only, not with arc");
  EXPECT_EQ(error_of([&] { motif_matrices(graph, {.motifs = MotifSet()}); }),
            "no motif was asked for");
  Array<Edge> star;
  for (NodeId v = 1; v < 2000; v++) star.push_back({0, v});
  const std::string message = error_of([&] {
    motif_matrices(make_graph(2000, star), {.entry = Entry::pair, .pair_memory_limit = 1 << 20});
  });
  EXPECT_TRUE(message.starts_with("pair entries of these open motifs need more than 1.0 MiB"))
      << message;
  EXPECT_TRUE(message.ends_with("raise the limit, ask for fewer motifs, or take entry edge"))
      << message;
  // 4 million places: the matrix needs 31 MiB, the lists it is made of and the pattern 46.
  const MotifOptions only_m8 = {.entry = Entry::pair, .motifs = parse_motifs("8")};
  const auto with_limit = [&](int64_t mib) {
    MotifOptions options = only_m8;
    options.pair_memory_limit = mib << 20;
    return error_of([&] { motif_matrices(make_graph(2000, star), options); });
  };
  EXPECT_NE(with_limit(40), "");
  EXPECT_EQ(with_limit(50), "");
  const MotifMatrices actual = motif_matrices(make_graph(2000, star), {.entry = Entry::pair});
  EXPECT_EQ(actual.pattern.nnz(), 2000 * 1999);
  EXPECT_EQ(actual.sum(8), 6 * (1999 * 1998 / 2));
}

TEST(MotifMatrices, GraphsWithoutTriples) {
  for (const NodeId nodes : {0, 1, 2}) {
    Array<Edge> edges;
    if (nodes == 2) edges = {{0, 1}};
    const MotifMatrices actual = motif_matrices(make_graph(nodes, edges));
    EXPECT_EQ(actual.pattern.rows, nodes);
    for (int k = 1; k <= kNumMotifs; k++) EXPECT_EQ(actual.sum(k), 0);
  }
}

}  // namespace
}  // namespace mgnn
