#include <gtest/gtest.h>

#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::expect_near, testing::Built, testing::random_features, testing::random_graph;

// Copies columns `from` .. of the ensemble's weight to the module's.
void copy_block(const Built& all, const std::string& from, int64_t k, Built& one,
                const std::string& to) {
  const NamedParameter &source = all.parameter(from), &target = one.parameter(to);
  for (int64_t r = 0; r < target.rows; r++)
    std::copy_n(all.weights.value_of(source) + r * source.cols + k * target.cols, target.cols,
                one.weights.value_of(target) + r * target.cols);
}

// Fused by weights that look at one module only, an ensemble is that module, in every layer.
TEST(Ensemble, EachModuleIsANetworkOfItsOwn) {
  const Graph graph = random_graph(15, 0.2, 1);
  const Matrix x = random_features(15, 6, 2);
  const Built all("egat+sage", {6, 3}, {"layers=[5, 4]"});
  const MatrixOf<double> h = all.representation(all.batch(graph, x));
  ASSERT_EQ(h.cols, 13 * 4);
  for (int64_t k = 0; k < 13; k++) {
    const bool gat = k < 6;
    Built one(gat ? "gat" : "sage", {6, 3}, {"layers=[5, 4]"});
    if (gat) one = Built("gat", {6, 3}, {"layers=[5, 4]", "heads=1"});
    for (const std::string layer : {"layer1.", "layer2."})
      for (const std::string& part :
           gat ? std::vector<std::string>{"weight", "source", "target", "bias"}
               : std::vector<std::string>{"heard", "own", "bias"})
        copy_block(all, layer + (gat ? "gat." : "sage.") + part, gat ? k : k - 6, one,
                   layer + part);
    const MatrixOf<double> own = one.representation(one.batch(graph, x));
    for (int64_t r = 0; r < 15; r++)
      for (int64_t c = 0; c < 4; c++)
        ASSERT_NEAR(h(r, 4 * k + c), own(r, c), 1e-9) << "module " << k;
  }
}

TEST(Ensemble, ModulesBeginDifferently) {
  for (const char* name : {"egat", "esage"}) {
    const Built net(name, {6, 3});
    const MatrixOf<double> h =
        net.representation(net.batch(random_graph(10, 0.3, 1), random_features(10, 6, 1)));
    for (int64_t k = 1; k < 13; k++) {
      double distance = 0;
      for (int64_t r = 0; r < 10; r++)
        for (int64_t c = 0; c < 16; c++) distance += std::abs(h(r, c) - h(r, 16 * k + c));
      EXPECT_GT(distance, 0.1);
    }
  }
}

}  // namespace
}  // namespace mgnn
