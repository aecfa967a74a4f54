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
           gat ? std::vector<std::string>{"weight", "attention.source", "attention.target", "bias"}
               : std::vector<std::string>{"neighbour.weight", "root.weight", "bias"})
        copy_block(all, layer + (gat ? "gat." : "sage.") + part, gat ? k : k - 6, one,
                   layer + part);
    const MatrixOf<double> own = one.representation(one.batch(graph, x));
    for (int64_t r = 0; r < 15; r++)
      for (int64_t c = 0; c < 4; c++)
        ASSERT_NEAR(h(r, 4 * k + c), own(r, c), 1e-9) << "module " << k;
  }
}

// Blocks of `d` columns in another order: block k of `to` is block order[k] of the weight.
void permute_blocks(Built& net, const std::string& name, int64_t d,
                    const std::vector<int64_t>& order) {
  const NamedParameter& p = net.parameter(name);
  float* const at = net.weights.value_of(p);
  const std::vector<float> before(at, at + p.size());
  for (int64_t r = 0; r < p.rows; r++)
    for (size_t k = 0; k < order.size(); k++)
      std::copy_n(&before[r * p.cols + order[k] * d], d, at + r * p.cols + int64_t(k) * d);
}

// Modules in another order, and the fusion's rows with them.
TEST(Ensemble, TheOrderOfModulesDoesNotMatter) {
  for (const std::string name : {"egat", "esage"}) {
    const std::string kind = name.substr(1);
    Built net(name, {6, 3}, {"layers=[4]"});
    const Batch batch = net.batch(random_graph(10, 0.3, 1), random_features(10, 6, 1));
    const MatrixOf<double> before = net.out(batch);
    const std::vector<int64_t> order = {4, 0, 12, 7, 1, 9, 3, 2, 11, 5, 10, 8, 6};
    for (const NamedParameter& p : net.weights.all)
      if (p.name.starts_with("layer1." + kind)) permute_blocks(net, p.name, 4, order);
    std::vector<float> last;
    const float* const rows = net.weights.value_of(net.parameter("output.weight"));
    for (const int64_t k : order) last.insert(last.end(), rows + k * 12, rows + (k + 1) * 12);
    EXPECT_GT(std::abs(net.out(batch)(0, 0) - before(0, 0)), 1e-6);  // not yet
    net.set("output.weight", last);
    expect_near(net.out(batch), before, 1e-9, name);
  }
}

// A fusion that looks at one module only is the network of that module.
TEST(Ensemble, FusionOfOneModuleIsThatModule) {
  const Graph graph = random_graph(10, 0.3, 1);
  const Matrix x = random_features(10, 6, 1);
  Built all("egat", {6, 4}, {"layers=[4]"}), one("gat", {6, 4}, {"layers=[4]", "heads=1"});
  constexpr int64_t kModule = 5;
  std::vector<float> last(13 * 4 * 4);
  for (size_t c = 0; c < 4; c++) last[size_t(kModule * 4 + int64_t(c)) * 4 + c] = 1;
  all.set("output.weight", last);
  all.set_all("output.bias", 0);
  for (const std::string part : {"weight", "attention.source", "attention.target", "bias"})
    copy_block(all, "layer1.gat." + part, kModule, one, "layer1." + part);
  expect_near(all.out(all.batch(graph, x)), one.representation(one.batch(graph, x)), 1e-9, "one");
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
