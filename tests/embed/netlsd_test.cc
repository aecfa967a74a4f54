// NetLSD against closed forms and golden values.
#include <cmath>
#include <numbers>

#include "mgnn/data/embedded.h"
#include "tests/embed/util.h"

namespace mgnn {
namespace {

using namespace testing;

// The trace at t, unnormalised.
double heat(const Graph& g, double t) {
  const auto place = int64_t(std::lround(100 * (std::log10(t) + 2)));
  // 401 scales: every hundredth part of a power of ten.
  return double(embedded("netlsd", {g}, {"normalisation=none", "scales=401"})(0, place));
}

TEST(NetLsd, ClosedForms) {
  for (const double t : {0.01, 0.1, 1., 10.}) {
    Array<Edge> complete, star;
    for (NodeId u = 0; u < 6; u++)
      for (NodeId v = 0; v < u; v++) complete.push_back({u, v});
    for (NodeId v = 1; v < 6; v++) star.push_back({0, v});
    EXPECT_NEAR(heat(undirected(6, complete), t), 1 + 5 * std::exp(-t * 6 / 5), 1e-5);
    EXPECT_NEAR(heat(undirected(6, star), t), 1 + 4 * std::exp(-t) + std::exp(-2 * t), 1e-5);
    EXPECT_NEAR(heat(cycle(4), t), 1 + 2 * std::exp(-t) + std::exp(-2 * t), 1e-5);
    const Graph apart = undirected(8, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}});  // 6, 7 alone
    EXPECT_NEAR(heat(apart, t), heat(cycle(4), t) + 1 + std::exp(-2 * t) + 2, 1e-5);
  }
}

// tr e^-tL = n - t tr L + t²/2 tr L² - …, each term below the one before for small t.
TEST(NetLsd, FollowsItsTaylorSeries) {
  const Graph g = karate_dataset().graph;
  double square = 34;  // Σ λ², with ones on the diagonal of L
  for (const Edge& e : arcs(g))
    square += 1. / double(g.out.row_size(e.from) * g.out.row_size(e.to));
  for (const double t : {0.01, 0.1}) {
    const double first = 34 - 34 * t;
    EXPECT_GT(heat(g, t), first);
    EXPECT_LT(heat(g, t), first + t * t / 2 * square + 1e-5);
  }
}

TEST(NetLsd, GoldenValuesOfKarate) {
  const Graph g = karate_dataset().graph;
  const Matrix z = embedded("netlsd", {g}, {"scales=5"});  // t = 0.01, 0.1, 1, 10, 100
  const double expected[] = {.9900581853, .9056050775, .4021520592, .0397216938, .0294118177};
  for (int i = 0; i < 5; i++) EXPECT_NEAR(z(0, i), expected[i], 1e-7);
  const Matrix w = embedded("netlsd", {g}, {"kernel=wave", "scales=250"});
  // t = 1 lies between two points of time: linear interpolation.
  const double step = 2 * std::numbers::pi / 249, place = 1 / step;
  const auto i = int64_t(place);
  const double part = place - double(i);
  EXPECT_NEAR(w(0, i) * (1 - part) + w(0, i + 1) * part, .4926350719, 2e-4);
  EXPECT_NEAR(w(0, 250 + i) * (1 - part) + w(0, 251 + i) * part, -.7759040490, 2e-4);
}

TEST(NetLsd, QuadratureIsNearTheExactTrace) {
  for (uint64_t seed = 0; seed < 3; seed++) {
    Array<Edge> edges;
    Rng rng(seed);
    for (int i = 0; i < 1500; i++)
      edges.push_back({NodeId(rng.below(600)), NodeId(rng.below(600))});
    const Graph g = undirected(620, edges);
    const Matrix exact = embedded("netlsd", {g}, {"scales=40"});
    const Matrix sampled = embedded("netlsd", {g}, {"scales=40", "exact_up_to=0"});
    for (int64_t i = 0; i < 40; i++) EXPECT_NEAR(sampled(0, i) / exact(0, i), 1, 0.01) << i;
  }
}

}  // namespace
}  // namespace mgnn
