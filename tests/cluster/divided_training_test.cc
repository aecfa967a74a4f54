// Networks that are trained on a graph whose nodes are divided, against the same by one process: the same
// bits. tests/CMakeLists.txt also starts this program on two and four ranks.
#include "mgnn/base/threads.h"
#include "mgnn/cluster/divided_batch.h"
#include "mgnn/graph/generators.h"
#include "mgnn/models/batch.h"
#include "mgnn/task/config.h"
#include "mgnn/tensor/row_share.h"
#include "tests/cluster/ranks.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::ranks;

constexpr NodeId kNodes = 16500;

enum class Of { dense, sparse };

// Hubs, nodes without neighbours, arcs of both kinds, and classes that features and arcs tell.
Dataset graph_of(Of features) {
  Dataset d;
  d.name = "divided";
  GeneratedEdges edges = rmat_edges({.nodes = kNodes, .arcs = 60000}, Rng(3));
  d.graph = make_graph(edges.num_nodes, std::move(edges.edges));
  const NodeId n = d.graph.num_nodes();
  Rng rng(5);
  for (NodeId v = 0; v < n; v++) d.label.push_back(int32_t(mix_bits(uint64_t(v)) % 3));
  d.class_names = {"a", "b", "c"};
  if (features == Of::dense) {
    Matrix x(n, 12);
    for (NodeId v = 0; v < n; v++)
      for (int64_t c = 0; c < 12; c++)
        x(v, c) = float(rng.uniform()) + (c == d.label[v] ? 0.5f : 0.f);
    d.features = std::move(x);
  } else {
    SparseMatrix x;
    x.pattern.rows = n, x.pattern.cols = 3000;
    for (NodeId v = 0; v < n; v++) {
      for (NodeId c = 0; c < 3; c++)
        x.pattern.index.push_back(1000 * c + NodeId(rng.below(500)) + 100 * d.label[v]);
      x.pattern.start.push_back(Offset(x.pattern.index.size()));
    }
    x.value.assign(x.pattern.index.size(), 1.f);
    d.features = std::move(x);
  }
  return d;
}

const Dataset& graph(Of features) {
  static const Dataset dense = graph_of(Of::dense), sparse = graph_of(Of::sparse);
  return features == Of::dense ? dense : sparse;
}

Result trained(const Dataset& dataset, Settings settings, Comm* comm) {
  Settings all = {"task=node", "train.epochs=3", "train.patience=0", "data.standardise=false"};
  all.insert(all.end(), settings.begin(), settings.end());
  const std::unique_ptr<Config> config = resolve_config({.sets = std::move(all)});
  config->run.comm = comm;
  return run_task(*config, dataset);
}

void expect_same(const Result& a, const Result& b, const std::string& what) {
  ASSERT_EQ(a.runs.size(), b.runs.size());
  for (size_t r = 0; r < a.runs.size(); r++) {
    EXPECT_EQ(a.runs[r].state.best_weights, b.runs[r].state.best_weights) << what;
    EXPECT_EQ(a.runs[r].test.metric, b.runs[r].test.metric) << what;
    EXPECT_EQ(a.runs[r].state.train_loss, b.runs[r].state.train_loss) << what;
  }
  EXPECT_EQ(a.output.data, b.output.data) << what;
  EXPECT_EQ(a.representation.data, b.representation.data) << what;
}

void expect_one_process(Of features, const Settings& settings) {
  const Dataset& dataset = graph(features);
  const std::string what = settings[0].text() + (features == Of::dense ? " dense" : " sparse");
  expect_same(trained(dataset, settings, nullptr), trained(dataset, settings, &ranks()), what);
}

TEST(DividedTraining, NetworksOnDenseFeatures) {
  const std::vector<Settings> networks = {
      {"model.name=mgnn", "model.layers=8,8", "model.per_motif=3"},
      {"model.name=mgnn", "model.fused=false", "model.per_motif=2", "model.layers=4"},
      {"model.name=gcn", "model.layers=16,8"},
      {"model.name=sage", "model.aggregate=max"},
      {"model.name=sage", "model.aggregate=mean"},
      {"model.name=sage", "model.aggregate=pool"},
      {"model.name=gat", "model.heads=3", "model.layers=4,4"},
      {"model.name=gin", "model.batch_norm=true"},
      {"model.name=mixhop"},
  };
  for (const Settings& settings : networks) expect_one_process(Of::dense, settings);
}

TEST(DividedTraining, NetworksOnSparseFeatures) {
  for (const char* name : {"mgnn", "gcn", "gat"})
    expect_one_process(Of::sparse, {Setting("model.name", std::string(name)), "model.layers=6"});
}

TEST(DividedTraining, AnyNumberOfThreads) {
  const Settings settings = {"model.name=mgnn", "model.layers=8", "model.per_motif=2"};
  const Result one = trained(graph(Of::dense), settings, &ranks());
  set_num_threads(3);
  const Result three = trained(graph(Of::dense), settings, &ranks());
  set_num_threads(0);
  expect_same(one, three, "threads");
}

// Seeds of a graph that is too small are dealt instead.
TEST(DividedTraining, SeedsAreDealt) {
  const Dataset small = load_dataset("roles");
  const Settings settings = {"model.name=gcn", "seeds=3"};
  expect_same(trained(small, settings, nullptr), trained(small, settings, &ranks()), "seeds");
}

TEST(DividedTraining, WhatCannotBeDividedIsRefused) {
  if (ranks().size() == 1) return;
  EXPECT_NE(error_of([&] {
              trained(graph(Of::dense), {"model.name=gat", "model.v2=true"}, &ranks());
            }).find("cannot be divided among ranks"),
            std::string::npos);
}

TEST(DividedTraining, RanksHaveWholeBlocks) {
  const Dataset& dataset = graph(Of::dense);
  const std::unique_ptr<Config> config = resolve_config({.sets = {"model.name=gcn"}});
  Batch batch = whole_batch(dataset, *new_network(*config));
  const NodeId nodes = batch.num_nodes;
  divide_batch(ranks(), batch);
  ASSERT_EQ(bool(batch.share), ranks().size() > 1);
  if (!batch.share) return;
  const RowShare& share = *batch.share;
  EXPECT_EQ(share.total, nodes);
  EXPECT_EQ(share.first % kBlockUnit, 0);
  int64_t rows = 0;
  for (const int64_t count : gather(ranks(), share.rows)) rows += count;
  EXPECT_EQ(rows, nodes);
}

}  // namespace
}  // namespace mgnn
