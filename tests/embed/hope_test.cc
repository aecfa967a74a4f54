// HOPE against closed forms, golden values and exact decompositions.
#include <cmath>

#include "mgnn/data/embedded.h"
#include "mgnn/embed/similarity.h"
#include "tests/embed/util.h"

namespace mgnn {
namespace {

using namespace testing;

TEST(Hope, KatzOfTwoNodes) {
  const Graph k2 = undirected(2, {{0, 1}});
  const double b = 0.3;
  const Dense s = matrix_of(similarity_map({k2}, {.beta = b}));
  EXPECT_NEAR(s(0, 0), b * b / (1 - b * b), 1e-9);
  EXPECT_NEAR(s(0, 1), b / (1 - b * b), 1e-9);
}

TEST(Hope, GoldenValuesOfKarate) {
  const Graph g = karate_dataset().graph;
  const Dense half = matrix_of(similarity_map({g}, {}));
  const double expected[] = {1.0, .5873124352, .2768426676, .2501434353, .2072360332};
  for (int i = 0; i < 5; i++) EXPECT_NEAR(singular_values(half)[i], expected[i], 1e-8);
  EXPECT_NEAR(half.norm(), 1.3239750248, 1e-8);
  const Dense small = matrix_of(similarity_map({g}, {.beta = 0.01}));
  EXPECT_NEAR(singular_values(small)[0], .0721066528, 1e-9);
  EXPECT_NEAR(singular_values(small)[1], .0523776151, 1e-9);
  EXPECT_NEAR(singular_values(small)[2], .0429452406, 1e-9);
  EXPECT_NEAR(small(0, 33), .000416437559, 1e-12);
  const Dense common =
      matrix_of(similarity_map({g}, {.similarity = Similarity::common_neighbours}));
  EXPECT_NEAR(singular_values(common)[0], 45.2350099235, 1e-8);
  EXPECT_NEAR(singular_values(common)[1], 24.7712679237, 1e-8);
  EXPECT_NEAR(singular_values(common)[2], 20.1352258409, 1e-8);
}

TEST(Hope, SingularValuesFollowFromEigenvaluesOfSymmetricGraphs) {
  const Graph g = karate_dataset().graph;
  const double beta = 0.05;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(adjacency(g))};
  EXPECT_NEAR(solver.eigenvalues().maxCoeff(), 6.72569772763, 1e-9);
  std::vector<double> expected;
  for (const double l : solver.eigenvalues())
    expected.push_back(std::abs(beta * l / (1 - beta * l)));
  std::sort(expected.rbegin(), expected.rend());
  const Eigen::VectorXd values = singular_values(matrix_of(similarity_map({g}, {.beta = beta})));
  for (int i = 0; i < 34; i++) EXPECT_NEAR(values[i], expected[i], 1e-9);
}

// Eckart and Young: the error of the best approximation is the norm of the other singular values.
TEST(Hope, IsTheBestApproximation) {
  const Graph g = karate_dataset().graph;
  const Dense s = matrix_of(similarity_map({g}, {}));
  const Eigen::VectorXd values = singular_values(s);
  for (const int64_t rank : {1, 4, 10}) {
    const Matrix z = embedded("hope", {g}, {{"dimension", 2 * rank}});
    Dense residual = s;
    for (int u = 0; u < 34; u++)
      for (int v = 0; v < 34; v++)
        for (int64_t k = 0; k < rank; k++)
          residual(u, v) -= double(z(u, k)) * double(z(v, rank + k));
    EXPECT_NEAR(residual.norm(), values.tail(34 - rank).norm(), 1e-5) << rank;
  }
}

TEST(Hope, SimilaritiesByDefinition) {
  for (uint64_t seed = 0; seed < 4; seed++) {
    const Graph g = random_graph(15, 0.2, seed);
    const std::vector<float> weight = random_weights(g, seed);
    const EmbedInput input{.graph = g, .arc_weight = weight};
    const Dense a = adjacency(g, weight), unit = Dense::Identity(15, 15);
    const auto similarity = [&](SimilarityOptions o) {
      return matrix_of(similarity_map(input, o));
    };
    const double beta = 0.3 / a.norm();
    EXPECT_LT((similarity({.beta = beta}) - (unit - beta * a).inverse() * beta * a).norm(), 1e-8);
    Dense p = a, d = Dense::Zero(15, 15), r = d;
    for (NodeId u = 0; u < 15; u++) {
      if (a.row(u).sum() > 0) p.row(u) /= a.row(u).sum();
      int neighbours = 0;
      for (NodeId v = 0; v < 15; v++) neighbours += g.has_arc(u, v) || g.has_arc(v, u);
      if (neighbours > 1) d(u, u) = 1 / std::log(neighbours);
      if (neighbours > 0) r(u, u) = 1. / neighbours;
    }
    EXPECT_LT((similarity({.similarity = Similarity::rooted_pagerank, .alpha = 0.7}) -
               0.3 * (unit - 0.7 * p).inverse())
                  .norm(),
              1e-8);
    EXPECT_LT((similarity({.similarity = Similarity::adamic_adar}) - a * d * a).norm(), 1e-9);
    EXPECT_LT((similarity({.similarity = Similarity::resource_allocation}) - a * r * a).norm(),
              1e-9);
  }
}

TEST(Hope, InnerProductsAreTheSimilarity) {
  const Graph g = random_graph(20, 0.2, 9);  // directed
  const Matrix z = embedded("hope", {g}, {"dimension=40", "beta=0.05"});
  const Dense s = matrix_of(similarity_map({g}, {.beta = 0.05}));
  for (int64_t u = 0; u < 20; u++)
    for (int64_t v = 0; v < 20; v++) {
      double inner = 0;
      for (int64_t k = 0; k < 20; k++) inner += double(z(u, k)) * double(z(v, 20 + k));
      EXPECT_NEAR(inner, s(u, v), 1e-6);
    }
}

TEST(Hope, RefusesInvalidOptions) {
  const Graph k2 = undirected(2, {{0, 1}});
  EXPECT_NE(error_of([&] { embedded("hope", {k2}, {"beta=1"}); }).find("beta = 1 is not below 1"),
            std::string::npos);
  EXPECT_NE(error_of([&] { embedded("hope", {k2}, {"dimension=7"}); }).find("must be even"),
            std::string::npos);
  const Graph path = make_graph(3, {{0, 1}, {1, 2}});  // no cycle: any beta
  EXPECT_NEAR(matrix_of(similarity_map({path}, {.beta = 3}))(0, 2), 9, 1e-9);
  EXPECT_EQ(embedded("hope", {make_graph(0, {})}).rows, 0);
}

// 2^32 + 2 is 2 where it is narrowed to 32 bits.
TEST(Hope, NumbersAreNotNarrowed) {
  const Graph k2 = undirected(2, {{0, 1}});
  for (const char* method : {"hope", "grarep"})
    EXPECT_EQ(error_of([&] { embedded(method, {k2}, {"power_iterations=4294967298"}); }),
              "power_iterations is 4294967298; use at most 1048576")
        << method;
  for (const char* method : {"hope", "grarep", "deepwalk", "node2vec"})
    EXPECT_EQ(error_of([&] { embedded(method, {k2}, {"dimension=4294967298"}); }),
              "dimension is 4294967298; use at most 16777216")
        << method;
}

}  // namespace
}  // namespace mgnn
