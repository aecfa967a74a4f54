#include <gtest/gtest.h>

#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::Built, testing::random_features, testing::random_graph, testing::undirected;

// relu hides signs: features are made positive, weights the identity, own weights 0.
Built only_neighbours(const char* aggregate) {
  Built net("sage", {3, 2}, {"layers=[3]", std::string("aggregate=") + aggregate});
  net.set_identity("layer1.neighbour.weight");
  net.set_all("layer1.root.weight", 0);
  return net;
}

TEST(Sage, CentreOfAStarHearsTheLargest) {
  const Graph star = make_graph(5, Array<Edge>{{1, 0}, {2, 0}, {3, 0}, {4, 0}});
  Matrix x = random_features(5, 3, 1);
  for (float& v : x.data) v = std::abs(v);
  const Built max = only_neighbours("max"), mean = only_neighbours("mean");
  const MatrixOf<double> most = max.representation(max.batch(star, x)),
                         middle = mean.representation(mean.batch(star, x));
  for (int64_t c = 0; c < 3; c++) {
    float expected = 0, sum = 0;
    for (int64_t r = 1; r < 5; r++) expected = std::max(expected, x(r, c)), sum += x(r, c);
    EXPECT_NEAR(most(0, c), double(expected), 1e-6);
    EXPECT_NEAR(middle(0, c), double(sum) / 4, 1e-6);
    for (int64_t r = 1; r < 5; r++) EXPECT_EQ(most(r, c), 0);  // no in-neighbours
  }
}

TEST(Sage, NothingHeardTakesNoPartInMaximaOfNegatives) {
  Built net = only_neighbours("max");
  net.set("layer1.neighbour.weight", {-1, 0, 0, 0, -1, 0, 0, 0, -1});
  Matrix x(2, 3);
  x.data = {-1, -2, -3, -4, -5, -6};
  const MatrixOf<double> h = net.representation(net.batch(make_graph(2, Array<Edge>{{0, 1}}), x));
  for (int64_t c = 0; c < 3; c++) EXPECT_NEAR(h(1, c), double(c + 1), 1e-6);
}

TEST(Sage, LargestIsNeverBelowTheMean) {
  const Graph graph = random_graph(30, 0.15, 2);
  Matrix x = random_features(30, 3, 4);
  for (float& v : x.data) v = std::abs(v);
  const Built max = only_neighbours("max"), mean = only_neighbours("mean");
  const MatrixOf<double> a = max.representation(max.batch(graph, x)),
                         b = mean.representation(mean.batch(graph, x));
  for (size_t i = 0; i < a.data.size(); i++) EXPECT_GE(a.data[i], b.data[i] - 1e-6);
}

TEST(Sage, PoolTakesTheLargestAfterItsLayer) {
  Built net = only_neighbours("pool");
  net.set("layer1.pool.weight", {-1, 0, 0, 0, -1, 0, 0, 0, -1});
  net.set("layer1.pool.bias", {1, 2, 3});
  Matrix x(3, 3);
  x.data = {0.5, 0.5, 0.5, 5, 1, 1, 0, 0, 0};
  const MatrixOf<double> h =
      net.representation(net.batch(make_graph(3, Array<Edge>{{0, 2}, {1, 2}}), x));
  EXPECT_NEAR(h(2, 0), 0.5, 1e-6);  // relu(1 - 0.5), relu(1 - 5)
  EXPECT_NEAR(h(2, 1), 1.5, 1e-6);
  EXPECT_NEAR(h(2, 2), 2.5, 1e-6);
}

TEST(Sage, NormalisedRowsHaveLengthOne) {
  const Built net("sage", {4, 2}, {"normalise=true"});
  const MatrixOf<double> h =
      net.representation(net.batch(random_graph(20, 0.2, 1), random_features(20, 4, 1)));
  for (int64_t r = 0; r < 20; r++) {
    double sum = 0;
    for (const double v : h.row(r)) sum += v * v;
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

}  // namespace
}  // namespace mgnn
