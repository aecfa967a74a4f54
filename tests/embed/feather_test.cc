// FEATHER against closed forms and golden values.
#include <cmath>

#include "mgnn/data/embedded.h"
#include "tests/embed/util.h"

namespace mgnn {
namespace {

using namespace testing;

TEST(Feather, RegularGraphsHaveOneDegree) {
  const Matrix z = embedded("feather", {cycle(6)}, {"clustering=false"});
  ASSERT_EQ(z.cols, 250);
  for (int64_t r = 0; r < 5; r++)
    for (int64_t i = 0; i < 25; i++) {
      const double theta = 0.01 + 2.49 * double(i) / 24;
      EXPECT_NEAR(z(0, 50 * r + i), std::cos(theta * std::log(3.)), 1e-6);
      EXPECT_NEAR(z(0, 50 * r + 25 + i), std::sin(theta * std::log(3.)), 1e-6);
    }
}

TEST(Feather, IsACharacteristicFunction) {
  for (uint64_t seed = 0; seed < 4; seed++) {
    const Graph g = undirected(30, arcs(random_graph(30, 0.1, seed)));
    const Matrix z = embedded("feather", {g});
    const Matrix near = embedded("feather", {g}, {"last_point=0.01"});
    for (const float x : z.data) EXPECT_LE(std::abs(x), 1 + 1e-6f);
    // At points near zero cosines are one and sines are zero, but for nodes without neighbours.
    double alone = 0;
    for (NodeId u = 0; u < 30; u++) alone += g.out.row_size(u) == 0;
    for (int64_t i = 0; i < 50; i++) {
      EXPECT_NEAR(near(0, i), 1 - alone / 30, 1e-3);
      EXPECT_NEAR(near(0, 50 + i), 0, 0.04);
    }
  }
}

TEST(Feather, GoldenValuesOfKarate) {
  const Graph g = karate_dataset().graph;
  const Matrix z = embedded("feather", {g});
  ASSERT_EQ(z.cols, 500);
  double sum = 0;
  for (const float x : z.data) sum += double(x);
  EXPECT_NEAR(sum, 178.0503574768, 1e-4);
  const std::pair<int64_t, double> expected[] = {{0, .9997406942},
                                                 {24, .1909935822},
                                                 {25, .9999908786},
                                                 {99, .5845261394},
                                                 {499, .6175789363}};
  for (const auto& [place, value] : expected) EXPECT_NEAR(z(0, place), value, 1e-7) << place;
}

}  // namespace
}  // namespace mgnn
