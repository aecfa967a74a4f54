#include <numeric>

#include "mgnn/base/parallel.h"
#include "mgnn/data/embedded.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/splits.h"
#include "mgnn/models/model.h"
#include "mgnn/task/classification.h"
#include "mgnn/task/probe.h"
#include "mgnn/task/streams.h"
#include "mgnn/task/tasks.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

ModelMaker maker(const std::string& name, const std::vector<std::string>& settings = {}) {
  return [=] {
    std::unique_ptr<Model> model = find_method(name).make();
    for (const std::string& one : settings) set_option(model->options(), one);
    return model;
  };
}

// Graphs of few nodes, the class given by the mean of the first attribute.
Dataset small_set(int graphs, int classes, uint64_t seed = 1) {
  Rng rng(seed);
  Dataset d;
  d.name = "small";
  d.graph_start = {0};
  Array<Edge> edges;
  for (int g = 0; g < graphs; g++) {
    const NodeId first = d.graph_start.back(), nodes = NodeId(1 + rng.below(6));
    for (NodeId u = 1; u < nodes; u++)
      edges.insert(edges.end(), {{first, first + u}, {first + u, first}});
    d.graph_start.push_back(first + nodes);
    d.label.push_back(g % classes);
  }
  for (int c = 0; c < classes; c++) d.class_names.push_back(std::to_string(c));
  d.graph = make_graph(d.graph_start.back(), std::move(edges));
  Matrix x(d.graph.num_nodes(), 2);
  for (int g = 0; g < graphs; g++)
    for (NodeId u = d.graph_start[size_t(g)]; u < d.graph_start[size_t(g) + 1]; u++) {
      x(u, 0) = float(500 + 100 * d.label[size_t(g)] + 10 * rng.normal());
      x(u, 1) = 1;
    }
  d.features = x;
  d.num_attributes = 1;
  validate(d);
  return d;
}

Result graph_classification(const Dataset& dataset, const ModelMaker& make,
                            const RunOptions& options, const TrainingCallbacks& callbacks = {}) {
  const std::unique_ptr<Task> task = make_graph_classification();
  task->check(dataset, options);
  return task->run(dataset, make, options, callbacks);
}

RunOptions brief(int64_t epochs, int64_t folds = 3) {
  RunOptions options;
  options.split.folds = folds;
  options.training.epochs = epochs;
  return options;
}

TEST(GraphClassification, MotifsSolveTriadsAndMessagesDoNot) {
  const Dataset d = triads_dataset({.graphs = 90}, 0);
  const RunOptions options = brief(50);
  const Result mgnn = graph_classification(d, maker("mgnn"), options);
  EXPECT_GT(mgnn.seconds_inference, 0);
  EXPECT_GT(mgnn.test().mean, 0.97);
  EXPECT_EQ(mgnn.runs.size(), 3u);
  EXPECT_EQ(mgnn.output.rows, 90);
  EXPECT_EQ(mgnn.representation.rows, 90);
  // Every graph is tested once; the folds are equally large.
  const MatrixOf<int64_t> confusion = confusion_of(mgnn);
  EXPECT_EQ(std::accumulate(confusion.data.begin(), confusion.data.end(), int64_t(0)), 90);
  EXPECT_NEAR(double(confusion(0, 0) + confusion(1, 1) + confusion(2, 2)) / 90, mgnn.test().mean,
              1e-12);
  const Result gcn = graph_classification(d, maker("gcn"), options);
  EXPECT_LT(gcn.test().mean, 0.5);
}

TEST(GraphClassification, IsTheSameForAnyNumberOfThreadsAndBatchesOfOutput) {
  const Dataset d = triads_dataset({.graphs = 30}, 1);
  RunOptions options = brief(5);
  options.batch_size = 7;
  options.seeds = 2;
  set_num_threads(1);
  const Result one = graph_classification(d, maker("mgnn"), options);
  set_num_threads(3);
  const Result three = graph_classification(d, maker("mgnn"), options);
  set_num_threads(0);
  ASSERT_EQ(one.runs.size(), 6u);
  for (size_t r = 0; r < one.runs.size(); r++) {
    EXPECT_EQ(one.runs[r].state.weights.value, three.runs[r].state.weights.value);
    EXPECT_EQ(one.runs[r].test.loss, three.runs[r].test.loss);
  }
  EXPECT_EQ(one.output.data, three.output.data);
  EXPECT_NE(one.runs[0].state.weights.value, one.runs[1].state.weights.value);

  // The scores of the best run follow from its outputs for all graphs.
  const Repetition& best = one.runs[one.best];
  const LossAccuracy test = loss_accuracy(one.output, d.label, best.split.test);
  EXPECT_DOUBLE_EQ(test.accuracy, best.test.metric);
  EXPECT_NEAR(test.loss, best.test.loss, 1e-5);
}

