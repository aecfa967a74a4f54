#include "mgnn/task/link_prediction.h"

#include <cmath>

#include "mgnn/base/parallel.h"
#include "mgnn/models/methods.h"
#include "mgnn/task/input_scale.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/trained_model.h"
#include "tests/task/links.h"

namespace mgnn {
namespace {

using testing::blocks_of, testing::error_of, testing::link_config, testing::plain,
    testing::random_graph, testing::TempDir, testing::toykg, testing::trained;

TEST(LinkPrediction, FindsBlocks) {
  const Dataset blocks = blocks_of(120, 2, 0.2, 0.01, 1);
  const ModelMaker make = [] {
    std::unique_ptr<Model> model = make_gcn();
    set_option(model->options(), "dropout=0");
    set_option(model->options(), "input_dropout=0");
    return model;
  };
  for (const char* decoder : {"inner", "bilinear", "source-target"}) {
    RunOptions options{.training = {.epochs = 200, .patience = 0}};
    LinkOptions link;
    options.training.weight_decay = 0;
    set_option(link_options(link), std::string("decoder=") + decoder);
    const Result result = link_prediction(blocks, make, link, options);
    EXPECT_GT(result.test().mean, 0.65) << decoder;  // chance is 0.5, the blocks' best about 0.75
  }
}

TEST(LinkPrediction, SameSeedSameWeightsForAnyThreads) {
  const auto config = link_config({"train.epochs=5", "model.layers=4", "seeds=2"});
  set_num_threads(1);
  const Result one = trained(*config);
  set_num_threads(4);
  const Result four = trained(*config);
  set_num_threads(0);
  for (size_t r = 0; r < 2; r++) {
    EXPECT_TRUE(one.runs[r].state.best_weights == four.runs[r].state.best_weights);
    EXPECT_EQ(one.runs[r].test.metric, four.runs[r].test.metric);
  }
  EXPECT_TRUE(one.runs[0].state.best_weights != one.runs[1].state.best_weights);
}

TEST(LinkPrediction, InterruptedRunsGoOn) {
  const TempDir dir;
  const auto config = link_config({"train.epochs=6", "model.layers=4"});
  const Dataset data = load_for_training(*config);
  const Result whole = run_task(*config, data);
  const RunFolder folder = RunFolder::create(dir / "run", *config, false);
  const auto half = link_config({"train.epochs=3", "model.layers=4"});
  run_task(*half, data, folder.callbacks(3, false, data));
  // The checkpoint says that the shorter run is done; as if it had been stopped there:
  TrainingCallbacks watch = folder.callbacks(0, true, data);
  const auto restore = watch.restore;
  watch.restore = [&](size_t run, Repetition& state) {
    restore(run, state);
    state.state.done = false;
  };
  const Result resumed = run_task(*config, data, watch);
  EXPECT_TRUE(whole.runs[0].state.weights.value == resumed.runs[0].state.weights.value);
}

TEST(LinkPrediction, ModelFilesGiveTheSameScores) {
  const TempDir dir;
  for (const char* decoder : {"inner", "bilinear", "source-target"}) {
    const auto config = link_config({"train.epochs=4", "model.layers=4", "link.relation=treats",
                                     std::string("link.decoder=") + decoder});
    const Dataset data = load_for_training(*config);
    const Result result = run_task(*config, data);
    write_model(dir / "m", *config, data, result, true);
    TrainedModel model = read_model(dir / "m");
    EXPECT_TRUE(predict(model, data).output.data == result.output.data) << decoder;
    EXPECT_EQ(model.fitted, result.runs[0].fitted);
    Dataset other = data;
    other.graph = random_graph(data.graph.num_nodes(), 0.01, 1);
    EXPECT_TRUE(error_of([&] {
                  predict(model, other);
                }).starts_with("toykg: is not the data that the model was trained on"));
  }
}

// All nodes are seen in training: what is missing gets the median of all, numbers their scale; both are stored.
TEST(LinkPrediction, FeaturesAreFilledAndScaledAsStored) {
  const TempDir dir;
  std::string nodes = "id,age,colour\n";
  for (NodeId u = 0; u < 150; u++)
    nodes += fmt::format("{},{},{}\n", u, u == 7 ? "NA" : std::to_string(1000 + u * u % 97),
                         u % 2 ? "red" : "blue");
  const std::string edges = dir.file("e.tsv", [] {
    std::string text;
    for (const Edge& e : arcs(random_graph(150, 0.05, 3)))
      text += fmt::format("{}\t{}\n", e.from, e.to);
    return text;
  }());
  const auto config = link_config({"train.epochs=4", "model.name=gcn", "data.source=" + edges,
                                   "data.nodes=" + dir.file("n.csv", nodes)});
  const Dataset data = load_for_training(*config);
  const Result result = run_task(*config, data);
  const ColumnScale scale = scale_in(result.best_run().state.weights);
  ASSERT_EQ(scale.mean.size(), 4u);  // age, two colours, age=(missing)
  EXPECT_GT(scale.mean[0], 1000);
  EXPECT_LT(scale.factor[0], 0.1);
  EXPECT_GT(scale.fill[0], 1000);
  EXPECT_EQ(scale.factor[1], 1);
  for (const float x : result.output.data) ASSERT_TRUE(std::isfinite(x));
  write_model(dir / "m", *config, data, result, true);
  TrainedModel model = read_model(dir / "m");
  EXPECT_EQ(scale_in(model.weights).fill, scale.fill);
  EXPECT_TRUE(predict(model, load_for_prediction(model)).output.data == result.output.data);
}

TEST(LinkPrediction, ListsOfPairs) {
  const TempDir dir;
  Dataset data = plain(random_graph(3, 0.9, 1));
  for (const char* name : {"007", "8", "nine"}) data.ids.push_back(std::string(name));
  const auto pairs = [&](const char* text) {
    std::vector<std::string> unknown;
    const NodePairs read = read_pairs(dir.file("p.csv", text), data, unknown);
    std::string result;
    for (size_t i = 0; i < read.size(); i++)
      result += fmt::format("{}>{} ", data.ids.name(read.from[i]), data.ids.name(read.to[i]));
    for (const std::string& id : unknown) result += id + "? ";
    return result;
  };
  EXPECT_EQ(pairs("8,007\n007,nine\n8,7\n"), "8>007 007>nine 7? ");
  EXPECT_EQ(pairs("\xef\xbb\xbftarget;source\r\n8;nine\r\n"), "nine>8 ");
  EXPECT_EQ(error_of([&] { pairs("8,007,x\nnine,8,y\n"); }),
            dir / "p.csv" +
                ":1: has 3 columns, and nothing says which two are the ends of an edge; a list of "
                "pairs has two columns of ids as in the data, or a header with source and target");
}

TEST(LinkPrediction, AutoMeansLinksWhereThereAreNoLabels) {
  const auto task_for = [](const Dataset& dataset, Settings settings) {
    const std::unique_ptr<Config> config = resolve_config({.sets = std::move(settings)});
    choose_task(*config, dataset);
    return config->task_name;
  };
  EXPECT_EQ(task_for(plain(random_graph(9, 0.4, 1)), {}), "link");
  EXPECT_EQ(task_for(load_dataset("roles"), {}), "node");
  EXPECT_EQ(task_for(load_dataset("triads"), {}), "graph");
  EXPECT_EQ(task_for(toykg(), {"relation=treats"}), "link");
  const auto config = resolve_config({.sets = {"task=link"}});
  EXPECT_EQ(error_of([&] { run_task(*config, load_dataset("triads")); }),
            "triads is a set of graphs; links are predicted in one graph");
}

}  // namespace
}  // namespace mgnn
