#include "mgnn/models/pooling.h"

#include <gtest/gtest.h>

#include "mgnn/models/operators.h"
#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::expect_near, testing::Built, testing::random_features, testing::random_graph,
    testing::undirected;

struct Stage {  // for the pieces that need a step
  Parameters weights;
  Batch batch;
  Tape<float> tape;
  Step<float> step{tape, weights, batch};
};

TEST(Pooling, BestOfEachGraph) {
  Stage s;
  s.tape.start_evaluation();
  const float score[] = {1, 3, 2, 5, 5, 5, 0, 9};
  const Array<Offset> start = {0, 3, 7, 7, 8};
  const auto kept = top_rows<float>(s.step, score, start, 0.5);
  EXPECT_EQ(std::vector<NodeId>(kept.begin(), kept.end()), (std::vector<NodeId>{1, 2, 3, 4, 7}));
  const auto now = kept_graph_start(s.step, kept, start);
  EXPECT_EQ(std::vector<Offset>(now.begin(), now.end()), (std::vector<Offset>{0, 2, 4, 4, 5}));
  EXPECT_EQ(top_rows<float>(s.step, score, start, 1).size(), 8u);
  EXPECT_EQ(top_rows<float>(s.step, score, start, 0.01).size(), 3u);  // at least one of each
}

TEST(Pooling, ClustersAndTheirMessages) {
  Stage s;
  s.tape.start_evaluation();
  const Array<NodeId> partner = {3, 1, 4, 0, 2};
  const Clusters c = numbered_clusters(s.step, partner);
  ASSERT_EQ(c.count(), 3);
  EXPECT_EQ(std::vector<NodeId>(c.of.begin(), c.of.end()), (std::vector<NodeId>{0, 1, 2, 0, 2}));
  const Graph path = make_graph(5, Array<Edge>{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 0}});
  const Csr coarse = coarse_pattern(path.in, c, SelfLoops::none);
  EXPECT_EQ(coarse.index, (Array<NodeId>{2, 0, 1}));  // in-neighbours: 2 of 0, 0 of 1, 1 of 2
  EXPECT_EQ(coarse_pattern(path.in, c, SelfLoops::added).nnz(), 4);
  const Csr part = induced_pattern(path.in, Array<NodeId>{1, 2, 3});
  EXPECT_EQ(part.nnz(), 2);
}

// Five equal layers of which the second pools away nothing: what stays is only gated.
TEST(TopKPool, RatioOneOnlyGates) {
  const Graph graph = random_graph(9, 0.3, 1);
  const Matrix x = random_features(9, 4, 2);
  Built net("topkpool", {4, 2, Level::graph}, {"ratio=1"});
  const MatrixOf<double> before = net.out(net.batch(graph, x));
  // A gate of tanh(0) = 0 stops everything behind it; the first two readouts stay.
  net.set_all("layer2.pool.weight", 0);
  net.set_all("layer3.neighbour.bias", 0);
  const MatrixOf<double> h = net.representation(net.batch(graph, x));
  for (int64_t c = 32; c < 48; c++) EXPECT_EQ(h(0, c), 0);
  for (int64_t c = 0; c < 48; c++) ASSERT_TRUE(std::isfinite(h(0, c)));
  ASSERT_TRUE(std::isfinite(before(0, 0)));
}

// The network's third layer, written out from the second's output, for a direction e_1.
TEST(TopKPool, KeepsTheLargestOfTheDirection) {
  Built net("topkpool", {3, 2, Level::graph}, {"layers=[3, 3, 3]", "ratio=0.5"});
  for (const char* layer : {"layer1", "layer2", "layer3"}) {
    net.set_identity(std::string(layer) + ".root.weight");
    net.set_all(std::string(layer) + ".neighbour.weight", 0);
    net.set_all(std::string(layer) + ".neighbour.bias", 0);
  }
  net.set("layer2.pool.weight", {2, 0, 0});
  Matrix x(4, 3);
  x.data = {1, 10, 0, 4, 20, 0, 3, 30, 0, 2, 40, 0};
  const MatrixOf<double> h = net.representation(net.batch(make_graph(4, Array<Edge>{{0, 1}}), x));
  EXPECT_NEAR(h(0, 6), 4 * std::tanh(4.) + 3 * std::tanh(3.), 1e-5);  // nodes 1 and 2
  EXPECT_NEAR(h(0, 7), 20 * std::tanh(4.) + 30 * std::tanh(3.), 1e-4);
}

