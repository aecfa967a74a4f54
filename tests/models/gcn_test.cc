#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "mgnn/data/embedded.h"
#include "mgnn/models/operators.h"
#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::expect_near, testing::Built, testing::random_features, testing::random_graph,
    testing::undirected;

double entry(const Operator& op, NodeId r, NodeId c) {
  for (Offset e = op.pattern.start[r]; e < op.pattern.start[r + 1]; e++)
    if (op.pattern.index[e] == c) return double(op.value[e]);
  return 0;
}

TEST(Gcn, PathOfThree) {
  const Operator op =
      message_operator(undirected(3, {{0, 1}, {1, 2}}), MessageNorm::sym_in, SelfLoops::added);
  EXPECT_NEAR(entry(op, 0, 0), 1. / 2, 1e-7);
  EXPECT_NEAR(entry(op, 1, 1), 1. / 3, 1e-7);
  EXPECT_NEAR(entry(op, 0, 1), 1 / std::sqrt(6.), 1e-7);
  EXPECT_EQ(entry(op, 0, 2), 0);
}

TEST(Gcn, Karate) {
  const Operator op =
      message_operator(karate_dataset().graph, MessageNorm::sym_in, SelfLoops::added);
  EXPECT_NEAR(entry(op, 0, 0), 0.0588235294, 1e-8);
  EXPECT_NEAR(entry(op, 0, 1), 0.0766964989, 1e-8);
  double norm = 0;
  for (const float v : op.value) norm += double(v) * double(v);
  EXPECT_NEAR(std::sqrt(norm), 2.4239930007, 1e-6);
  EXPECT_TRUE(op.symmetric);
}

TEST(Gcn, SpectrumOfKarate) {
  const auto spectrum = [](bool loops) {
    const Operator op = message_operator(karate_dataset().graph, MessageNorm::sym_in,
                                         loops ? SelfLoops::added : SelfLoops::none);
    Eigen::MatrixXd m(34, 34);
    for (NodeId i = 0; i < 34; i++)
      for (NodeId j = 0; j < 34; j++) m(i, j) = double(entry(op, i, j));
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m).eigenvalues().eval();
  };
  EXPECT_NEAR(spectrum(true).minCoeff(), -0.4201102722, 1e-6);
  EXPECT_NEAR(spectrum(false).minCoeff(), -0.7146113475, 1e-6);
  EXPECT_NEAR(spectrum(true).maxCoeff(), 1, 1e-6);
  EXPECT_NEAR(spectrum(false).maxCoeff(), 1, 1e-6);
}

// On a complete graph with loops, M̂ is 1/n everywhere.
TEST(Gcn, CompleteGraphGivesMeans) {
  Array<Edge> edges;
  for (NodeId u = 0; u < 5; u++)
    for (NodeId v = 0; v < 5; v++)
      if (u != v) edges.push_back({u, v});
  Built net("gcn", {3, 2}, {"layers=[3]"});
  net.set_identity("layer1.weight");
  Matrix x = random_features(5, 3, 1);
  for (float& v : x.data) v = std::abs(v);
  const MatrixOf<double> h = net.representation(net.batch(make_graph(5, edges), x));
  for (int64_t c = 0; c < 3; c++) {
    double mean = 0;
    for (int64_t r = 0; r < 5; r++) mean += double(x(r, c)) / 5;
    for (int64_t r = 0; r < 5; r++) EXPECT_NEAR(h(r, c), mean, 1e-6);
  }
}

TEST(Gcn, IsMixHopOfPowerOne) {
  Built gcn("gcn", {4, 3}), mixhop("mixhop", {4, 3}, {"powers=1"});
  ASSERT_EQ(gcn.weights.value.size(), mixhop.weights.value.size());
  mixhop.weights.value = gcn.weights.value;
  const Graph graph = random_graph(12, 0.3, 2);
  const Matrix x = random_features(12, 4, 3);
  expect_near(gcn.out(gcn.batch(graph, x)), mixhop.out(mixhop.batch(graph, x)), 1e-12, "gcn");
}

TEST(Gcn, NormsOfDirectedGraphs) {
  const Graph graph = make_graph(3, Array<Edge>{{0, 1}, {0, 2}, {1, 2}});
  EXPECT_NEAR(entry(message_operator(graph, MessageNorm::sym_in, SelfLoops::added), 2, 0),
              1 / std::sqrt(3.),
              1e-7);  // in-degrees with loops: 3 and 1
  EXPECT_NEAR(entry(message_operator(graph, MessageNorm::both, SelfLoops::added), 2, 0), 1. / 3,
              1e-7);
  EXPECT_NEAR(entry(message_operator(graph, MessageNorm::row, SelfLoops::none), 2, 0), 1. / 2,
              1e-7);
  EXPECT_NEAR(entry(message_operator(graph, MessageNorm::col, SelfLoops::none), 2, 1), 1., 1e-7);
  EXPECT_EQ(entry(message_operator(graph, MessageNorm::none, SelfLoops::none), 2, 1), 1);
}

TEST(Gcn, CountsItsParameters) {
  EXPECT_EQ(Built("gcn", {1433, 7}).weights.count(), 1433 * 16 + 16 + 16 * 7 + 7);
  EXPECT_EQ(Built("sage", {1433, 7}).weights.count(), 2 * 1433 * 16 + 16 + 16 * 7 + 7);
  EXPECT_EQ(Built("gat", {1433, 7}).weights.count(), 1433 * 104 + 3 * 104 + 104 * 7 + 7);
  EXPECT_EQ(Built("mixhop", {500, 3}).weights.count(), 3 * 500 * 16 + 48 + 48 * 3 + 3);
  EXPECT_EQ(Built("motifnet", {500, 3}).weights.count(), 2 * 500 * 16 + 16 + 13 + 16 * 3 + 3);
  EXPECT_EQ(Built("egat", {500, 3}).weights.count(), 13 * (500 * 16 + 48) + 208 * 3 + 3);
  EXPECT_EQ(Built("esage", {500, 3}).weights.count(), 13 * (2 * 500 * 16 + 16) + 208 * 3 + 3);
  EXPECT_EQ(Built("cadnet", {500, 3}).weights.count(), 500 * 16 + 16 + 16 * 3 + 3);
  // linear, batch norm with its running numbers, twice
  EXPECT_EQ(Built("gin", {500, 3}).weights.count(),
            500 * 16 + 16 + 16 * 16 + 16 + 2 * 4 * 16 + 16 * 3 + 3);
}

}  // namespace
}  // namespace mgnn
