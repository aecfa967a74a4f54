#include <gtest/gtest.h>

#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::Built, testing::random_features, testing::random_graph, testing::undirected;

TEST(Gin, IdentityGivesSums) {
  for (const auto& [setting, own] : {std::pair{"eps=0", 1.}, {"eps=0.5", 1.5}}) {
    for (const char* learned : {"learn_eps=false", "learn_eps=true"}) {
      Built net("gin", {3, 2}, {"layers=[3]", "batch_norm=false", setting, learned});
      for (const char* layer : {"layer1.first", "layer1.second"}) {
        net.set_identity(layer + std::string(".weight"));
        net.set_all(layer + std::string(".bias"), 0);
      }
      const Graph graph = random_graph(14, 0.2, 1);
      Matrix x = random_features(14, 3, 2);
      for (float& v : x.data) v = std::abs(v);
      const MatrixOf<double> h = net.representation(net.batch(graph, x));
      for (NodeId r = 0; r < 14; r++)
        for (int64_t c = 0; c < 3; c++) {
          double sum = own * double(x(r, c));
          for (const NodeId u : graph.in.row(r)) sum += double(x(u, c));
          EXPECT_NEAR(h(r, c), sum, 1e-5);
        }
    }
  }
}

// {a, a, b}, {a, b, b} and {a, b} as neighbourhoods of nodes that are alike.
TEST(Gin, TellsMultisetsApart) {
  const Graph graph =
      make_graph(11, Array<Edge>{{3, 0}, {4, 0}, {5, 0}, {6, 1}, {7, 1}, {8, 1}, {9, 2}, {10, 2}});
  Matrix x(11, 2);
  for (const int64_t a : {3, 4, 6, 9}) x(a, 0) = 1;
  for (const int64_t b : {5, 7, 8, 10}) x(b, 1) = 1;
  const auto differs = [&](const char* method, const char* setting, int64_t u, int64_t v) {
    const Built net(method, {2, 4}, {setting});
    const MatrixOf<double> out = net.out(net.batch(graph, x));
    double distance = 0;
    for (int64_t c = 0; c < 4; c++) distance += std::abs(out(u, c) - out(v, c));
    return distance > 1e-4;
  };
  for (const auto& [u, v] : {std::pair{0, 1}, {0, 2}, {1, 2}})
    EXPECT_TRUE(differs("gin", "batch_norm=false", u, v));
  EXPECT_FALSE(differs("sage", "aggregate=max", 0, 1));
  EXPECT_FALSE(differs("sage", "aggregate=max", 0, 2));
  EXPECT_TRUE(differs("sage", "aggregate=mean", 0, 1));
}

// Lemma 2 of the paper: a cycle of six and two triangles look the same to message passing along
// edges, and not through motifs.
TEST(Gin, CyclesAndTrianglesNeedMotifs) {
  const Graph hexagon = undirected(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}});
  const Graph triangles = undirected(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}});
  Matrix x(6, 1);
  for (float& v : x.data) v = 1;
  const auto distance = [&](const char* method) {
    double most = 0;
    for (uint64_t seed = 0; seed < 5; seed++) {
      const Built net(method, {1, 4, Level::graph}, {}, seed);
      const MatrixOf<double> a = net.out(net.batch(hexagon, x)),
                             b = net.out(net.batch(triangles, x));
      for (size_t i = 0; i < a.data.size(); i++)
        most = std::max(most, std::abs(a.data[i] - b.data[i]));
    }
    return most;
  };
  for (const char* method :
       {"gcn", "sage", "gat", "gin", "mixhop", "cadnet", "egat", "esage", "egat+sage", "globalatt"})
    EXPECT_LT(distance(method), 1e-5) << method;
  for (const char* method : {"mgnn", "motifnet"}) EXPECT_GT(distance(method), 1e-3) << method;
}

}  // namespace
}  // namespace mgnn
