#include "mgnn/task/class_outputs.h"

#include <gtest/gtest.h>

#include "mgnn/data/load.h"
#include "mgnn/task/classification.h"
#include "mgnn/task/config.h"
#include "mgnn/task/trained_model.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph, testing::TempDir;

Matrix random_probabilities(int64_t rows, int64_t cols, Rng& rng) {
  Matrix logits(rows, cols);
  for (float& x : logits.data) x = float(rng.normal());
  return softmax_rows(logits, 1);
}

// x of (I - strength D^-1 A) x = (1 - strength) start on the nodes that are not known, by elimination.
std::vector<double> solved(const Matrix& start, const Graph& graph, const KnownClasses& known,
                           double strength, int64_t column) {
  const auto n = size_t(start.rows);
  std::vector<std::vector<double>> a(n, std::vector<double>(n + 1, 0.));
  for (size_t v = 0; v < n; v++) {
    a[v][v] = 1;
    std::vector<NodeId> neighbours;
    for (size_t u = 0; u < n; u++)
      if (graph.has_arc(NodeId(u), NodeId(v)) || graph.has_arc(NodeId(v), NodeId(u)))
        neighbours.push_back(NodeId(u));
    const bool is_known = std::find(known.nodes.begin(), known.nodes.end(), v) != known.nodes.end();
    if (is_known) {
      a[v][n] = known.label[v] == column;
    } else if (neighbours.empty()) {
      a[v][n] = double(start(int64_t(v), column));
    } else {
      a[v][n] = (1 - strength) * double(start(int64_t(v), column));
      for (const NodeId u : neighbours) a[v][size_t(u)] -= strength / double(neighbours.size());
    }
  }
  for (size_t p = 0; p < n; p++)  // dominant diagonal: no pivots
    for (size_t r = 0; r < n; r++) {
      if (r == p) continue;
      const double factor = a[r][p] / a[p][p];
      for (size_t c = p; c <= n; c++) a[r][c] -= factor * a[p][c];
    }
  std::vector<double> x;
  for (size_t v = 0; v < n; v++) x.push_back(a[v][n] / a[v][v]);
  return x;
}

TEST(Smoothing, IsTheSolutionOfItsEquations) {
  Rng rng(3);
  for (const double strength : {0.1, 0.5, 0.8})
    for (uint64_t seed = 0; seed < 5; seed++) {
      const Graph graph = random_graph(24, 0.06, seed);
      const Matrix start = random_probabilities(24, 3, rng);
      std::vector<int32_t> label;
      for (int v = 0; v < 24; v++) label.push_back(int32_t(rng.below(3)));
      const std::vector<NodeId> nodes = {0, 5, 6, 17};
      const KnownClasses known{nodes, label};
      const Matrix smooth = smoothed_probabilities(start, graph, known, strength);
      for (int64_t c = 0; c < 3; c++) {
        const std::vector<double> expected = solved(start, graph, known, strength, c);
        for (int64_t v = 0; v < 24; v++) {
          const bool is_known = std::find(nodes.begin(), nodes.end(), v) != nodes.end();
          EXPECT_NEAR(smooth(v, c), is_known ? start(v, c) : expected[size_t(v)], 2e-3)
              << strength << " " << v;
        }
      }
    }
}

// Two cliques of one class each, and a bipartite graph in which neighbours are of the other class.
TEST(Smoothing, IsStrongWhereNeighboursAgreeAndOffWhereTheyDoNot) {
  for (const bool agree : {true, false}) {
    Array<Edge> edges;
    for (NodeId u = 0; u < 40; u++)
      for (NodeId v = 0; v < 40; v++)
        if (u != v && (u % 2 == v % 2) == agree) edges.push_back({u, v});
    const Graph graph = make_graph(40, std::move(edges));
    std::vector<int32_t> label;
    Rng rng(1);
    Matrix p(40, 2);
    for (NodeId v = 0; v < 40; v++) {
      label.push_back(v % 2);
      p(v, v % 2) = v % 5 == 0 ? 0.4f : 0.7f;  // a fifth is wrong
      p(v, 1 - v % 2) = 1 - p(v, v % 2);
    }
    std::vector<NodeId> known, validation;
    for (NodeId v = 0; v < 40; v++) (v < 10 ? known : validation).push_back(v);
    const double strength = best_smoothing(p, graph, {known, label}, validation);
    if (agree)
      EXPECT_GT(strength, 0);
    else
      EXPECT_EQ(strength, 0);
  }
}

