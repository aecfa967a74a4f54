#include <gtest/gtest.h>

#include <filesystem>

#include "mgnn/base/memory.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/toml.h"
#include "mgnn/data/load.h"
#include "mgnn/task/checkpoint.h"
#include "mgnn/task/classification.h"
#include "mgnn/task/config.h"
#include "mgnn/task/profiles.h"
#include "mgnn/task/run_folder.h"
#include "mgnn/task/tasks.h"
#include "mgnn/task/trained_model.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::TempDir;

std::unique_ptr<Config> small_config(Settings settings = {}) {
  ConfigLayers layers;
  layers.flags = {"data.source=roles", "train.epochs=12", "train.patience=0", "model.layers=4"};
  layers.sets = std::move(settings);
  return resolve_config(layers);
}

const Dataset& roles() {
  static const Dataset dataset = load_dataset("roles");
  return dataset;
}

Array<float> trained_weights(Config& config, const TrainingCallbacks& watch = {}) {
  const Result result = run_task(config, roles(), watch);
  return result.runs[0].state.best_weights;
}

// A directed ring in which nothing tells the classes apart; every third node is of class b.
Dataset ring() {
  Dataset dataset;
  dataset.name = "ring";
  Array<Edge> edges;
  for (NodeId v = 0; v < 300; v++) edges.push_back({v, (v + 1) % 300});
  dataset.graph = make_graph(300, std::move(edges));
  dataset.features = Matrix(300, 1);
  std::get<Matrix>(dataset.features).data.assign(300, 1.f);
  for (NodeId v = 0; v < 300; v++) dataset.label.push_back(v % 3 == 2);
  dataset.class_names = {"a", "b"};
  return dataset;
}

// Without weights the best constant answer is the share of each class, with balanced ones a half.
TEST(NodeClassification, BalancedClassesWeighTheSame) {
  const Dataset dataset = ring();
  for (const std::string weights : {"none", "balanced"}) {
    const auto config = resolve_config({.sets = {"model.name=gcn",
                                                 "train.epochs=400",
                                                 "train.patience=0",
                                                 "train.weight_decay=0",
                                                 {"train.learning_rate", 0.05},
                                                 "model.input_dropout=0",
                                                 "model.dropout=0",
                                                 "task=node",
                                                 "data.standardise=false",
                                                 "class_weights=" + weights}});
    const Result result = run_task(*config, dataset);
    const std::vector<NodeId>& train = result.best_run().split.train;
    double b = 0;
    for (const NodeId v : train) b += dataset.label[v];
    const double expected = weights == "balanced" ? 0.5 : b / double(train.size());
    EXPECT_NEAR(softmax_rows(result.output, 1)(0, 1), expected, 0.06) << weights;
  }
}

TEST(NodeClassification, SameSeedSameWeightsForAnyThreads) {
  set_num_threads(1);
  const Array<float> one = trained_weights(*small_config());
  set_num_threads(4);
  const Array<float> four = trained_weights(*small_config());
  set_num_threads(0);
  EXPECT_EQ(one, four);
  EXPECT_NE(one, trained_weights(*small_config({"seed=1"})));
}

TEST(NodeClassification, SeedsAtOnceAreSeedsAlone) {
  const Result both = run_task(*small_config({"seeds=3"}), roles());
  const Result third = run_task(*small_config({"seed=2"}), roles());
  EXPECT_EQ(both.runs[2].state.best_weights, third.runs[0].state.best_weights);
  EXPECT_EQ(both.runs[2].test.metric, third.runs[0].test.metric);
}

TEST(NodeClassification, LookingLessOftenTrainsTheSame) {
  // The last epoch's weights do not depend on how often validation was looked at, nor on what
  // evaluation shared with training.
  for (const std::string dropout : {"model.input_dropout=0", "model.input_dropout=0.5"}) {
    const auto last = [&](const std::string& every) {
      const auto config = small_config({dropout, "model.motif_dropout=0", every});
      TrainingCallbacks watch;
      Array<float> weights;
      watch.checkpoint_every = 12;
      watch.checkpoint = [&](size_t, const Repetition& run) { weights = run.state.weights.value; };
      run_task(*config, roles(), watch);
      return weights;
    };
    EXPECT_EQ(last("train.eval_every=1"), last("train.eval_every=5")) << dropout;
  }
}

