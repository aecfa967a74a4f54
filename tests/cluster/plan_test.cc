#include "mgnn/cluster/plan.h"

#include "mgnn/cluster/divided_motifs.h"
#include "mgnn/graph/generators.h"
#include "tests/cluster/ranks.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph, testing::ranks;

TEST(Plan, ForeseesNodesNeighboursAndBytes) {
  GeneratedEdges edges = rmat_edges({.nodes = 2000, .arcs = 30000}, Rng(5));
  for (const Graph& graph : {random_graph(300, 0.05, 1), random_graph(40, 0.9, 2),
                             make_graph(edges.num_nodes, edges.edges), make_graph(7, {})}) {
    const RankNeeds mine = plan_ranks(graph, ranks().size())[ranks().rank()];
    const RankGraph part = part_of_graph(ranks(), graph);
    EXPECT_EQ(mine.nodes, NodeId(part.num_rows()));
    EXPECT_EQ(mine.neighbours, Offset(part.neighbour.size()));
    const int64_t before = ranks().bytes_sent();
    divided_census(ranks(), part, {});
    EXPECT_EQ(ranks().bytes_sent() - before, mine.census_bytes);
    EXPECT_EQ(mine.foreign_nodes, NodeId(known_nodes(ranks(), part).node.size() - part.num_rows()));
  }
}

TEST(Plan, IsForOneToManyRanks) {
  const Graph graph = random_graph(100, 0.2, 3);
  int64_t nodes = 0;
  for (const RankNeeds& rank : plan_ranks(graph, 512)) nodes += rank.nodes;
  EXPECT_EQ(nodes, 100);
  EXPECT_EQ(plan_ranks(graph, 1)[0].census_bytes, 0);
  EXPECT_EQ(error_of([&] { plan_ranks(graph, 0); }), "a plan is for 1 to 512 ranks, not 0");
}

}  // namespace
}  // namespace mgnn
