#include <gtest/gtest.h>

#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::expect_near, testing::Built, testing::random_features, testing::random_graph;

TEST(Gat, WithoutScoresItTakesMeans) {
  for (const char* v2 : {"v2=false", "v2=true"}) {
    Built net("gat", {4, 2}, {"heads=1", "layers=[4]", v2});
    net.set_identity("layer1.weight");
    net.set_all("layer1.attention.source", 0);
    if (std::string(v2) == "v2=false") net.set_all("layer1.attention.target", 0);
    const Graph graph = random_graph(15, 0.2, 3);
    Matrix x = random_features(15, 4, 2);
    for (float& v : x.data) v = std::abs(v);  // elu does nothing
    const MatrixOf<double> h = net.representation(net.batch(graph, x));
    for (NodeId r = 0; r < 15; r++)
      for (int64_t c = 0; c < 4; c++) {
        double mean = double(x(r, c));
        for (const NodeId u : graph.in.row(r)) mean += double(x(u, c));
        EXPECT_NEAR(h(r, c), mean / double(1 + graph.in.row_size(r)), 1e-6);
      }
  }
}

// With equal features everywhere, weights that sum to 1 give them back, whatever the scores.
TEST(Gat, WeightsOfARowSumToOne) {
  for (const char* v2 : {"v2=false", "v2=true"}) {
    Built net("gat", {3, 2}, {"heads=3", "layers=[1]", v2});
    net.set_identity("layer1.weight");
    Matrix x(10, 3);
    for (float& v : x.data) v = 0.7f;
    const MatrixOf<double> h = net.representation(net.batch(random_graph(10, 0.3, 1), x));
    for (const double v : h.data) EXPECT_NEAR(v, 0.7, 1e-6);
  }
}

TEST(Gat, LinearScoresForgetWhoListens) {
  Built net("gat", {4, 2}, {"slope=1"});
  const Graph graph = random_graph(12, 0.3, 4);
  const Batch batch = net.batch(graph, random_features(12, 4, 5));
  const MatrixOf<double> before = net.out(batch);
  net.set_all("layer1.attention.target", 0.8f);
  expect_near(net.out(batch), before, 1e-6, "target");
}

TEST(Gat, HeadsAreNetworksSideBySide) {
  const Graph graph = random_graph(12, 0.3, 6);
  const Matrix x = random_features(12, 5, 7);
  for (const char* v2 : {"v2=false", "v2=true"}) {
    const Built all("gat", {5, 2}, {"heads=3", "layers=[4]", v2});
    const MatrixOf<double> h = all.representation(all.batch(graph, x));
    for (int64_t k = 0; k < 3; k++) {
      Built one("gat", {5, 2}, {"heads=1", "layers=[4]", v2});
      for (const NamedParameter& p : one.weights.all) {
        if (!p.name.starts_with("layer1")) continue;
        const NamedParameter& from = all.parameter(p.name);
        for (int64_t i = 0; i < p.size(); i++)
          one.weights.value_of(p)[i] =
              all.weights.value_of(from)[i / 4 * from.cols + k * 4 + i % 4];
      }
      const MatrixOf<double> own = one.representation(one.batch(graph, x));
      for (int64_t r = 0; r < 12; r++)
        for (int64_t c = 0; c < 4; c++) EXPECT_NEAR(h(r, k * 4 + c), own(r, c), 1e-12);
    }
  }
}

// GAT ranks neighbours alike for all listeners; GATv2 need not (Brody et al.).
TEST(Gat, OnlyTheSecondVersionRanksByListener) {
  Array<Edge> edges;
  for (NodeId u = 2; u < 4; u++)
    for (NodeId v = 0; v < 2; v++) edges.push_back({u, v});
  Built net("gat", {1, 2}, {"heads=1", "layers=[1]", "v2=true"});
  // scores a leaky(x_j + 2 x_i): whether large or small x_j win depends on the sign of a alone; so
  // the strength is what differs.
  net.set_all("layer1.weight", 1);
  net.set_all("layer1.target_weight", 2);
  net.set_all("layer1.attention.source", 1);
  Matrix x(4, 1);
  x.data = {-5, 5, 1, 3};
  const MatrixOf<double> h = net.representation(net.batch(make_graph(4, edges), x));
  const auto expected = [&](double own) {
    double total = 0, sum = 0;
    for (const double j : {own, 1., 3.}) {
      const double s = j + 2 * own, e = std::exp(s > 0 ? s : 0.2 * s);
      total += e, sum += e * j;
    }
    return sum / total;
  };
  EXPECT_NEAR(h(0, 0), std::expm1(std::min(expected(-5), 0.)) + std::max(expected(-5), 0.), 1e-6);
  EXPECT_NEAR(h(1, 0), expected(5), 1e-6);
}

}  // namespace
}  // namespace mgnn