TEST(NodeClassification, TestLabelsHaveNoInfluence) {
  const auto config = small_config();
  Dataset other = roles();
  const Result before = run_task(*config, roles());
  for (const NodeId v : before.runs[0].split.test)
    other.label[size_t(v)] = (other.label[size_t(v)] + 1) % other.num_classes();
  const Result after = run_task(*config, other);
  EXPECT_EQ(before.runs[0].state.best_weights, after.runs[0].state.best_weights);
  EXPECT_EQ(before.runs[0].state.best.epoch, after.runs[0].state.best.epoch);
  EXPECT_NE(before.runs[0].test.metric, after.runs[0].test.metric);
}

// The memory of a training is compared with what there is before anything is computed.
TEST(NodeClassification, TooLittleMemoryIsSaidBeforeTheFirstStep) {
  const auto config = small_config({"model.name=gcn", {"model.layers", "16384"}});
  int64_t validated = 0;
  const TrainingCallbacks watch{.validated = [&](size_t, const EpochRecord&) { validated++; }};
  run_task(*small_config(), roles());  // what is made once and kept
  set_memory_limit(resident_memory_bytes() + (16 << 20));
  const std::string message = error_of([&] { run_task(*config, roles(), watch); });
  set_memory_limit(0);
  EXPECT_TRUE(message.starts_with("training: needs ")) << message;
  EXPECT_NE(message.find("use narrower layers"), message.npos) << message;
  EXPECT_EQ(validated, 0);
}

TEST(NodeClassification, ResumedRunsAreAsIfNeverInterrupted) {
  const TempDir dir;
  for (const char* extra :
       {"train.amsgrad=true", "train.schedule=plateau", "model.name=gcn", "train.average=0.8"}) {
    const auto config = small_config({extra});
    const std::string path = dir / "checkpoint.safetensors";
    TrainingCallbacks stop;  // leaves after 5 epochs, as kill -9 would
    stop.checkpoint_every = 5;
    struct Stopped {};
    stop.checkpoint = [&](size_t, const Repetition& run) {
      write_checkpoint(path, run, "data");
      throw Stopped();
    };
    EXPECT_THROW(run_task(*config, roles(), stop), Stopped);
    TrainingCallbacks again;
    again.restore = [&](size_t, Repetition& run) { read_checkpoint(path, run, "data"); };
    const Result resumed = run_task(*config, roles(), again), whole = run_task(*config, roles());
    EXPECT_EQ(resumed.runs[0].state.best_weights, whole.runs[0].state.best_weights) << extra;
    ASSERT_EQ(resumed.runs[0].state.history.size(), whole.runs[0].state.history.size());
    for (size_t i = 0; i < whole.runs[0].state.history.size(); i++) {
      const EpochRecord &a = resumed.runs[0].state.history[i], &b = whole.runs[0].state.history[i];
      EXPECT_EQ(a.train_loss, b.train_loss) << extra;
      EXPECT_EQ(a.validation.loss, b.validation.loss) << extra;
    }
  }
}

TEST(NodeClassification, StopsEarlyAndKeepsTheFirstBestEpoch) {
  const Result result = run_task(*small_config({"train.epochs=500", "train.patience=10"}), roles());
  const TrainingState& state = result.runs[0].state;
  EXPECT_EQ(state.epoch, state.best.epoch + 10);
  for (const EpochRecord& record : state.history)
    EXPECT_TRUE(record.validation.metric < state.best.validation.metric ||
                record.epoch >= state.best.epoch);
  EXPECT_EQ(result.runs[0].validation.metric, state.best.validation.metric);
}

TEST(NodeClassification, ALossThatIsNoNumberStopsWithItsEpoch) {
  bool kept = false;
  TrainingCallbacks watch;
  watch.checkpoint = [&](size_t, const Repetition& run) {
    kept = true;
    for (const float w : run.state.weights.value) EXPECT_TRUE(std::isfinite(w));
  };
  const std::string error = error_of([&] {
    run_task(*small_config({{"train.learning_rate", 1e18}, "model.gate=tanh"}), roles(), watch);
  });
  EXPECT_NE(error.find("became NaN or infinite in epoch"), std::string::npos) << error;
  EXPECT_TRUE(kept);
}