TEST(GraphClassification, FoldsAreUsedAsTestOnceAndNeverOverlap) {
  const Dataset d = small_set(23, 2);
  RunOptions options = brief(1, 5);
  for (const uint64_t seed : {0, 1, 2}) {
    std::vector<int> tested(23, 0);
    for (const Split& split :
         select_splits(d, d.label, options.split, Rng(seed).split(kSplitStream), 0)) {
      std::vector<int> used(23, 0);
      for (const auto* part : {&split.train, &split.validation, &split.test})
        for (const NodeId g : *part) used[size_t(g)]++;
      EXPECT_EQ(used, std::vector<int>(23, 1));
      for (const NodeId g : split.test) tested[size_t(g)]++;
    }
    EXPECT_EQ(tested, std::vector<int>(23, 1));
  }
}

TEST(GraphClassification, FoldsOfScikitLearnDoNotDependOnTheSeed) {
  const Dataset d = small_set(23, 2);
  RunOptions options = brief(1, 5);
  options.split.name = "sklearn:12345";
  const std::vector<int> fold = sklearn_folds(d.label, 5, 12345);
  for (const uint64_t seed : {0, 1}) {
    const std::vector<Split> splits =
        select_splits(d, d.label, options.split, Rng(seed).split(kSplitStream), 0);
    ASSERT_EQ(splits.size(), 5u);
    for (int f = 0; f < 5; f++) {
      EXPECT_EQ(splits[size_t(f)].test, fold_split(fold, 5, f).test);
      EXPECT_EQ(splits[size_t(f)].validation, fold_split(fold, 5, f).validation);
    }
  }
}

TEST(GraphClassification, EmbeddingsAreJudgedOnTheSameFolds) {
  const Dataset d = small_set(23, 2);
  const std::vector<Split> splits = probe_splits(d, {.seeds = 3, .split = {.name = "sklearn:7"}});
  const std::vector<int> fold = sklearn_folds(d.label, 5, 7);
  ASSERT_EQ(splits.size(), 5u);  // the same for all seeds, so once
  EXPECT_EQ(probe_splits(d, {.seeds = 3}).size(), 15u);
  for (int f = 0; f < 5; f++) {
    EXPECT_EQ(splits[size_t(f)].test, fold_split(fold, 5, f).test);
    EXPECT_EQ(splits[size_t(f)].train.size() + splits[size_t(f)].test.size(), d.label.size());
  }
  EXPECT_NE(error_of([&] {
              probe_splits(d, {.seeds = 1, .split = {.name = "public"}});
            }).find("no split"),
            std::string::npos);
}

// The scale kept with the weights is that of the training graphs, whatever the others hold.
TEST(GraphClassification, ScaleIsLearnedFromTrainingGraphsAlone) {
  Dataset d = small_set(30, 2);
  const RunOptions options = brief(2);
  const Result before = graph_classification(d, maker("mgnn"), options);
  Matrix& x = std::get<Matrix>(d.features);
  const auto scale_of = [](const Repetition& run) {
    std::vector<float> numbers;
    for (const NamedParameter& p : run.state.weights.all)
      if (p.name == "input.mean" || p.name == "input.factor")
        numbers.push_back(*run.state.weights.value_of(p));
    return numbers;
  };
  for (const Repetition& run : before.runs) {
    double sum = 0, squares = 0, count = 0;
    for (const NodeId g : run.split.train)
      for (NodeId u = d.graph_start[size_t(g)]; u < d.graph_start[size_t(g) + 1]; u++) {
        sum += double(x(u, 0));
        squares += double(x(u, 0)) * double(x(u, 0));
        count++;
      }
    const double mean = sum / count, deviation = std::sqrt(squares / count - mean * mean);
    const std::vector<float> scale = scale_of(run);
    ASSERT_EQ(scale.size(), 2u);
    EXPECT_NEAR(scale[0], mean, 1e-3 * mean);
    EXPECT_NEAR(scale[1], 1 / deviation, 1e-3 / deviation);
  }
  // Test graphs of another world change neither scale nor weights.
  const Repetition& first = before.runs[0];
  for (const NodeId g : first.split.test)
    for (NodeId u = d.graph_start[size_t(g)]; u < d.graph_start[size_t(g) + 1]; u++) x(u, 0) = 1e6f;
  const Result after = graph_classification(d, maker("mgnn"), options);
  EXPECT_EQ(after.runs[0].state.weights.value, first.state.weights.value);
  EXPECT_NE(after.runs[1].state.weights.value, before.runs[1].state.weights.value);
}

TEST(GraphClassification, LearnsFromAttributesOnAnyScale) {
  const Dataset d = small_set(60, 2);
  RunOptions options = brief(60);
  const std::vector<std::string> settings = {"input_dropout=0", "dropout=0", "readout=mean"};
  EXPECT_GT(graph_classification(d, maker("mgnn", settings), options).test().mean, 0.95);
  options.standardise = false;
  const Result raw = graph_classification(d, maker("mgnn", settings), options);
  const Parameters& weights = raw.runs[0].state.weights;
  for (const NamedParameter& p : weights.all)
    for (int64_t i = 0; i < p.size() && (p.name == "input.mean" || p.name == "input.factor"); i++)
      EXPECT_EQ(weights.value_of(p)[i], p.name == "input.mean" ? 0 : 1);
}