// A path 0 - 1 - 2 - 3 whose messages score by the sum of their ends: {0, 1} and {2, 3} merge.
TEST(EdgePool, MergesGreedily) {
  Built net("edgepool", {1, 2, Level::graph}, {"layers=[1, 1, 1]"});
  for (const char* layer : {"layer1", "layer2", "layer3"}) {
    net.set_all(std::string(layer) + ".root.weight", 1);
    net.set_all(std::string(layer) + ".neighbour.weight", 0);
    net.set_all(std::string(layer) + ".neighbour.bias", 0);
  }
  net.set_all("layer2.pool.source", 1);
  net.set_all("layer2.pool.target", 0);
  const Graph path = undirected(4, {{0, 1}, {1, 2}, {2, 3}});
  Matrix x(4, 1);
  x.data = {9, 5, 2, 1};
  // Softmax over in-neighbours: 0 has only 1 (score 1), 3 only 2 (1); so these merge first.
  const MatrixOf<double> h = net.representation(net.batch(path, x));
  EXPECT_NEAR(h(0, 2), (9 + 5) * 1.5 + (2 + 1) * 1.5, 1e-5);
}

TEST(EdgePool, SingleNodesKeepTheirFeatures) {
  Built net("edgepool", {1, 2, Level::graph}, {"layers=[1, 1, 1]"});
  for (const char* layer : {"layer1", "layer2", "layer3"}) {
    net.set_all(std::string(layer) + ".root.weight", 1);
    net.set_all(std::string(layer) + ".neighbour.weight", 0);
    net.set_all(std::string(layer) + ".neighbour.bias", 0);
  }
  Matrix x(3, 1);
  x.data = {1, 2, 4};
  const MatrixOf<double> h = net.representation(net.batch(make_graph(3, Array<Edge>{}), x));
  EXPECT_NEAR(h(0, 2), 7, 1e-6);
}

// Readouts that count: with features 1 and weights that keep them, sums count nodes.
double nodes_after(const char* method, const Graph& graph,
                   const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings = {"layers=[1, 1, 1]"};
  settings.insert(settings.end(), more.begin(), more.end());
  Built net(method, {1, 2, Level::graph}, settings);
  for (const char* layer : {"layer1", "layer2", "layer3"}) {
    net.set_all(std::string(layer) + ".root.weight", 1);
    net.set_all(std::string(layer) + ".neighbour.weight", 0);
    net.set_all(std::string(layer) + ".neighbour.bias", 0);
  }
  Matrix x(graph.num_nodes(), 1);
  for (float& v : x.data) v = 1;
  return net.representation(net.batch(graph, x))(0, 2);
}

TEST(Graclus, MatchesPairs) {
  EXPECT_EQ(nodes_after("graclus", random_graph(4, 1, 1)), 2);  // complete: all matched
  EXPECT_EQ(nodes_after("graclus", undirected(6, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}})), 5);
  EXPECT_EQ(nodes_after("graclus", make_graph(5, Array<Edge>{})), 5);
  for (int64_t seed = 0; seed < 10; seed++) {
    const double left = nodes_after("graclus", undirected(9, arcs(random_graph(9, 0.2, 5))),
                                    {fmt::format("seed={}", seed)});
    EXPECT_GE(left, 4.5);
    EXPECT_LE(left, 9);
  }
}

