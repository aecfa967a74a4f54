// What a training is said to need before its first step, and what it takes.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "mgnn/base/memory.h"
#include "mgnn/graph/generators.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/config.h"
#include "mgnn/task/training.h"
#include "tests/models/network.h"
#include "tests/util.h"

namespace mgnn {
namespace {

// Sanitizers, whose builds are those by clang, and g++'s take memory of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
constexpr bool kMemoryIsOurs = false;
#else
constexpr bool kMemoryIsOurs = true;
#endif

constexpr NodeId kNodes = 10'000, kGraphSize = 20;

// Of 10,000 nodes: one graph, or graphs of 20 nodes each.
Dataset random_dataset(Level level) {
  Dataset d;
  d.name = "random";
  Rng rng(5);
  Array<Edge> edges;
  for (int i = 0; i < 4 * kNodes; i++) {
    const auto from = NodeId(rng.below(kNodes));
    const NodeId first = from / kGraphSize * kGraphSize;
    edges.push_back({from, level == Level::node ? NodeId(rng.below(kNodes))
                                                : first + NodeId(rng.below(kGraphSize))});
  }
  d.graph = make_graph(kNodes, std::move(edges));
  const NodeId items = level == Level::node ? kNodes : kNodes / kGraphSize;
  if (level == Level::graph) {
    d.graph_start.clear();
    for (NodeId v = 0; v <= kNodes; v += kGraphSize) d.graph_start.push_back(v);
  }
  Matrix x(kNodes, 16);
  for (float& value : x.data) value = float(rng.normal());
  d.features = std::move(x);
  for (NodeId i = 0; i < items; i++) d.label.push_back(int32_t(rng.below(3)));
  d.class_names = {"a", "b", "c"};
  return d;
}

struct Memory {
  int64_t estimated = 0, taken = 0;
};

// Of a training of a few epochs, after its network was made.
Memory memory_of_training(const std::string& model, const Dataset& dataset) {
  const auto config = resolve_config({.sets = {"model.name=" + model,
                                               "train.epochs=2",
                                               "train.patience=0",
                                               "train.batch_size=1000000",
                                               {"model.layers", "64,64,64"}}});
  int64_t before = 0;
  TrainingCallbacks watch;
  watch.restore = [&](size_t, Repetition&) {
    malloc_trim(0);                               // what was freed before
    std::ofstream("/proc/self/clear_refs") << 5;  // the maximum of memory is that of now
    before = resident_memory_bytes();
  };
  const Result result = run_task(*config, dataset, watch);
  std::ifstream status("/proc/self/status");
  int64_t peak = 0;
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:")) peak = std::stoll(line.substr(6)) * 1024;
  // Beside the step: two numbers of Adam for every weight, and the best weights so far.
  return {result.runs[0].state.step_bytes + 3 * 4 * result.parameters, peak - before};
}

// The same in a process of its own, whose memory nothing else has touched.
Memory memory_in_a_child(const std::string& model, const Dataset& dataset) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    const Memory memory = memory_of_training(model, dataset);
    _exit(write(ends[1], &memory, sizeof memory) == sizeof memory ? 0 : 1);
  }
  close(ends[1]);
  Memory memory;
  if (read(ends[0], &memory, sizeof memory) != sizeof memory) memory = {};
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return memory;
}

bool is_measured(const std::string& model, Level level) {
  const Method& method = find_method(model);
  if (model == "bgnn") return false;  // has trees, too
  if (level == Level::node) return method.supports(level);
  return !method.supports(Level::node) || model == "gin" || model == "mgnn";
}

TEST(TrainingMemory, EstimatesAreWithinATenth) {
  if (!kMemoryIsOurs) GTEST_SKIP() << "the sanitizer takes memory of its own";
  for (const Level level : {Level::node, Level::graph}) {
    const Dataset dataset = random_dataset(level);
    for (const Method& method : methods()) {
      if (!is_measured(method.name, level)) continue;
      const Memory memory = memory_in_a_child(method.name, dataset);
      EXPECT_GT(memory.taken, 0) << method.name;
      const double ratio = double(memory.estimated) / double(memory.taken);
      RecordProperty(std::string(method.name) + (level == Level::node ? "_nodes" : "_graphs"),
                     std::to_string(ratio));
      // Which nodes asap keeps decides how dense its coarser graphs are.
      EXPECT_NEAR(ratio, 1, std::string(method.name) == "asap" ? 0.2 : 0.1)
          << method.name << (level == Level::node ? " (nodes): " : " (graphs): ")
          << memory.estimated << " bytes estimated, " << memory.taken << " taken";
    }
  }
}

TEST(TrainingMemory, PredictionsThatNeedTooMuchAreRefused) {
  const Dataset dataset = random_dataset(Level::node);
  const std::unique_ptr<Model> network = testing::make_network("gcn", {"layers=4096"});
  Parameters weights;
  Rng rng(1);
  network->build({.in = 16, .out = 3, .level = Level::node, .nodes = kNodes}, weights, rng);
  const Batch batch = whole_batch(dataset, *network);
  int64_t outputs = 0;
  const auto predict_all = [&] {
    evaluate(*network, weights, batch, [&](const Output<float>& out) { outputs += out.out.rows; });
  };
  set_memory_limit(resident_memory_bytes() + (32 << 20));
  const std::string message = testing::error_of(predict_all);
  set_memory_limit(0);
  EXPECT_TRUE(message.starts_with("the network: needs ")) << message;
  EXPECT_EQ(outputs, 0);
  predict_all();
  EXPECT_EQ(outputs, kNodes);
}

}  // namespace
}  // namespace mgnn
