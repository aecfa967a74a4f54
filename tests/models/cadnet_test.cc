#include <gtest/gtest.h>

#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::expect_near, testing::Built, testing::random_features, testing::random_graph;

TEST(Cadnet, WithoutStepsItIsAPerceptron) {
  const Built net("cadnet", {4, 3}, {"steps=0"});
  const Matrix x = random_features(8, 4, 1);
  expect_near(net.out(net.batch(random_graph(8, 0.5, 1), x)),
              net.out(net.batch(make_graph(8, Array<Edge>{}), x)), 0, "no arcs");
}

// What z becomes with constant transition 1 / (d + 1) and γ.
MatrixOf<double> walked(const Graph& graph, MatrixOf<double> z, int64_t steps, double gamma) {
  const MatrixOf<double> own = z;
  for (int64_t k = 0; k < steps; k++) {
    MatrixOf<double> next(z.rows, z.cols);
    for (NodeId r = 0; r < z.rows; r++)
      for (int64_t c = 0; c < z.cols; c++) {
        double sum = z(r, c);
        for (const NodeId u : graph.in.row(r)) sum += z(u, c);
        next(r, c) = sum / double(1 + graph.in.row_size(r));
      }
    z = next;
  }
  for (size_t i = 0; i < z.data.size(); i++)
    z.data[i] = (1 - gamma) * own.data[i] + gamma * z.data[i];
  return z;
}

// Four classes, all equally likely at every node: γ = 0.8 + 0.2 / 4.
TEST(Cadnet, UniformOpinionsWalkAtRandom) {
  const Graph graph = random_graph(10, 0.3, 2);
  Built net("cadnet", {1, 4}, {"layers=[1]", "beta=0.8", "steps=3"});
  net.set("layer1.weight", {1});
  net.set("layer1.bias", {0});
  net.set("logits.weight", {1, 1, 1, 1});
  net.set("logits.bias", {0, 0, 0, 0});
  Matrix x = random_features(10, 1, 3);
  for (float& v : x.data) v = std::abs(v);
  MatrixOf<double> z(10, 4);
  for (int64_t r = 0; r < 10; r++)
    for (int64_t c = 0; c < 4; c++) z(r, c) = double(x(r, 0));
  expect_near(net.out(net.batch(graph, x)), walked(graph, z, 3, 0.85), 1e-6, "uniform");
}

TEST(Cadnet, EqualSureOpinionsWalkAllTheWay) {
  const Graph graph = random_graph(10, 0.3, 4);
  Built net("cadnet", {1, 2}, {"layers=[1]", "beta=0.3", "steps=2"});
  net.set("layer1.weight", {1});
  net.set("layer1.bias", {0});
  net.set("logits.weight", {1, -1});
  net.set("logits.bias", {40, -40});
  Matrix x = random_features(10, 1, 5);
  for (float& v : x.data) v = std::abs(v);
  MatrixOf<double> z(10, 2);
  for (int64_t r = 0; r < 10; r++) z(r, 0) = 40 + double(x(r, 0)), z(r, 1) = -z(r, 0);
  expect_near(net.out(net.batch(graph, x)), walked(graph, z, 2, 1), 1e-6, "sure");
}

// Entropy of uniform opinions over three classes is ln 3.
TEST(Cadnet, PenaltyIsTheEntropy) {
  Built net("cadnet", {2, 3}, {"entropy=0.5"});
  net.set_all("logits.weight", 0);
  net.set_all("logits.bias", 0);
  net.evaluate(net.batch(random_graph(5, 0.5, 1), random_features(5, 2, 1)),
               [](const Output<double>& out) {
                 EXPECT_NEAR(*out.penalty.value, 0.5 * std::log(3.), 1e-12);
               });
}

}  // namespace
}  // namespace mgnn