// ASAP's fitness is ½ with zero weights, and its coarse graph has the weights of R B Rᵀ.
TEST(Asap, CoarseMessages) {
  const Graph graph = random_graph(7, 0.3, 3);
  Built net("asap", {2, 2, Level::graph}, {"layers=[2, 2, 2]", "ratio=1"});
  for (const NamedParameter& p : net.weights.all)
    if (p.name.find(".pool") != std::string::npos) net.set_all(p.name, 0);
  for (const char* layer : {"layer1", "layer2"}) {
    net.set_identity(std::string(layer) + ".root.weight");
    net.set_all(std::string(layer) + ".neighbour.weight", 0);
    net.set_all(std::string(layer) + ".neighbour.bias", 0);
  }
  net.set_all("layer3.root.weight", 0);
  net.set_identity("layer3.neighbour.weight");
  net.set_all("layer3.neighbour.bias", 0);
  Matrix x = random_features(7, 2, 4);
  for (float& v : x.data) v = std::abs(v);
  const MatrixOf<double> h = net.representation(net.batch(graph, x));

  // All written out: rows of R are means over the in-neighbours of a node and itself.
  double b[7][7] = {}, r[7][7] = {}, coarse[7][7] = {};
  for (NodeId i = 0; i < 7; i++) {
    b[i][i] = 1;
    for (const NodeId j : graph.in.row(i)) b[i][j] = 1;
    for (NodeId j = 0; j < 7; j++) r[i][j] = b[i][j] / double(1 + graph.in.row_size(i));
  }
  bool any[7][7] = {};
  for (int p = 0; p < 7; p++)
    for (int q = 0; q < 7; q++)
      for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
          coarse[p][q] += r[p][i] * b[i][j] * r[q][j];
          any[p][q] |= r[p][i] * b[i][j] * r[q][j] > 0;
        }
  double expected[2] = {};
  for (int p = 0; p < 7; p++) {
    int count = 0;
    double sum[2] = {};
    for (int q = 0; q < 7; q++) {
      if (p == q || !any[p][q]) continue;
      count++;
      for (int c = 0; c < 2; c++) {
        double cluster = 0;
        for (int j = 0; j < 7; j++) cluster += r[q][j] * double(x(j, c));
        sum[c] += coarse[p][q] * 0.5 * cluster;
      }
    }
    for (int c = 0; c < 2; c++) expected[c] += count ? sum[c] / count : 0;
  }
  EXPECT_NEAR(h(0, 4), expected[0], 1e-5);
  EXPECT_NEAR(h(0, 5), expected[1], 1e-5);
}

TEST(GlobalAtt, EqualGatesGiveMeans) {
  const Graph graph = random_graph(8, 0.3, 1);
  const Matrix x = random_features(8, 3, 1);
  Built net("globalatt", {3, 2, Level::graph});
  Built mean("sage", {3, 2, Level::graph},
             {"aggregate=mean", "layers=[16, 16, 16]", "readout=mean"});
  net.set_all("readout.weight", 0);
  for (const NamedParameter& p : mean.weights.all)
    std::copy_n(net.weights.value_of(net.parameter(p.name)), p.size(), mean.weights.value_of(p));
  expect_near(net.out(net.batch(graph, x)), mean.out(mean.batch(graph, x)), 1e-6, "means");
}

// A gate that opens for one node only: the graph is that node.
TEST(GlobalAtt, OneOpenGateGivesThatNode) {
  Built net("globalatt", {2, 2, Level::graph}, {"layers=[2]"});
  net.set_identity("layer1.root.weight");
  net.set_all("layer1.neighbour.weight", 0);
  net.set_all("layer1.bias", 0);
  net.set("readout.weight", {100, 0});
  Matrix x(4, 2);
  x.data = {1, 5, 3, 6, 2, 7, 0, 8};
  const MatrixOf<double> h = net.representation(net.batch(random_graph(4, 0.5, 1), x));
  EXPECT_NEAR(h(0, 0), 3, 1e-6);
  EXPECT_NEAR(h(0, 1), 6, 1e-6);
}

}  // namespace
}  // namespace mgnn