TEST(GraphClassification, OddSetsHaveDefinedResults) {
  const auto finite = [](const Result& r) {
    for (const float v : r.output.data)
      if (!std::isfinite(v)) return false;
    return std::isfinite(r.test().mean) && std::isfinite(r.runs[0].test.loss);
  };
  const Dataset alone = small_set(5, 5);  // one graph of each class, so folds lack classes
  EXPECT_TRUE(finite(graph_classification(alone, maker("mgnn"), brief(3, 5))));

  Dataset edgeless = small_set(9, 3);
  edgeless.graph = make_graph(edgeless.graph.num_nodes(), {});
  Dataset single = edgeless;  // every graph one node
  single.graph = make_graph(9, {});
  single.graph_start.clear();
  for (NodeId g = 0; g <= 9; g++) single.graph_start.push_back(g);
  single.features = Matrix(9, 2);
  Dataset with_empty = small_set(9, 3);  // a graph of no nodes, and one without a label
  with_empty.graph_start.push_back(with_empty.graph_start.back());
  with_empty.label.push_back(-1);
  for (const Dataset* d : {&edgeless, &single, &with_empty}) {
    for (const char* readout : {"sum", "mean", "max", "attention"})
      for (const char* name : {"mgnn", "gcn"}) {
        const Result r =
            graph_classification(*d, maker(name, {std::string("readout=") + readout}), brief(2));
        EXPECT_TRUE(finite(r)) << name << " " << readout;
        EXPECT_EQ(r.output.rows, d->num_graphs());
      }
  }
}

TEST(GraphClassification, SaysWhatCannotBe) {
  const auto error = [](const Dataset& d, const RunOptions& options) {
    return error_of([&] { graph_classification(d, maker("mgnn"), options); });
  };
  EXPECT_EQ(error(karate_dataset(), brief(1)), "karate is one graph, not a set of graphs");
  EXPECT_EQ(error(small_set(2, 2), brief(1, 5)), "5 folds of 2 labelled items leave some empty");
  EXPECT_EQ(error(small_set(9, 2), brief(1, 2)),
            "folds is 2; one is for test and one for validation, so use at least 3");
  EXPECT_EQ(error(small_set(9, 1), brief(1)), "small: 1 class of graphs; at least two are needed");
  Dataset bare = small_set(9, 3);
  bare.features = {};
  bare.num_attributes = 0;
  EXPECT_EQ(error(bare, brief(1)), "small: nodes have no features");
  try {
    graph_classification(bare, maker("mgnn"), brief(1));
  } catch (const Error& refusal) {
    EXPECT_EQ(refusal.hint(), Hint(Hint::setting, "features=structure"));
  }
  bare = small_set(9, 3);
  bare.label.clear();
  EXPECT_EQ(error(bare, brief(1)), "small: graphs have no labels");
  RunOptions options = brief(1);
  options.split.name = "radnom";
  EXPECT_EQ(error(small_set(9, 3), options),
            "small: there is no split \"radnom\"; did you mean random?");
  options = brief(1);
  options.batch_size = 0;
  EXPECT_EQ(error(small_set(9, 3), options), "batch_size is 0; use at least 1");
}

TEST(GraphClassification, UsesTheDatasOwnSplits) {
  const Dataset d = triads_dataset({.graphs = 30}, 0);
  RunOptions options = brief(1);
  options.split.name = "fold";
  EXPECT_EQ(graph_classification(d, maker("gcn"), options).runs.size(), 5u);
  options.split.name = "fold 3";
  const Result one = graph_classification(d, maker("gcn"), options);
  ASSERT_EQ(one.runs.size(), 1u);
  EXPECT_EQ(one.runs[0].split.test, d.splits[3].test);
}

// A run that was stopped and taken up again ends with the same weights.
TEST(GraphClassification, GoesOnFromACheckpoint) {
  const Dataset d = triads_dataset({.graphs = 30}, 1);
  RunOptions options = brief(8);
  options.batch_size = 5;
  const Result whole = graph_classification(d, maker("mgnn"), options);
  std::vector<TrainingState> kept(3);
  TrainingCallbacks watch;
  watch.checkpoint_every = 3;
  watch.checkpoint = [&](size_t run, const Repetition& repetition) {
    if (repetition.state.epoch == 3) kept[run] = repetition.state;
  };
  graph_classification(d, maker("mgnn"), options, watch);
  TrainingCallbacks again;
  again.restore = [&](size_t run, Repetition& repetition) { repetition.state = kept[run]; };
  const Result resumed = graph_classification(d, maker("mgnn"), options, again);
  for (size_t r = 0; r < 3; r++) {
    EXPECT_EQ(kept[r].epoch, 3);
    EXPECT_EQ(resumed.runs[r].state.weights.value, whole.runs[r].state.weights.value);
  }
}

}  // namespace
}  // namespace mgnn
