#include <gtest/gtest.h>

#include <cmath>

#include "mgnn/graph/generators.h"
#include "mgnn/models/operators.h"
#include "tests/models/network.h"

namespace mgnn {
namespace {

using testing::Network, testing::random_features, testing::random_graph;

// Option sets that between them use every branch of the layer.
const std::vector<std::vector<std::string>> kOptionSets = {
    {},
    {"layers=5,3", "gate=tanh", "counting=published", "normalisation=published"},
    {"counting=induced", "normalisation=row", "combine=sum"},
    {"rectify=false", "released_init=true", "base_init=kaiming-uniform",
     "delta_init=kaiming-uniform"},
    {"entry=arc", "normalisation=none", "combine=mean", "motifs=1,5,8-13"},
    {"entry=pair", "normalisation=centred", "combine=max", "motifs=M4,M13", "root=false"},
    {"delta=false", "bias=false", "per_motif=3"},
    {"motifs=none", "layers=4,4"},
    {"aggregate=mean"},
    {"aggregate=max", "gate=tanh"},
    {"attention=true"},
    {"attention=true", "aggregate=max", "delta=false"},
    {"base=sage"},
    {"base=gin"},
    {"base=gat", "attention=true"},
    {"base=none", "delta=false", "normalisation=none"},
    {"skip=true"},
    {"skip=true", "diffuse=3", "base=gat"},
    {"diffuse=2", "combine=sum", "base=gin"},
    {"skip=true", "diffuse=1", "motifs=none", "root=false"},
};

std::string name_of(const std::vector<std::string>& settings) {
  std::string name;
  for (const std::string& one : settings) name += one + " ";
  return name;
}

std::vector<std::string> with(std::vector<std::string> settings, const std::string& one) {
  settings.push_back(one);
  return settings;
}

double largest_difference(const double* a, const double* b, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

TEST(Mgnn, FusedAndPlainAgree) {
  for (const std::vector<std::string>& settings : kOptionSets)
    for (uint64_t seed = 0; seed < 4; seed++) {
      const Graph graph = random_graph(NodeId(6 + 4 * seed), 0.1 + 0.1 * double(seed), seed);
      const Matrix x = random_features(graph.num_nodes(), 7, seed);
      Network fused("mgnn", with(settings, "fused=true"), graph, x, 3);
      Network plain("mgnn", with(settings, "fused=false"), graph, x, 3);
      ASSERT_EQ(fused.weights.value, plain.weights.value);
      const auto a = fused.output_and_gradient(), b = plain.output_and_gradient();
      const std::string name = name_of(settings);
      EXPECT_LT(largest_difference(a.data.data(), b.data.data(), a.data.size()), 1e-9) << name;
      EXPECT_LT(largest_difference(fused.weights.grad.data(), plain.weights.grad.data(),
                                   fused.weights.grad.size()),
                1e-9)
          << name;
    }
}

TEST(Mgnn, GradientsAreSlopes) {
  constexpr double h = 1e-6;  // kinks of ReLU within it would show
  for (const Level level : {Level::node, Level::graph})
    for (const std::vector<std::string>& settings : kOptionSets) {
      const Graph graph = random_graph(7, 0.3, 3);
      Network net("mgnn", with(settings, "layers=3"), graph, random_features(7, 4, 1), 2, level,
                  level == Level::graph ? Array<Offset>{0, 3, 7} : Array<Offset>{});
      net.output_and_gradient();
      const Array<double> grad(net.weights.grad.begin(), net.weights.grad.end());
      for (const NamedParameter& p : net.weights.all) {
        if (!p.learns || p.size() == 0) continue;
        const auto i = size_t(p.at + p.size() / 2);  // one element of each weight
        const double before = net.weights.value[i];
        const auto running = net.weights.value;  // batch norm moves its statistics
        const auto loss_at = [&](double value) {
          net.weights.value = running;
          net.weights.value[i] = value;
          net.output_and_gradient();
          return net.loss();
        };
        const double slope = (loss_at(before + h) - loss_at(before - h)) / (2 * h);
        net.weights.value = running;
        EXPECT_NEAR(grad[i], slope, 1e-5 * (1 + std::abs(slope)))
            << name_of(settings) << " " << p.name;
      }
    }
}

// The channels by their definitions, in evaluation mode.
TEST(Mgnn, ChannelsBesideTheMotifs) {
  constexpr NodeId n = 12;
  constexpr int64_t width = 3, steps = 4;
  const Graph graph = random_graph(n, 0.2, 4);
  const Matrix x = random_features(n, 5, 2);
  Network net("mgnn", {"skip=true", "diffuse=4", "layers=3"}, graph, x, 2);
  Tape<double> tape;
  tape.start_evaluation();
  Step<double> step(tape, net.weights, net.batch);
  const Var<double> h = net.model->forward(step).representation;
  ASSERT_EQ(h.cols, 13 * 6 + 2 * width);
  const auto weight = [&](const std::string& name) {
    for (const NamedParameter& p : net.weights.all)
      if (p.name == name) return net.weights.value_of(p);
    return static_cast<double*>(nullptr);
  };
  for (const char* bias : {"layer1.skip.bias", "layer1.diffuse.bias"})
    for (int64_t c = 0; c < width; c++) weight(bias)[c] = 0.1 * double(c);
  tape.start_evaluation();
  Step<double> again(tape, net.weights, net.batch);
  const Var<double> y = net.model->forward(again).representation;
  const auto product = [&](const double* w, NodeId v, int64_t c) {
    double sum = 0;
    for (int64_t a = 0; a < 5; a++) sum += double(x(v, a)) * w[a * width + c];
    return sum;
  };
  for (int64_t c = 0; c < width; c++) {
    std::vector<double> start, now;
    for (NodeId v = 0; v < n; v++) {
      EXPECT_NEAR(y(v, 13 * 6 + c),
                  std::max(product(weight("layer1.skip.weight"), v, c) + 0.1 * double(c), 0.),
                  1e-9);
      start.push_back(product(weight("layer1.diffuse.weight"), v, c));
    }
    now = start;
    const auto degree = [&](NodeId v) { return double(graph.in.row_size(v) + 1); };
    for (int64_t t = 0; t < steps; t++) {
      std::vector<double> next(n, 0.);
      for (NodeId v = 0; v < n; v++) {
        next[size_t(v)] = now[size_t(v)] / degree(v);
        for (const NodeId u : graph.in.row(v))
          next[size_t(v)] += now[size_t(u)] / std::sqrt(degree(u) * degree(v));
        next[size_t(v)] = 0.9 * next[size_t(v)] + 0.1 * start[size_t(v)];
      }
      now = next;
    }
    for (NodeId v = 0; v < n; v++)
      EXPECT_NEAR(y(v, 13 * 6 + width + c), std::max(now[size_t(v)] + 0.1 * double(c), 0.), 1e-6);
  }
}

const std::vector<std::string> kGraphHead = {"layers=8,5", "jump=true", "raw_sums=true",
                                             "graph_norm=true"};

TEST(GraphHead, GradientsAreSlopesWithAllOfItsOptions) {
  constexpr double h = 1e-6;
  for (const char* method : {"mgnn", "gcn", "gin", "gat", "mixhop"})
    for (const char* readout : {"readout=sum", "readout=attention"}) {
      const Graph graph = random_graph(9, 0.3, 3);
      Network net(method, with(kGraphHead, readout), graph, random_features(9, 4, 1), 2,
                  Level::graph, {0, 3, 7, 9});
      net.output_and_gradient();
      const Array<double> grad(net.weights.grad.begin(), net.weights.grad.end());
      for (const NamedParameter& p : net.weights.all) {
        if (!p.learns || p.size() == 0) continue;
        const auto i = size_t(p.at + p.size() / 2);
        const double before = net.weights.value[i];
        const auto running = net.weights.value;
        const auto loss_at = [&](double value) {
          net.weights.value = running;
          net.weights.value[i] = value;
          net.output_and_gradient();
          return net.loss();
        };
        const double slope = (loss_at(before + h) - loss_at(before - h)) / (2 * h);
        net.weights.value = running;
        EXPECT_NEAR(grad[i], slope, 2e-5 * (1 + std::abs(slope))) << method << " " << p.name;
      }
    }
}

// Columns of the graph vectors: last layer, first layer, sums of features.
TEST(GraphHead, HasSumsOfFeaturesAndOfAllLayers) {
  const Graph graph = random_graph(9, 0.3, 3);
  const Matrix x = random_features(9, 4, 1);
  Network net("gcn", {"layers=3,2", "jump=true", "raw_sums=true"}, graph, x, 2, Level::graph,
              {0, 3, 9});
  Network last("gcn", {"layers=3,2"}, graph, x, 2, Level::graph, {0, 3, 9});
  const auto vectors = [](Network& of) {
    Tape<double> tape;
    tape.start_evaluation();
    Step<double> step(tape, of.weights, of.batch);
    const Var<double> out = of.model->forward(step).representation;
    MatrixOf<double> copy(out.rows, out.cols);
    std::copy_n(out.value, out.size(), copy.data.begin());
    return copy;
  };
  const MatrixOf<double> all = vectors(net), plain = vectors(last);
  ASSERT_EQ(all.cols, 2 + 3 + 4);
  for (int64_t c = 0; c < 2; c++) EXPECT_NEAR(all(1, c), plain(1, c), 1e-9);
  for (int64_t c = 0; c < 4; c++) {
    double sum = 0;
    for (int64_t v = 3; v < 9; v++) sum += double(x(v, c));
    EXPECT_NEAR(all(1, 5 + c), sum, 1e-9);
  }
}

TEST(GraphHead, OptionsOfGraphsAreRefusedForNodes) {
  const Graph graph = random_graph(5, 0.3, 1);
  for (const char* setting : {"jump=true", "raw_sums=true", "graph_norm=true"})
    EXPECT_NE(testing::error_of([&] {
                Network("gcn", {"layers=3,3", setting}, graph, random_features(5, 2, 1), 2);
              }).find("for sets of graphs, not for nodes"),
              std::string::npos)
        << setting;
  EXPECT_NE(testing::error_of([&] {
              Network("gcn", {"jump=true"}, graph, random_features(5, 2, 1), 2, Level::graph);
            }).find("use several layers"),
            std::string::npos);
}

// √(6 / fan) with PyTorch's fans of (in, out) weights; 40 columns in, layers of 16, 6 of each
// motif.
TEST(Mgnn, BeginsAsTheReleasedCode) {
  const Graph graph = random_graph(6, 0.5, 1);
  const Matrix x = random_features(6, 40, 1);
  const auto largest = [&](bool released, Level level, const std::string& weight) {
    const std::string as = released ? "released_init=true" : "released_init=false";
    Network net("mgnn", {"base_init=kaiming-uniform", "delta_init=kaiming-uniform", as}, graph, x,
                3, level, level == Level::graph ? Array<Offset>{0, 6} : Array<Offset>{});
    double most = 0;
    for (const NamedParameter& p : net.weights.all)
      if (p.name == "layer1." + weight)
        for (int64_t i = 0; i < p.size(); i++)
          most = std::max(most, std::abs(net.weights.value_of(p)[i]));
    return most;
  };
  for (const Level level : {Level::node, Level::graph}) {
    const double fan = level == Level::node ? 40 * 16 : 16;
    EXPECT_NEAR(largest(true, level, "weight"), std::sqrt(6 / fan), 0.03 * std::sqrt(6 / fan));
    EXPECT_NEAR(largest(true, level, "root.weight"), std::sqrt(6. / 16), 0.02);
    EXPECT_NEAR(largest(true, level, "motif.weight"), 1, 0.1);
    EXPECT_NEAR(largest(true, level, "others.weight"), 1, 0.01);
    EXPECT_EQ(largest(true, level, "motif.bias"), 0);
    EXPECT_EQ(largest(true, level, "others.bias"), 0);
    EXPECT_NEAR(largest(false, level, "weight"), std::sqrt(6. / 40), 0.02);
    EXPECT_NEAR(largest(false, level, "others.weight"), std::sqrt(6. / (13 * 16)), 0.01);
    EXPECT_GT(largest(false, level, "others.bias"), 0);
  }
}

// Lemma 2: two triangles and a six-cycle, all nodes alike.
TEST(Mgnn, DistinguishesTwoTrianglesFromASixCycle) {
  Array<Edge> edges;
  const auto join = [&](NodeId u, NodeId v) {
    edges.push_back({u, v});
    edges.push_back({v, u});
  };
  for (NodeId i = 0; i < 3; i++) join(i, (i + 1) % 3), join(3 + i, 3 + (i + 1) % 3);
  for (NodeId i = 0; i < 6; i++) join(6 + i, 6 + (i + 1) % 6);
  const Graph graph = make_graph(12, std::move(edges));
  Matrix x(12, 2);
  std::fill(x.data.begin(), x.data.end(), 1.f);
  const auto apart = [&](const std::string& method, const std::vector<std::string>& settings) {
    Network net(method, settings, graph, x, 4, Level::graph, {0, 6, 12});
    const MatrixOf<double> out = net.output();
    return largest_difference(&out.data[0], &out.data[4], 4);
  };
  EXPECT_GT(apart("mgnn", {}), 1e-3);
  EXPECT_LT(apart("mgnn", {"motifs=none"}), 1e-12);
  EXPECT_LT(apart("gcn", {}), 1e-12);
}

// Lemma 1: with the other motifs left out of account, the simplified layer is a standard one. On
// a graph of degree r every (A_13)_ij is 2 (r - 1), which W can absorb.
TEST(Mgnn, SimplifiedLayerIsAStandardLayer) {
  constexpr NodeId n = 11;
  constexpr int64_t width = 3;
  Array<Edge> edges;
  for (NodeId i = 0; i < n; i++)
    for (const NodeId step : {1, 3}) {
      edges.push_back({i, (i + step) % n});
      edges.push_back({(i + step) % n, i});
    }
  const Graph graph = make_graph(n, std::move(edges));
  const Matrix x = random_features(n, 4, 2);
  Network net("mgnn", {"base=none", "delta=false", "normalisation=none", "bias=false", "layers=3"},
              graph, x, 2);
  Tape<double> tape;
  tape.start_evaluation();
  Step<double> step(tape, net.weights, net.batch);
  const Var<double> h = net.model->forward(step).representation;
  ASSERT_EQ(h.cols, 13 * width);
  const double* w = net.weights.value_of(net.weights.all[0]);  // (4, 3)
  for (NodeId v = 0; v < n; v++)
    for (int64_t c = 0; c < width; c++) {
      double sum = 0;
      for (const NodeId i : graph.in.row(v))
        for (int64_t a = 0; a < 4; a++) sum += double(x(i, a)) * w[a * width + c];
      EXPECT_NEAR(h(v, 12 * width + c), 6 * std::max(sum, 0.), 1e-9);
    }
}

TEST(Mgnn, TakesGraphsWithoutArcsAndSingleNodes) {
  for (const NodeId n : {1, 4}) {
    Network net("mgnn", {}, make_graph(n, {}), random_features(n, 3, 1), 2);
    for (const double v : net.output().data) EXPECT_TRUE(std::isfinite(v));
  }
}

TEST(Mgnn, MotifBlocksAreColumnsOfTheRepresentation) {
  const Graph graph = random_graph(12, 0.3, 1);
  const Matrix x = random_features(12, 4, 1);
  Network net("mgnn", {"motifs=1,5,13", "per_motif=2", "layers=5,3"}, graph, x, 2);
  const std::vector<MotifBlock> blocks = net.model->motif_blocks();
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[2].motif, 13);
  EXPECT_EQ(blocks[2].first, 4);
  EXPECT_EQ(blocks[2].count, 2);
  EXPECT_EQ(net.model->output_layer().weight.rows, 6);
  for (const char* setting : {"combine=sum", "motifs=none"})
    EXPECT_TRUE(Network("mgnn", {setting}, graph, x, 2).model->motif_blocks().empty());
  Network graphs("mgnn", {}, graph, x, 2, Level::graph);
  EXPECT_TRUE(graphs.model->motif_blocks().empty());
}

// In every form of the operators, and only while it is removed.
TEST(Mgnn, RemovesAMotif) {
  const Graph graph = random_graph(12, 0.3, 1);
  const Matrix x = random_features(12, 4, 1);
  const auto without = [&](const std::vector<std::string>& settings, int motif) {
    Network net("mgnn", with(settings, "motifs=4,5,9"), graph, x, 2);
    const MatrixOf<double> before = net.output();
    MatrixOf<double> removed;
    {
      const ScopedMotifRemoval removal(net.batch.operators, motif);
      removed = net.output();
    }
    EXPECT_EQ(net.output().data, before.data);
    EXPECT_GT(largest_difference(&removed.data[0], &before.data[0], before.data.size()), 1e-6);
    return removed;
  };
  for (const int motif : {5, 9}) {
    const MatrixOf<double> fused = without({"fused=true"}, motif),
                           plain = without({"fused=false"}, motif);
    EXPECT_LT(largest_difference(&fused.data[0], &plain.data[0], fused.data.size()), 1e-9);
    without({"attention=true"}, motif);
    without({"delta=false", "aggregate=max"}, motif);
  }
}

TEST(Mgnn, RefusesInvalidOptions) {
  const Graph graph = random_graph(5, 0.3, 1);
  const auto build = [&](const std::string& setting) {
    return testing::error_of(
        [&] { Network("mgnn", {setting}, graph, random_features(5, 2, 1), 2); });
  };
  EXPECT_NE(build("input_dropout=1").find("input_dropout"), std::string::npos);
  EXPECT_NE(build("layers=[]").find("use at least one"), std::string::npos);
  EXPECT_NE(build("per_motif=0").find("per_motif"), std::string::npos);
  EXPECT_NE(build("gate=sigmod").find("did you mean sigmoid"), std::string::npos);
  EXPECT_NE(build("motifs=14").find("14"), std::string::npos);
}

}  // namespace
}  // namespace mgnn
