// GraRep against its definition and golden values.
#include <cmath>
#include <numeric>

#include "mgnn/data/embedded.h"
#include "mgnn/embed/log_transition.h"
#include "tests/embed/util.h"

namespace mgnn {
namespace {

using namespace testing;

// X of the paper, densely.
Dense grarep_by_definition(const Dense& a, int k) {
  Dense p = a, power = Dense::Identity(a.rows(), a.rows());
  for (Eigen::Index u = 0; u < a.rows(); u++)
    if (a.row(u).sum() > 0) p.row(u) /= a.row(u).sum();
  for (int i = 0; i < k; i++) power = power * p;
  Dense x = Dense::Zero(a.rows(), a.rows());
  for (Eigen::Index i = 0; i < a.rows(); i++)
    for (Eigen::Index j = 0; j < a.rows(); j++)
      if (power(i, j) > 0)
        x(i, j) = std::max(0., std::log(power(i, j) / power.col(j).sum()) + std::log(a.rows()));
  return x;
}

TEST(GraRep, TriangleByHand) {
  const Graph k3 = undirected(3, {{0, 1}, {1, 2}, {0, 2}});
  const Dense unit = Dense::Identity(3, 3), ones = Dense::Ones(3, 3);
  EXPECT_LT((matrix_of(log_transition_map({k3}, 1)) - std::log(1.5) * (ones - unit)).norm(), 1e-12);
  EXPECT_LT((matrix_of(log_transition_map({k3}, 2)) - std::log(1.5) * unit).norm(), 1e-12);
}

TEST(GraRep, GoldenValuesOfKarate) {
  const Graph g = karate_dataset().graph;
  const struct {
    int64_t non_zeros;
    double norm, largest;
  } expected[] = {{148, 23.1612538, 10.9301209},
                  {396, 18.0545778, 9.0518516},
                  {416, 15.4845031, 8.4622584},
                  {482, 13.0603725, 7.6259334}};
  for (int k = 1; k <= 4; k++) {
    const Dense x = matrix_of(log_transition_map({g}, k));
    EXPECT_EQ((x.array() > 1e-12).count(), expected[k - 1].non_zeros) << k;
    EXPECT_NEAR(x.norm(), expected[k - 1].norm, 1e-6);
    EXPECT_NEAR(singular_values(x)[0], expected[k - 1].largest, 1e-6);
  }
}

TEST(GraRep, ByDefinitionOnDirectedWeightedGraphs) {
  for (uint64_t seed = 0; seed < 4; seed++) {
    const Graph g = random_graph(18, 0.12, seed);  // with sinks and isolated nodes
    const std::vector<float> weight = random_weights(g, seed);
    for (int k = 1; k <= 3; k++)
      EXPECT_LT((matrix_of(log_transition_map({.graph = g, .arc_weight = weight}, k)) -
                 grarep_by_definition(adjacency(g, weight), k))
                    .norm(),
                1e-9);
  }
}

TEST(GraRep, KarateclubsMatrix) {
  const Graph g = karate_dataset().graph;
  Dense p = adjacency(g) + Dense::Identity(34, 34);
  for (int u = 0; u < 34; u++) p.row(u) /= double(g.out.row_size(u)) + 2;
  const Dense power = p * p;
  const Dense x = matrix_of(log_transition_map({g}, 2, EmbeddingVariant::karateclub));
  for (int i = 0; i < 34; i++)
    for (int j = 0; j < 34; j++)
      EXPECT_NEAR(x(i, j), power(i, j) > 0 ? std::log(power(i, j)) - std::log(34.) : 0, 1e-9);
}

TEST(GraRep, DoesNotDependOnTheOrderOfNodes) {
  const Graph g = karate_dataset().graph;
  std::vector<NodeId> order(34);
  std::iota(order.begin(), order.end(), 0);
  Rng(4).shuffle(std::span(order));
  Array<Edge> moved;
  for (const Edge& e : arcs(g)) moved.push_back({order[e.from], order[e.to]});
  const Settings settings = {"dimension=80", "steps=2", "normalise=false"};
  const Matrix z = embedded("grarep", {g}, settings);
  const Matrix y = embedded("grarep", {make_graph(34, moved)}, settings);
  const Dense a = product(z, z), b = product(y, y);
  for (int i = 0; i < 34; i++)
    for (int j = 0; j < 34; j++) EXPECT_NEAR(a(i, j), b(order[i], order[j]), 1e-3);
}

}  // namespace
}  // namespace mgnn
