#include <gtest/gtest.h>

#include "mgnn/base/parallel.h"
#include "mgnn/data/embedded.h"
#include "mgnn/task/metrics.h"
#include "mgnn/task/task.h"
#include "mgnn/task/tasks.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::TempDir;

TEST(MultilabelScores, AreThoseOfTheirDefinitions) {
  Matrix logits(4, 3);
  logits.data = {1,  -1, 2,    // answers 0, 2; has 0
                 -1, 3,  -2,   // answers 1; has 1, 2
                 2,  1,  1,    // answers all; has all
                 -3, -1, -1};  // answers none; row is not asked
  const std::vector<float> has = {1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
  const std::vector<NodeId> rows = {0, 1, 2};
  const MultilabelScores scores = multilabel_scores(logits, has, rows);
  // Right: 0; 1; 0, 1, 2. Answered 6, true 6.
  EXPECT_DOUBLE_EQ(scores.micro_f1, 2 * 5. / 12);
  EXPECT_DOUBLE_EQ(scores.macro_f1, (1 + 1 + 0.5) / 3);
  // Label 0: 1, 2 above -1. Label 1: 3, 1 above -1. Label 2: -2 and 1 against 2, both below.
  EXPECT_DOUBLE_EQ(scores.auroc, (1 + 1 + 0.) / 3);
  const std::vector<ClassScores> labels = label_scores(logits, has, rows);
  EXPECT_EQ(labels[2].count, 2);
  EXPECT_DOUBLE_EQ(labels[2].precision, 0.5);
  EXPECT_DOUBLE_EQ(labels[2].recall, 0.5);
  const MultilabelScores none = multilabel_scores(logits, has, {});
  EXPECT_EQ(none.micro_f1, 0);
  EXPECT_EQ(none.auroc, 0.5);
}

// Labels by what the features say: "even" by one, "low" by another, so that half have two or none.
Dataset labelled() {
  Dataset data = embedded_dataset("roles", 3);
  const NodeId n = data.graph.num_nodes();
  Matrix x(n, 2);
  Rng rng(4);
  data.label.clear();
  data.splits.clear();
  data.class_names = {"even", "low", "always"};
  for (NodeId i = 0; i < n; i++) {
    x(i, 0) = float(rng.below(2));
    x(i, 1) = float(rng.below(2));
    data.label_set.push_back({});
    if (x(i, 0) > 0) data.label_set.back().push_back(0);
    if (x(i, 1) > 0) data.label_set.back().push_back(1);
    data.label_set.back().push_back(2);
  }
  data.label_set[7].clear();  // unknown
  data.features = x;
  data.feature_names = {"a", "b"};
  data.num_attributes = 2;
  return data;
}

std::unique_ptr<Config> config_of(Settings settings) {
  ConfigLayers layers;
  layers.flags = {"data.source=roles", "model.name=sage", "profile=none", "train.epochs=60"};
  layers.sets = std::move(settings);
  return resolve_config(std::move(layers));
}

TEST(Multilabel, IsChosenLearnedStoredAndPredicted) {
  const Dataset data = labelled();
  const auto config = config_of({"seeds=2"});
  const Result result = run_task(*config, data);
  EXPECT_EQ(config->task_name, "node-multilabel");
  EXPECT_EQ(result.metric.name, "micro_f1");
  for (const Repetition& run : result.runs) {
    EXPECT_GT(run.test.metric, 0.95);
    EXPECT_GT(run.test.metric, run.extra_metrics.at("usual_labels"));
    EXPECT_GT(run.extra_metrics.at("auroc"), 0.95);
    for (const auto* part : {&run.split.train, &run.split.validation, &run.split.test})
      EXPECT_EQ(std::find(part->begin(), part->end(), 7), part->end());
    // The scores again, from the outputs of the best run.
    if (&run != &result.best_run()) continue;
    std::vector<float> has(size_t(result.output.rows * 3));
    for (size_t i = 0; i < data.label_set.size(); i++)
      for (const int32_t label : data.label_set[i]) has[i * 3 + size_t(label)] = 1;
    EXPECT_DOUBLE_EQ(multilabel_scores(result.output, has, run.split.test).micro_f1,
                     run.test.metric);
  }
  const TempDir dir;
  write_model(dir / "m.safetensors", *config, data, result, false);
  TrainedModel model = read_model(dir / "m.safetensors");
  const PredictSummary summary = write_predictions(model, data, {.output = dir / "p.csv"});
  EXPECT_EQ(summary.known, data.graph.num_nodes() - 1);
  EXPECT_GT(summary.scores.at("micro_f1"), 0.95);
  const std::string text = testing::content_of(dir / "p.csv");
  EXPECT_TRUE(text.starts_with("id,predicted,labels,split,p(even),p(low),p(always)\n")) << text;
  EXPECT_NE(text.find("even|low|always,even|low|always"), std::string::npos);
}

TEST(Multilabel, DoesNotDependOnThreads) {
  const Dataset data = labelled();
  std::vector<std::vector<float>> outputs;
  for (const int threads : {1, 3}) {
    set_num_threads(threads);
    const Result result = run_task(*config_of({"train.epochs=5"}), data);
    outputs.emplace_back(result.output.data.begin(), result.output.data.end());
  }
  set_num_threads(0);
  EXPECT_EQ(outputs[0], outputs[1]);
}

TEST(Multilabel, NeedsLabels) {
  Dataset data = labelled();
  for (auto& labels : data.label_set) labels.clear();
  EXPECT_NE(error_of([&] { run_task(*config_of({}), data); }).find("no items with several labels"),
            std::string::npos);
}

}  // namespace
}  // namespace mgnn