// Also where nothing was asked for by epochs: after every epoch if hardly any work may be lost.
// A disk that is full for a while costs no training.
TEST(NodeClassification, ACheckpointThatCannotBeWrittenIsAWarning) {
  const TempDir dir;
  const std::string prefix = dir / "checkpoint-", path = prefix + "0.safetensors";
  std::filesystem::create_directories(path + "/taken");
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& text) {
    warnings.push_back(text);
    if (warnings.size() == 2) std::filesystem::remove_all(path);
  };
  const auto config = small_config();  // of 12 epochs
  Result result = run_task(*config, roles(), checkpoints_at(prefix, {.every = 3, .warn = warn}));
  ASSERT_EQ(warnings.size(), 2) << ::testing::PrintToString(warnings);
  EXPECT_EQ(warnings[0].find(path), 0) << warnings[0];
  EXPECT_EQ(result.runs[0].state.epoch, 12);
  Repetition stored = result.runs[0];
  read_checkpoint(path, stored, "");  // of the third try, or a later one
  EXPECT_GE(stored.state.epoch, 9);
  EXPECT_NE(error_of([&] {
              std::filesystem::remove(path);
              std::filesystem::create_directories(path + "/taken");
              run_task(*config, roles(), checkpoints_at(prefix, {.every = 3}));
            }),
            "");
}

TEST(NodeClassification, CheckpointsAreMadeByTime) {
  for (const double seconds : {0., 1e-12, 1e12}) {
    int64_t checkpoints = 0;
    TrainingCallbacks watch;
    watch.checkpoint_seconds = seconds;
    watch.checkpoint = [&](size_t, const Repetition&) { checkpoints++; };
    const Result result = run_task(*small_config(), roles(), watch);
    if (seconds == 1e12)
      EXPECT_LE(checkpoints, 1);  // a training that is done may be worth keeping
    else
      EXPECT_EQ(checkpoints, seconds > 0 ? result.runs[0].state.epoch : 0) << seconds;
  }
}

TEST(NodeClassification, MgnnSolvesRolesAndGcnCannot) {
  const auto accuracy = [](const std::string& model) {
    ConfigLayers layers;
    layers.flags = {"data.source=roles", "model.name=" + model, "train.epochs=150"};
    return run_task(*resolve_config(layers), roles()).test().mean;
  };
  EXPECT_GT(accuracy("mgnn"), 0.95);
  EXPECT_LT(accuracy("gcn"), 0.5);
}

TEST(NodeClassification, DataThatCannotBeLearnedAreRefused) {
  Dataset data = roles();
  data.features = {};
  const auto config = small_config({"task=node"});
  EXPECT_NE(error_of([&] { run_task(*config, data); }).find("no features"), std::string::npos);
  data = roles();
  data.label.clear();
  EXPECT_NE(error_of([&] { run_task(*config, data); }).find("no labels"), std::string::npos);
  const auto split = small_config({"data.split=pubic"});
  EXPECT_NE(error_of([&] { run_task(*split, roles()); }).find("no split"), std::string::npos);
}

TEST(NodeClassification, TakesSplitsOfTheData) {
  Dataset data = roles();
  data.splits = {{"public", {0, 1, 2, 3}, {4, 5}, {6, 7, 8, 9}}};
  const auto run = [&](const char* split) {
    return run_task(*small_config({std::string("data.split=") + split}), data).runs[0].split;
  };
  EXPECT_EQ(run("public").test, data.splits[0].test);
  const Split halved = run("public-test");
  EXPECT_EQ(halved.validation.size() + halved.test.size(), 4u);
  EXPECT_GE(std::min(halved.validation[0], halved.test[0]), 6);
  EXPECT_EQ(NodeId(halved.train.size()), data.graph.num_nodes() - 4);
  data.label[5] = -1;
  EXPECT_EQ(run("public").validation, std::vector<NodeId>{4});  // who has no label is left out
  data.splits[0].validation.clear();
  const Split held_out = run("public");  // somebody must validate
  EXPECT_EQ(held_out.validation.size(), 1u);
  EXPECT_EQ(held_out.train.size(), 3u);
  data.splits[0].name = "table";
  EXPECT_EQ(run("auto").test, data.splits[0].test);
  EXPECT_EQ(split_note(data, data.label, {}),
            "roles: the split \"table\" of the data is used; split \"random\" chooses another; a "
            "fifth of its training items validate");
  data.splits[0].train = {1};
  EXPECT_TRUE(split_note(data, data.label, {}).ends_with("; nothing validates"));
}

