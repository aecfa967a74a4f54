#include <gtest/gtest.h>

#include "mgnn/models/operators.h"
#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::expect_near, testing::Built, testing::random_features, testing::random_graph;

// M̂ x, written out.
MatrixOf<double> propagated(const Graph& graph, const MatrixOf<double>& x) {
  const Operator op = message_operator(graph, MessageNorm::sym_in, SelfLoops::added);
  MatrixOf<double> y(x.rows, x.cols);
  for (NodeId r = 0; r < op.pattern.rows; r++)
    for (Offset e = op.pattern.start[r]; e < op.pattern.start[r + 1]; e++)
      for (int64_t c = 0; c < x.cols; c++)
        y(r, c) += double(op.value[e]) * x(op.pattern.index[e], c);
  return y;
}

Matrix positive(int64_t rows, int64_t cols) {
  Matrix x = random_features(NodeId(rows), cols, 3);
  for (float& v : x.data) v = std::abs(v);
  return x;
}

TEST(MixHop, IdentityGivesPowersSideBySide) {
  const Graph graph = random_graph(13, 0.2, 1);
  const Matrix x = positive(13, 3);
  Built net("mixhop", {3, 2}, {"layers=[3]", "powers=2,0,1"});
  net.set("layer1.weight",
          {1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1});
  const MatrixOf<double> h = net.representation(net.batch(graph, x));
  MatrixOf<double> power(13, 3);
  std::copy(x.data.begin(), x.data.end(), power.data.begin());
  for (int64_t j = 0; j < 3; j++) {
    for (int64_t r = 0; r < 13; r++)
      for (int64_t c = 0; c < 3; c++) EXPECT_NEAR(h(r, 3 * j + c), power(r, c), 1e-6);
    power = propagated(graph, power);
  }
}

TEST(MixHop, PowerZeroIsAPerceptron) {
  Built net("mixhop", {4, 2}, {"powers=0"});
  const Matrix x = random_features(9, 4, 1);
  expect_near(net.out(net.batch(random_graph(9, 0.5, 1), x)),
              net.out(net.batch(make_graph(9, Array<Edge>{}), x)), 0, "no arcs");
}

// The paper's delta operator: what is one step away but not two is a linear function of the layer.
TEST(MixHop, DifferencesOfDistances) {
  const Graph graph = random_graph(13, 0.2, 2);
  const Matrix x = positive(13, 1);
  Built net("mixhop", {1, 1}, {"layers=[1]", "powers=1,2"});
  net.set("layer1.weight", {1, 1});
  net.set("output.weight", {1, -1});
  net.set("output.bias", {0});
  MatrixOf<double> once(13, 1);
  std::copy(x.data.begin(), x.data.end(), once.data.begin());
  once = propagated(graph, once);
  const MatrixOf<double> twice = propagated(graph, once), out = net.out(net.batch(graph, x));
  for (int64_t r = 0; r < 13; r++) EXPECT_NEAR(out(r, 0), once(r, 0) - twice(r, 0), 1e-6);
}

}  // namespace
}  // namespace mgnn
