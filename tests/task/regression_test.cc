#include "mgnn/task/regression.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mgnn/models/model.h"
#include "mgnn/models/trees.h"
#include "mgnn/task/config.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/tasks.h"
#include "mgnn/task/trained_model.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph, testing::TempDir;

// The number of a node is 1000 + 50 times its first feature: far from the scale of weights. Every
// tenth is not known.
Dataset numbered_nodes() {
  Rng rng(1);
  Dataset d;
  d.name = "numbered";
  d.graph = random_graph(200, 0.02, 1);
  Matrix x(200, 3);
  for (float& v : x.data) v = float(rng.normal());
  for (NodeId u = 0; u < 200; u++)
    d.target.push_back(u % 10 == 9 ? NAN : 1000 + 50 * double(x(u, 0)));
  d.features = x;
  d.num_attributes = 3;
  d.features_from = "made";
  validate(d);
  return d;
}

// Of a graph: the mean of a feature of its nodes.
Dataset numbered_graphs() {
  Rng rng(2);
  Dataset d;
  d.name = "numbered graphs";
  d.graph_start = {0};
  Array<Edge> edges;
  for (NodeId g = 0; g < 60; g++) {
    const NodeId first = d.graph_start.back();
    for (NodeId u = 1; u < 4; u++)
      edges.insert(edges.end(), {{first, first + u}, {first + u, first}});
    d.graph_start.push_back(first + 4);
  }
  d.graph = make_graph(d.graph_start.back(), std::move(edges));
  Matrix x(d.graph.num_nodes(), 1);
  for (NodeId g = 0; g < 60; g++) {
    const double y = rng.normal();
    for (NodeId u = 4 * g; u < 4 * g + 4; u++) x(u, 0) = float(y);
    d.target.push_back(-5 + 2 * y);
  }
  d.features = x;
  d.num_attributes = 1;
  d.features_from = "made";
  validate(d);
  return d;
}

std::unique_ptr<Config> config_with(Settings settings) {
  ConfigLayers layers;
  layers.flags = {"model.name=sage", "train.epochs=150",      "train.patience=0",
                  "model.dropout=0", "model.input_dropout=0", "train.weight_decay=0"};
  layers.sets = std::move(settings);
  return resolve_config(std::move(layers));
}

TEST(Metrics, RegressionScoresByHand) {
  const std::vector<double> y = {1, 2, 3, 6}, predicted = {1, 3, 3, 3};
  const RegressionScores scores = regression_scores(predicted, y);
  EXPECT_DOUBLE_EQ(scores.mae, 1);
  EXPECT_DOUBLE_EQ(scores.rmse, std::sqrt(10. / 4));
  EXPECT_DOUBLE_EQ(scores.r2, 1 - 10. / 14);
  EXPECT_EQ(regression_scores({}, {}).mae, 0);
  EXPECT_EQ(regression_scores(y, std::vector<double>{2, 2, 2, 2}).r2, 0);
}

TEST(Regression, LearnsNumbersOfNodesAndGraphs) {
  for (const Dataset& data : {numbered_nodes(), numbered_graphs()})
    for (const char* loss : {"loss=squared", "loss=huber"}) {
      const auto config = config_with({loss});
      const Result result = run_task(*config, data);
      EXPECT_EQ(result.task, data.is_set() ? "graph-regression" : "node-regression");
      EXPECT_EQ(result.metric.name, "mae");
      EXPECT_FALSE(result.metric.larger_is_better);
      EXPECT_GT(result.extra_metric("r2").mean, 0.8) << data.name << " " << loss;
      // The best epoch is the one with the smallest error or loss.
      for (const EpochRecord& record : result.runs[0].state.history) {
        const Scores& best = result.runs[0].state.best.validation;
        EXPECT_TRUE(data.is_set() ? record.validation.loss >= best.loss
                                  : record.validation.metric >= best.metric);
      }
      for (const NodeId i : result.runs[0].split.test) EXPECT_FALSE(std::isnan(data.target[i]));
    }
}

// Scores of the best run follow from its outputs, in the units of the data.
TEST(Regression, ScoresAreOnTheScaleOfTheData) {
  const Dataset data = numbered_nodes();
  const auto config = config_with({"train.epochs=5"});
  const Result result = run_task(*config, data);
  const Repetition& run = result.runs[0];
  std::vector<double> predicted, y;
  for (const NodeId i : run.split.test) {
    predicted.push_back(run.fitted.at("mean") +
                        run.fitted.at("deviation") * double(result.output(i, 0)));
    y.push_back(data.target[i]);
  }
  const RegressionScores scores = regression_scores(predicted, y);
  EXPECT_NEAR(scores.mae, run.test.metric, 1e-3);
  EXPECT_NEAR(scores.rmse, run.extra_metrics.at("rmse"), 1e-3);
  EXPECT_NEAR(scores.r2, run.extra_metrics.at("r2"), 1e-5);
  double mean = 0;
  for (const NodeId i : run.split.train) mean += data.target[i] / double(run.split.train.size());
  EXPECT_NEAR(run.fitted.at("mean"), mean, 1e-9);
}