TEST(ModelFile, PredictsAsTheRunDid) {
  const TempDir dir;
  const auto config = small_config();
  const Result result = run_task(*config, roles());
  write_model(dir / "model.safetensors", *config, roles(), result, true);
  TrainedModel model = read_model(dir.path());
  EXPECT_EQ(model.class_names, roles().class_names);
  EXPECT_EQ(model.weights.value, result.runs[0].state.best_weights);
  EXPECT_EQ(predict(model, roles()).output.data, result.output.data);
  Dataset other = roles();
  other.features = Matrix(other.graph.num_nodes(), 2);
  EXPECT_NE(error_of([&] { predict(model, other); }).find("has 2 features"), std::string::npos);
}

TEST(ModelFile, RemembersTheDirectionOfMessages) {
  const TempDir dir;
  Dataset data = roles();
  data.graph = testing::random_graph(data.graph.num_nodes(), 0.03, 11);
  std::vector<Array<float>> outputs;
  for (const char* direction : {"in", "out", "both"}) {
    ConfigLayers layers;
    layers.flags = {"data.source=roles", "model.name=gcn", "train.epochs=5",
                    std::string("train.direction=") + direction};
    const auto config = resolve_config(layers);
    const Result result = run_task(*config, data);
    write_model(dir / "model.safetensors", *config, data, result, true);
    TrainedModel model = read_model(dir.path());
    EXPECT_TRUE(predict(model, data).output.data == result.output.data) << direction;
    for (const Array<float>& other : outputs) EXPECT_FALSE(other == result.output.data);
    outputs.push_back(result.output.data);
  }
}

TEST(ModelFile, PredictsGraphsAsTheRunDid) {
  const TempDir dir;
  ConfigLayers layers;
  layers.flags = {"data.source=triads", "train.epochs=3", "data.folds=3"};
  const auto config = resolve_config(layers);
  Dataset data = load_for_training(*config);
  Matrix x(data.graph.num_nodes(), 2);  // attributes on a scale of their own
  Rng rng(1);
  for (float& v : x.data) v = float(500 + 20 * rng.normal());
  data.features = x;
  data.num_attributes = 2;
  data.feature_names = {"a", "b"};
  const Result result = run_task(*config, data);
  write_model(dir / "model.safetensors", *config, data, result, true);
  TrainedModel model = read_model(dir.path());
  EXPECT_TRUE(predict(model, data).output.data == result.output.data);
  EXPECT_NE(error_of([&] { predict(model, roles()); }).find("is one graph"), std::string::npos);
}

TEST(ModelFile, EveryDamageIsRefused) {
  const TempDir dir;
  const auto config = small_config({"model.name=gcn", "train.epochs=1"});
  const std::string path = dir / "model.safetensors";
  write_model(path, *config, roles(), run_task(*config, roles()), true);
  const std::string bytes = testing::content_of(path);
  for (size_t i = 0; i < bytes.size(); i += 97) {
    std::string broken = bytes;
    broken[i] = char(broken[i] ^ 0x10);
    dir.file("broken.safetensors", broken);
    EXPECT_NE(error_of([&] { read_model(dir / "broken.safetensors"); }), "") << i;
  }
}