// Nodes in pairs of groups of equal class whose features say little.
Dataset communities(uint64_t seed = 0) {
  constexpr NodeId kNodes = 300;
  Dataset dataset;
  dataset.name = "communities";
  Rng rng(seed);
  Array<Edge> edges;
  for (NodeId v = 0; v < kNodes; v++)
    for (int k = 0; k < 4; k++) {
      NodeId u = NodeId(rng.below(kNodes));
      if (rng.uniform() < 0.85) u = NodeId(u - u % 3 + v % 3) % kNodes;
      if (u != v) edges.push_back({v, u});
    }
  dataset.graph = build_graph(kNodes, std::move(edges), {.symmetrise = true}).graph;
  Matrix x(kNodes, 6);
  for (NodeId v = 0; v < kNodes; v++) {
    for (int64_t c = 0; c < 6; c++) x(v, c) = float(rng.normal());
    x(v, v % 3) += 0.7f;
    dataset.label.push_back(v % 3);
  }
  dataset.features = std::move(x);
  dataset.class_names = {"a", "b", "c"};
  return dataset;
}

std::unique_ptr<Config> config_of(Settings settings) {
  Settings sets = {"task=node", "model.name=gcn", "train.epochs=30", "train.patience=0"};
  sets.insert(sets.end(), settings.begin(), settings.end());
  return resolve_config({.sets = sets});
}

TEST(Smoothing, OfATrainingHelpsAndKnowsNoTestLabels) {
  const Dataset dataset = communities();
  const auto plain = config_of({"seeds=2", "model.base=none", "model.name=mgnn", "motifs=none"});
  const auto smooth = config_of(
      {"seeds=2", "model.base=none", "model.name=mgnn", "motifs=none", "node.smooth=auto"});
  const Result without = run_task(*plain, dataset), with = run_task(*smooth, dataset);
  EXPECT_GT(with.test().mean, without.test().mean + 0.05);
  EXPECT_GE(with.validation().mean, without.validation().mean);
  EXPECT_GT(with.best_run().fitted.at("smooth"), 0);
  EXPECT_EQ(with.marks(), ", smoothed");
  EXPECT_EQ(with.best_run().state.weights.value, without.runs[with.best].state.weights.value);
  Dataset other = dataset;
  for (const NodeId v : with.best_run().split.test)
    other.label[size_t(v)] = (other.label[size_t(v)] + 1) % 3;
  EXPECT_EQ(run_task(*smooth, other).output.data, with.output.data);
}

TEST(Smoothing, AStoredModelSmoothsTheTrainingGraphOnly) {
  const TempDir dir;
  const Dataset dataset = communities();
  for (const char* ensemble : {"node.ensemble=1", "node.ensemble=3"}) {
    const auto config = config_of({"node.smooth=0.6", ensemble, "seeds=2"});
    const Result result = run_task(*config, dataset);
    write_model(dir / "model.safetensors", *config, dataset, result, true);
    TrainedModel model = read_model(dir.path());
    EXPECT_EQ(predict(model, dataset).output.data, result.output.data) << ensemble;
    EXPECT_EQ(prepared_for_prediction(model, dataset).remarks, std::vector<std::string>{});

    // Without an arc it is another graph: the network alone answers, on its own scale.
    Dataset other = dataset;
    other.graph = make_graph(other.graph.num_nodes(), {});
    const Dataset ready = prepared_for_prediction(model, other);
    ASSERT_EQ(ready.remarks.size(), 1u);
    EXPECT_EQ(ready.remarks[0].find("predictions are not smoothed"), 0u) << ready.remarks[0];
    const Matrix alone = answers_of(model, predict(model, ready).output);
    Numbers fitted = model.fitted;
    fitted["smooth"] = 0;
    fitted["temperature"] = fitted.at("network_temperature");
    model.fitted = fitted;
    const Matrix expected = answers_of(model, predict(model, ready).output);
    for (size_t i = 0; i < alone.data.size(); i++)
      EXPECT_NEAR(alone.data[i], expected.data[i], 1e-5);
  }
}

TEST(Smoothing, InvalidStrengthsAreRefused) {
  for (const char* value : {"1", "-0.1", "much", "nan", ""})
    EXPECT_NE(error_of([&] {
                config_of({std::string("node.smooth=") + value});
              }).find("use auto or a number"),
              std::string::npos)
        << value;
}

