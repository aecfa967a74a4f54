// Every count of a divided graph against the same of the whole graph by one process. tests/CMakeLists.txt
// also starts this program on two and four ranks.
#include "mgnn/cluster/divided_motifs.h"

#include "mgnn/base/parallel.h"
#include "mgnn/graph/generators.h"
#include "tests/cluster/ranks.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph, testing::ranks;

std::vector<Graph> graphs() {
  std::vector<Graph> list;
  list.push_back(make_graph(0, {}));
  list.push_back(make_graph(3, {}));
  list.push_back(make_graph(5, {{0, 1}, {1, 2}, {2, 0}, {0, 2}}));
  for (uint64_t seed = 1; seed <= 7; seed++)
    list.push_back(random_graph(NodeId(10 * seed), 0.9 / double(seed), seed));
  GeneratedEdges edges = rmat_edges({.nodes = 512, .arcs = 6000}, Rng(1));
  list.push_back(make_graph(edges.num_nodes, std::move(edges.edges)));
  edges = star_edges(300);
  list.push_back(make_graph(edges.num_nodes, std::move(edges.edges)));
  edges = er_edges(150, 0.1, Rng(2));
  list.push_back(build_graph(edges.num_nodes, std::move(edges.edges), {.symmetrise = true}).graph);
  return list;
}

// All lists in one batch, and one list in each.
const TriangleOptions kBatches[] = {{}, {.batch_bytes = 1}};

TEST(DividedMotifs, CensusIsThatOfOneProcess) {
  for (const Graph& graph : graphs())
    for (const Counting counting : {Counting::subgraph, Counting::induced})
      for (const TriangleOptions& triangles : kBatches) {
        const RankGraph part = part_of_graph(ranks(), graph);
        const Census whole =
            census(graph, {.counting = counting, .per_node = true, .per_role = true});
        const Census total =
            divided_census(ranks(), part, {.counting = counting, .triangles = triangles});
        EXPECT_EQ(total.total, whole.total);
        const Census nodes = divided_census(
            ranks(), part,
            {.counting = counting, .per_node = true, .per_role = true, .triangles = triangles});
        EXPECT_EQ(nodes.total, whole.total);
        if (ranks().rank() != 0) continue;
        EXPECT_EQ(nodes.per_node, whole.per_node);
        EXPECT_EQ(nodes.per_role, whole.per_role);
      }
}

void expect_same(const MotifMatrices& a, const MotifMatrices& b) {
  EXPECT_EQ(a.pattern.rows, b.pattern.rows);
  EXPECT_EQ(a.pattern.start, b.pattern.start);
  EXPECT_EQ(a.pattern.index, b.pattern.index);
  EXPECT_EQ(a.values, b.values);
  for (int k = 0; k < kNumMotifs; k++) {
    EXPECT_EQ(a.of[k].array, b.of[k].array);
    EXPECT_EQ(a.of[k].factor, b.of[k].factor);
  }
}

TEST(DividedMotifs, MatricesAreThoseOfOneProcess) {
  for (const Graph& graph : graphs()) {
    const RankGraph part = part_of_graph(ranks(), graph);
    for (const Counting counting :
         {Counting::subgraph, Counting::induced, Counting::published, Counting::published_graph})
      for (const Entry entry : {Entry::arc, Entry::edge, Entry::pair}) {
        if (is_published(counting) && entry != Entry::edge) continue;
        for (const char* motifs : {"all", "4", "8-13", "3,9"}) {
          const MotifOptions options = {
              .counting = counting,
              .entry = entry,
              .motifs = std::string(motifs) == "8-13" ? MotifSet::open() : parse_motifs(motifs)};
          const RankMatrices rows =
              divided_matrices(ranks(), part, options, kBatches[graph.num_nodes() % 2]);
          const MotifMatrices all = gather_matrices(ranks(), part, rows);
          if (ranks().rank() == 0) expect_same(all, motif_matrices(graph, options));
        }
      }
  }
}

TEST(DividedMotifs, DoNotDependOnThreads) {
  GeneratedEdges edges = rmat_edges({.nodes = 4096, .arcs = 60000}, Rng(3));
  const Graph graph = make_graph(edges.num_nodes, std::move(edges.edges));
  const RankGraph part = part_of_graph(ranks(), graph);
  RankMatrices one;
  for (const int threads : {1, 2, 4}) {
    const ThreadScope scope(threads);
    RankMatrices some = divided_matrices(ranks(), part, {});
    if (threads == 1) one = some;
    EXPECT_EQ(some.index, one.index);
    EXPECT_EQ(some.values, one.values);
    EXPECT_EQ(divided_census(ranks(), part, {}).total, census(graph).total);
  }
}

TEST(DividedMotifs, RowsAreThoseOfTheGraph) {
  const Graph graph = random_graph(200, 0.05, 7);
  const RankGraph part = part_of_graph(ranks(), graph);
  EXPECT_EQ(part.num_arcs, graph.num_arcs());
  EXPECT_EQ(part.fingerprint, fingerprint(graph));
  EXPECT_EQ(sum_over_ranks(ranks(), part.num_rows()), graph.num_nodes());
  for (uint32_t r = 0; r < part.num_rows(); r++)
    for (const uint32_t e : part.row(r)) {
      EXPECT_EQ(graph.has_arc(part.node[r], node_of(e)), type_of(e) != kIn);
      EXPECT_EQ(graph.has_arc(node_of(e), part.node[r]), type_of(e) != kOut);
    }
}

TEST(DividedMotifs, RefuseWhatOneProcessRefuses) {
  const Graph graph = random_graph(50, 0.3, 1);
  const RankGraph part = part_of_graph(ranks(), graph);
  EXPECT_EQ(error_of([&] { divided_census(ranks(), part, {.counting = Counting::published}); }),
            error_of([&] { census(graph, {.counting = Counting::published}); }));
  const MotifOptions no_motifs = {.motifs = MotifSet()};
  EXPECT_EQ(error_of([&] { divided_matrices(ranks(), part, no_motifs); }),
            error_of([&] { motif_matrices(graph, no_motifs); }));
  const MotifOptions little = {.entry = Entry::pair, .pair_memory_limit = 10};
  EXPECT_EQ(error_of([&] { divided_matrices(ranks(), part, little); }),
            "pair entries of these open motifs need more than 10 B of memory on rank 0; raise the "
            "limit, use more ranks, ask for fewer motifs, or take entry edge");
}

}  // namespace
}  // namespace mgnn