TEST(Config, LaterLayersWin) {
  ConfigLayers layers;
  layers.file = {"data.source=cora", "train.epochs=1", "train.patience=1", "seeds=1"};
  layers.read_environment = true;
  setenv("MGNN_TRAIN_EPOCHS", "2", 1);
  setenv("MGNN_TRAIN_PATIENCE", "2", 1);
  layers.flags = {"train.epochs=3"};
  layers.sets = {"epochs=4"};
  const auto config = resolve_config(layers);
  EXPECT_EQ(config->run.training.epochs, 4);
  EXPECT_EQ(config->run.training.patience, 2);
  unsetenv("MGNN_TRAIN_EPOCHS");
  unsetenv("MGNN_TRAIN_PATIENCE");
  layers.sets = {"profile=published"};
  EXPECT_EQ(resolve_config(layers)->run.training.weight_decay, 0.016);
  layers.sets = {"profile=none"};
  EXPECT_EQ(resolve_config(layers)->run.training.weight_decay, TrainingOptions().weight_decay);
  layers.sets = {"profile=publshed"};
  EXPECT_NE(error_of([&] { resolve_config(layers); }).find("did you mean published"),
            std::string::npos);
}

// Every setting of every profile is one that the network has.
TEST(Config, ProfilesCanBeUsed) {
  for (const Profile& profile : profiles())
    for (const std::string& model : profile.models)
      for (const std::string& dataset : profile.datasets) {
        std::string task;
        for (const TaskEntry& entry : tasks())
          if (entry.profiles == profile.task) task = entry.name;
        ASSERT_NE(task, "") << profile.task;
        ConfigLayers layers;
        layers.flags = {"data.source=" + dataset, "model.name=" + (model == "*" ? "sage" : model),
                        "profile=" + profile.name, "task=" + task};
        EXPECT_EQ(error_of([&] { resolve_config(layers); }), "") << model << " " << dataset;
      }
}

// `tuned` of MUTAG is `published` but for what it says itself.
TEST(Config, ProfilesMayBuildOnOthers) {
  const Settings base = profile_settings("mgnn", "mutag", "published");
  const Settings tuned = profile_settings("mgnn", "mutag", "tuned");
  ASSERT_GT(tuned.size(), base.size());
  EXPECT_TRUE(std::equal(base.begin(), base.end(), tuned.begin()));
  ConfigLayers layers;
  layers.flags = {"data.source=mutag", "model.name=mgnn", "profile=tuned"};
  EXPECT_EQ(resolve_config(layers)->run.split.name, "random");
  EXPECT_EQ(resolve_config(layers)->run.batch_size, 128);
  layers.flags.back() = "profile=published";
  EXPECT_EQ(resolve_config(layers)->run.split.name, "sklearn:12345");
}

// The thousands of epochs of `paper` are for those who ask for them.
TEST(Config, PaperIsNoDefault) {
  ConfigLayers layers;
  layers.flags = {"data.source=cora", "model.name=gin"};
  EXPECT_LT(resolve_config(layers)->run.training.epochs, 3000);
  layers.sets = {"profile=paper"};
  EXPECT_EQ(resolve_config(layers)->run.training.epochs, 3000);
  EXPECT_EQ(resolve_config(layers)->run.training.learning_rate, 0.011);
}

TEST(Config, IsReadBackAsWritten) {
  const auto config = small_config({"model.motifs=closed", "data.nodes=a \"b\".csv", "seed=7"});
  ConfigLayers layers;
  layers.file = parse_toml(toml_of(*config), "x");
  layers.sets = {"profile=none"};
  const auto again = resolve_config(layers);
  again->profile = config->profile;
  EXPECT_EQ(toml_of(*again), toml_of(*config));
  EXPECT_NE(error_of([] { parse_toml("a = [1", "f.toml"); }).find("f.toml:1"), std::string::npos);
}

TEST(RealData, PublishedSettingsReachTheReleasedCodesAccuracy) {
  MGNN_NEEDS_DATA();
  ConfigLayers layers;
  layers.flags = {"data.source=cora", "profile=published", "train.epochs=150", "seeds=2"};
  const auto config = resolve_config(layers);
  config->load.data_dir = testing::data_dir();
  const Result result = run_task(*config, load_for_training(*config));
  EXPECT_GT(result.test().mean, 0.85);
}

}  // namespace
}  // namespace mgnn