TEST(Ensemble, IsTheMeanOfItsMembers) {
  const TempDir dir;
  const Dataset dataset = communities();
  const Result one = run_task(*config_of({}), dataset);
  const auto config = config_of({"node.ensemble=3", "seeds=2"});
  const Result result = run_task(*config, dataset);
  ASSERT_EQ(result.runs.size(), 2u);
  EXPECT_EQ(result.marks(), ", ensemble of 3");
  const Repetition& run = result.runs[0];
  ASSERT_EQ(run.others.size(), 2u);
  EXPECT_EQ(run.state.weights.value,
            one.runs[0].state.weights.value);  // the first is the seed's own
  EXPECT_NE(run.others[0].weights.value, run.state.weights.value);
  EXPECT_NE(run.others[0].weights.value, run.others[1].weights.value);
  EXPECT_EQ(result.epochs(), 2 * 3 * 30);
  EXPECT_EQ(run.split.test, one.runs[0].split.test);

  // Member by member as models of their own.
  Matrix mean(dataset.graph.num_nodes(), 3);
  Result alone = result;
  const Repetition& best = result.best_run();
  for (int m = 0; m < 3; m++) {
    Repetition& member = alone.runs[alone.best];
    member.others.clear();
    member.state = m == 0 ? best.state : best.others[size_t(m) - 1];
    member.fitted = {
        {"temperature", best.fitted.at("member_" + std::to_string(m + 1) + "_temperature")}};
    write_model(dir / "member.safetensors", *config, dataset, alone, true);
    TrainedModel model = read_model(dir / "member.safetensors");
    const Matrix p = answers_of(model, predict(model, dataset).output);
    for (size_t i = 0; i < p.data.size(); i++) mean.data[i] += p.data[i] / 3;
  }
  const Matrix joined = softmax_rows(result.output, 1);
  for (size_t i = 0; i < mean.data.size(); i++) EXPECT_NEAR(joined.data[i], mean.data[i], 1e-5);

  write_model(dir / "model.safetensors", *config, dataset, result, true);
  TrainedModel model = read_model(dir.path());
  ASSERT_EQ(model.others.size(), 2u);
  const Prediction prediction = predict(model, dataset);
  EXPECT_EQ(prediction.output.data, result.output.data);
  EXPECT_EQ(prediction.representation.data, result.representation.data);
  EXPECT_NE(error_of([&] { check_one_network(model, "x"); }).find("ensemble of 3"),
            std::string::npos);
  EXPECT_NE(error_of([&] { run_task(*config_of({"node.ensemble=0"}), dataset); }), "");
}

TEST(Ensemble, OfGraphsPredictsAsItsRunDid) {
  const TempDir dir;
  ConfigLayers layers;
  layers.flags = {"data.source=triads", "train.epochs=3", "data.folds=3", "graph.ensemble=2"};
  const auto config = resolve_config(layers);
  const Dataset dataset = load_for_training(*config);
  const Result result = run_task(*config, dataset);
  EXPECT_EQ(result.runs.size(), 3u);
  write_model(dir / "model.safetensors", *config, dataset, result, true);
  TrainedModel model = read_model(dir.path());
  EXPECT_EQ(predict(model, dataset).output.data, result.output.data);
}

// Validation never looks at weights that are not stored: the mean over epochs, made here anew.
TEST(WeightAveraging, IsTheExponentialMeanOverEpochs) {
  const Dataset dataset = communities();
  const auto config = config_of({"train.average=0.8", "train.epochs=12"});
  TrainingCallbacks watch;
  watch.checkpoint_every = 1;
  std::vector<double> mean;
  int epoch = 0;
  watch.checkpoint = [&](size_t, const Repetition& run) {
    const Array<float>& now = run.state.weights.value;
    if (run.state.epoch == epoch) return;  // the last one comes twice
    epoch = int(run.state.epoch);
    if (mean.empty()) mean.assign(now.size(), 0.);
    const double share = std::max(0.2, 1. / epoch);
    for (size_t i = 0; i < now.size(); i++) mean[i] += share * (double(now[i]) - mean[i]);
    ASSERT_EQ(run.state.average.size(), mean.size());
    for (size_t i = 0; i < mean.size(); i++) ASSERT_NEAR(run.state.average[i], mean[i], 1e-5);
  };
  const Result result = run_task(*config, dataset, watch);
  EXPECT_EQ(epoch, 12);
  EXPECT_NE(result.runs[0].state.weights.value,
            run_task(*config_of({"train.epochs=12"}), dataset).runs[0].state.weights.value);
  // The stored score is that of the stored weights.
  EXPECT_EQ(result.runs[0].validation.metric, result.runs[0].state.best.validation.metric);
  EXPECT_NE(error_of([&] {
              run_task(*config_of({"train.average=1"}), dataset);
            }).find("0 <= average < 1"),
            std::string::npos);
}

}  // namespace
}  // namespace mgnn
