// The other constructions give the same matrices.
#include "experiments/motifs_by_enumeration.h"
#include "experiments/motifs_by_product.h"
#include "tests/reference/motif_reference.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using reference::dense;
using testing::error_of, testing::random_graph;

TEST(ByProduct, IsTheSame) {
  for (const double density : {0.02, 0.2, 0.6}) {
    const Graph graph = random_graph(80, density, 4);
    for (const Counting counting : {Counting::subgraph, Counting::induced, Counting::published}) {
      const MotifMatrices actual = motif_matrices_by_product(graph, counting, MotifSet::closed());
      const MotifMatrices expected = motif_matrices(graph, {.counting = counting});
      for (int k = 1; k <= 7; k++) EXPECT_EQ(dense(actual, k).data, dense(expected, k).data) << k;
    }
  }
}

TEST(ByEnumeration, IsTheSame) {
  for (const double density : {0.02, 0.2, 0.6}) {
    const Graph graph = random_graph(80, density, 4);
    for (const Counting counting : {Counting::subgraph, Counting::induced}) {
      const MotifMatrices actual = motif_matrices_by_enumeration(graph, counting, MotifSet::open());
      const MotifMatrices expected = motif_matrices(graph, {.counting = counting});
      for (int k = 8; k <= 13; k++) EXPECT_EQ(dense(actual, k).data, dense(expected, k).data) << k;
    }
  }
}

TEST(Methods, RefuseWhatTheyCannotDo) {
  const Graph graph = random_graph(5, 0.5, 1);
  EXPECT_EQ(
      error_of([&] { motif_matrices_by_product(graph, Counting::subgraph, parse_motifs("1,9")); }),
      "matrix products are for the closed motifs, M1 to M7, not for M1,M9");
  EXPECT_EQ(error_of([&] {
              motif_matrices_by_enumeration(graph, Counting::subgraph, parse_motifs("4,13"));
            }),
            "enumeration is for the open motifs, M8 to M13, not for M4,M13");
  EXPECT_NE(error_of([&] {
              motif_matrices_by_enumeration(graph, Counting::published, parse_motifs("13"));
            }),
            "");
  for (const auto& method : {motif_matrices_by_product, motif_matrices_by_enumeration})
    EXPECT_EQ(error_of([&] { method(graph, Counting::subgraph, MotifSet()); }),
              "no motif was asked for");
}

}  // namespace
}  // namespace mgnn