TEST(Regression, ModelFilesGiveTheSameNumbers) {
  const TempDir dir;
  const Dataset data = numbered_nodes();
  const auto config = config_with({"train.epochs=5"});
  const Result result = run_task(*config, data);
  write_model(dir / "m", *config, data, result, true);
  TrainedModel model = read_model(dir / "m");
  EXPECT_EQ(predict(model, data).output.data, result.output.data);
  EXPECT_EQ(model.fitted, result.runs[0].fitted);
  const PredictSummary summary =
      model.config->task().write_predictions(model, data, {.output = dir / "p.csv"});
  EXPECT_EQ(summary.count, 200);
  EXPECT_EQ(summary.known, 180);
  EXPECT_TRUE(summary.scores.contains("r2"));
}

TEST(Regression, InterruptedRunsGoOn) {
  const TempDir dir;
  const Dataset data = numbered_nodes();
  const auto config = config_with({"train.epochs=6"});
  const Result whole = run_task(*config, data);
  const RunFolder folder = RunFolder::create(dir / "run", *config, false);
  run_task(*config_with({"train.epochs=3"}), data, folder.callbacks(3, false, data));
  TrainingCallbacks again = folder.callbacks(0, true, data);
  const auto restore = again.restore;
  again.restore = [&](size_t run, Repetition& state) {
    restore(run, state);
    state.state.done = false;
  };
  EXPECT_EQ(run_task(*config, data, again).runs[0].state.weights.value,
            whole.runs[0].state.weights.value);
}

TEST(Regression, BgnnIsRefused) {
  if (!has_trees()) GTEST_SKIP() << "built without XGBoost";
  const auto config = resolve_config({.sets = {"model.name=bgnn", "train.epochs=1"}});
  EXPECT_EQ(error_of([&] { run_task(*config, numbered_nodes()); }),
            "bgnn learns classes of nodes only; use another network");
}

TEST(Regression, SaysWhatIsMissing) {
  Dataset data = numbered_nodes();
  data.target.clear();
  const auto config = config_with({"task=node-regression"});
  EXPECT_NE(error_of([&] { run_task(*config, data); }).find("no numbers to learn"),
            std::string::npos);
}

// ---- a task of one's own: one class and one line

class Degrees : public RegressionTask {
 public:
  Suits suits(const Dataset&, const LoadOptions&) const override { return Suits::never; }
  void check(const Dataset&, const RunOptions&) const override {}
  Shape shape(const Dataset& dataset) const override {
    return {.in = num_features(dataset.features), .out = 1};
  }
  Result run(const Dataset& dataset, const ModelMaker& make_model, const RunOptions& options,
             const TrainingCallbacks& callbacks) const override {
    Dataset with_degrees = dataset;
    with_degrees.target.clear();
    for (NodeId u = 0; u < dataset.graph.num_nodes(); u++)
      with_degrees.target.push_back(double(dataset.graph.out.row_size(u)));
    return train_nodes(with_degrees, make_model, NumberSupervision(with_degrees, options_), options,
                       callbacks);
  }
  Prediction predict(TrainedModel& model, const Dataset& dataset) const override {
    return predict_nodes(model, dataset);
  }
};

TEST(Tasks, OneOfOnesOwnIsOneClassAndOneLine) {
  add_task({.name = "degrees",
            .title = "degree regression",
            .profiles = "regression",
            .default_data = "",
            .make = [] { return std::unique_ptr<Task>(std::make_unique<Degrees>()); }});
  const TempDir dir;
  const Dataset data = numbered_nodes();
  const auto config = config_with({"task=degrees", "degrees.loss=huber", "train.epochs=3"});
  const Result result = run_task(*config, data);
  EXPECT_EQ(result.task, "degrees");
  write_model(dir / "m", *config, data, result, true);
  TrainedModel model = read_model(dir / "m");
  EXPECT_EQ(predict(model, data).output.data, result.output.data);
  EXPECT_NE(toml_of(*model.config).find("[degrees]\nloss = \"huber\""), std::string::npos);
}

TEST(Tasks, SettingsOfOtherTasksAreRefused) {
  const Dataset data = numbered_nodes();
  const auto config = config_with({"task=node-regression", "relation=treats"});
  EXPECT_EQ(error_of([&] { run_task(*config, data); }),
            "link.relation is a setting of link prediction, but the task is node regression");
}

}  // namespace
}  // namespace mgnn
