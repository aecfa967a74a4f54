// Trees and a network, trained alternately.
#include <gtest/gtest.h>

#include <numeric>

#include "mgnn/models/trees.h"
#include "mgnn/task/tasks.h"
#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::error_of, testing::Built, testing::random_features, testing::random_graph,
    testing::sparse_of;

#define NEEDS_TREES() \
  if (!has_trees()) GTEST_SKIP() << "this build has no XGBoost"

// The label is the sign of the first feature; the others say nothing. Arcs join equal labels.
struct Toy {
  NodeId n = 60;
  Matrix x = random_features(n, 4, 3);
  Graph graph;
  std::vector<int32_t> label;
  std::vector<NodeId> train;
  Toy() {
    for (NodeId v = 0; v < n; v++) {
      label.push_back(x(v, 0) > 0);
      if (v % 3 != 0) train.push_back(v);
    }
    Array<Edge> edges;
    for (const Edge& e : arcs(random_graph(n, 0.1, 2)))
      if (label[e.from] == label[e.to]) edges.push_back(e);
    graph = make_graph(n, std::move(edges));
  }
  Shape shape() const { return {4, 2, Level::node, n}; }
  std::vector<float> train_labels() const {
    std::vector<float> labels;
    for (const NodeId v : train) labels.push_back(float(label[v]));
    return labels;
  }
};

Matrix values(const Built& net, const char* name) {
  const NamedParameter& p = net.parameter(name);
  Matrix m(p.rows, p.cols);
  std::copy_n(net.weights.value_of(p), p.size(), m.data.begin());
  return m;
}

// A step of Adam on the training nodes; gives the loss.
double learn(Built& net, const Toy& toy, const Batch& batch, Adam& adam) {
  Tape<float> tape;
  tape.start_training(0);
  tape.set_training(false);
  Step<float> step(tape, net.weights, batch);
  const Var<float> loss = cross_entropy<float>(net.model->forward(step).out, toy.label, toy.train);
  tape.backward(loss);
  const double value = double(loss(0, 0));
  adam.step(net.weights);
  return value;
}

TEST(Trees, OneSplitTellsASign) {
  NEEDS_TREES();
  const Toy toy;
  Trees trees(toy.x, toy.train);
  const Matrix p = trees.class_probabilities(toy.train_labels(), 2, {.rounds = 20});
  int right = 0;
  for (NodeId v = 0; v < toy.n; v++) {
    EXPECT_NEAR(p(v, 0) + p(v, 1), 1, 1e-5);
    right += (p(v, 1) > 0.5f) == (toy.label[v] == 1);
  }
  EXPECT_GE(right, toy.n - 2);  // thresholds lie anywhere between two training nodes
}

// One tree of one round, its answer taken whole: means of the two leaves, shrunk by XGBoost's
// λ = 1 (sum / (count + 1)).
TEST(Trees, AnswersAreMeansOfLeaves) {
  NEEDS_TREES();
  Matrix x(8, 1), target(6, 2);
  for (int64_t r = 0; r < 8; r++) x(r, 0) = float(r % 2);
  std::vector<NodeId> train(6);
  std::iota(train.begin(), train.end(), 0);
  for (int64_t r = 0; r < 6; r++) {
    target(r, 0) = r % 2 ? 4.f : 0.f;
    target(r, 1) = r % 2 ? -2.f : 8.f;
  }
  const Matrix found = Trees(x, train).regression(target, {.rounds = 1, .depth = 1, .rate = 1});
  ASSERT_EQ(found.rows, 8);
  ASSERT_EQ(found.cols, 2);
  for (int64_t r = 0; r < 8; r++) {
    EXPECT_NEAR(found(r, 0), r % 2 ? 12. / 4 : 0, 1e-5) << r;
    EXPECT_NEAR(found(r, 1), r % 2 ? -6. / 4 : 24. / 4, 1e-5) << r;
  }
}

EpochContext context_of(int64_t epoch, const Batch& batch, const Toy& toy, Built& net) {
  return {.epoch = epoch,
          .batch = batch,
          .label = toy.label,
          .train = toy.train,
          .weights = net.weights};
}

// After the first fit the input is the features, scaled over the training nodes, and the class
// probabilities of the trees.
TEST(Bgnn, TheFirstFitIsPlainTrees) {
  NEEDS_TREES();
  const Toy toy;
  for (const bool sparse : {false, true}) {
    Built net("bgnn", toy.shape());
    const Batch batch =
        sparse ? net.batch(toy.graph, sparse_of(toy.x)) : net.batch(toy.graph, toy.x);
    net.model->before_epoch(context_of(0, batch, toy, net));
    const Matrix z = values(net, "node_input"), p = values(net, "tree_prediction");
    const Matrix plain = Trees(batch.x, toy.train).class_probabilities(toy.train_labels(), 2, {});
    for (NodeId v = 0; v < toy.n; v++)
      for (int64_t c = 0; c < 2; c++) {
        EXPECT_EQ(p(v, c), plain(v, c));
        EXPECT_EQ(z(v, 4 + c), plain(v, c));
      }
    for (int64_t c = 0; c < 4; c++) {
      float low = INFINITY, high = -INFINITY;
      for (const NodeId v : toy.train)
        low = std::min(low, toy.x(v, c)), high = std::max(high, toy.x(v, c));
      for (NodeId v = 0; v < toy.n; v++)
        EXPECT_NEAR(z(v, c), (toy.x(v, c) - low) / (high - low), 1e-6);
    }
  }
}

// A network that copies the columns of p: its output is the trees' predictions.
TEST(Bgnn, WithoutAnythingToLearnItIsItsTrees) {
  NEEDS_TREES();
  const Toy toy;
  Built net("bgnn", toy.shape(), {"heads=1", "layers=2", "features=false"});
  const Graph no_arcs = make_graph(toy.n, Array<Edge>{});
  const Batch batch = net.batch(no_arcs, toy.x);
  for (const int64_t epoch : {0, 10, 20})  // nothing moves in between, so r = 0
    net.model->before_epoch(context_of(epoch, batch, toy, net));
  net.set_identity("layer1.weight");
  net.set_identity("output.weight");
  for (const char* bias : {"layer1.bias", "output.bias"}) net.set_all(bias, 0);
  const Matrix plain = Trees(toy.x, toy.train).class_probabilities(toy.train_labels(), 2, {});
  const MatrixOf<double> out = net.out(batch);
  for (NodeId v = 0; v < toy.n; v++)
    for (int64_t c = 0; c < 2; c++) EXPECT_NEAR(out(v, c), double(plain(v, c)), 1e-6);
}

// r points against the gradient, and a turn moves p at the training nodes the way of r.
TEST(Bgnn, LaterFitsFollowTheSteps) {
  NEEDS_TREES();
  const Toy toy;
  Built net("bgnn", toy.shape(), {"trees=50", "tree_rate=0.3"});
  const Batch batch = net.batch(toy.graph, toy.x);
  net.model->before_epoch(context_of(0, batch, toy, net));
  const Matrix before = values(net, "tree_prediction");
  Adam adam(net.weights, {.learning_rate = 0.01});
  Tape<float> tape;
  tape.start_training(0);
  tape.set_training(false);
  Step<float> step(tape, net.weights, batch);
  tape.backward(cross_entropy<float>(net.model->forward(step).out, toy.label, toy.train));
  const NamedParameter& at = net.parameter("node_input");
  const Array<float> gradient(net.weights.grad_of(at), net.weights.grad_of(at) + at.size());
  adam.step(net.weights);
  const Matrix z = values(net, "node_input");
  net.model->before_epoch(context_of(10, batch, toy, net));
  const Matrix after = values(net, "tree_prediction");
  double along = 0;
  for (const NodeId v : toy.train)
    for (int64_t c = 0; c < 2; c++) {
      const float r = z(v, 4 + c) - before(v, c), slope = gradient[v * 6 + 4 + c];
      if (std::abs(slope) > 1e-6f) {
        EXPECT_LT(r * slope, 0) << v;
      }
      along += double(r) * double(after(v, c) - before(v, c));
    }
  EXPECT_GT(along, 0);
  // Between turns nothing happens.
  const Array<float> weights = net.weights.value;
  net.model->before_epoch(context_of(11, batch, toy, net));
  EXPECT_EQ(net.weights.value, weights);
}

TEST(Bgnn, FitsLowerTheLoss) {
  NEEDS_TREES();
  const Toy toy;
  Built net("bgnn", toy.shape());
  const Batch batch = net.batch(toy.graph, toy.x);
  Adam adam(net.weights, {.learning_rate = 0.01});
  std::vector<double> losses;  // right after each turn
  for (int64_t epoch = 0; epoch < 60; epoch++) {
    net.model->before_epoch(context_of(epoch, batch, toy, net));
    const double loss = learn(net, toy, batch, adam);
    if (epoch % 10 == 0) losses.push_back(loss);
  }
  for (size_t i = 1; i < losses.size(); i++) EXPECT_LE(losses[i], losses[i - 1] + 1e-3) << i;
  EXPECT_LT(losses.back(), 0.3 * losses.front());
}

Dataset dataset_of(const Toy& toy, const std::vector<NodeId>& to) {
  Dataset data;
  data.name = "toy";
  Array<Edge> edges;
  for (const Edge& e : arcs(toy.graph)) edges.push_back({to[e.from], to[e.to]});
  data.graph = make_graph(toy.n, std::move(edges));
  Matrix x(toy.n, 4);
  data.label.resize(size_t(toy.n));
  Split split{"given", {}, {}, {}};
  for (NodeId v = 0; v < toy.n; v++) {
    std::copy_n(toy.x.row(v).begin(), 4, x.row(to[v]).begin());
    data.label[to[v]] = toy.label[v];
    (v % 3 != 0 ? split.train : v % 2 ? split.validation : split.test).push_back(to[v]);
  }
  for (auto* part : {&split.train, &split.validation, &split.test})
    std::sort(part->begin(), part->end());
  data.features = std::move(x);
  data.class_names = {"below", "above"};
  data.splits = {split};
  return data;
}

Result trained(const Dataset& data, int64_t epochs) {
  RunOptions options;
  options.split.name = "given";
  options.training.epochs = epochs;
  return make_node_classification()->run(
      data,
      [] {
        return testing::make_network("bgnn",
                                     {"input_dropout=0", "dropout=0", "attention_dropout=0"});
      },
      options, {});
}

TEST(Bgnn, LearnsAndDoesNotMindTheOrderOfNodes) {
  NEEDS_TREES();
  const Toy toy;
  std::vector<NodeId> to(size_t(toy.n));
  std::iota(to.begin(), to.end(), 0);
  const Result first = trained(dataset_of(toy, to), 40);
  EXPECT_GE(first.test().mean, 0.9);
  Rng(3).shuffle(std::span<NodeId>(to));
  const Result second = trained(dataset_of(toy, to), 40);
  for (size_t i = 0; i < 40; i++)
    EXPECT_NEAR(first.runs[0].state.history[i].train_loss,
                second.runs[0].state.history[i].train_loss, 1e-3);
}

TEST(Bgnn, GoesOnFromACheckpoint) {
  NEEDS_TREES();
  const Toy toy;
  std::vector<NodeId> to(size_t(toy.n));
  std::iota(to.begin(), to.end(), 0);
  const Dataset data = dataset_of(toy, to);
  RunOptions options;
  options.split.name = "given";
  options.training.epochs = 40;
  const auto make = [] { return testing::make_network("bgnn"); };
  Repetition kept;
  TrainingCallbacks watch;
  watch.checkpoint_every = 17;
  watch.checkpoint = [&](size_t, const Repetition& run) {
    if (run.state.epoch == 17) kept = run;
  };
  const Result whole = make_node_classification()->run(data, make, options, watch);
  TrainingCallbacks again;
  again.restore = [&](size_t, Repetition& run) { run.state = kept.state; };
  const Result resumed = make_node_classification()->run(data, make, options, again);
  EXPECT_EQ(whole.runs[0].state.weights.value, resumed.runs[0].state.weights.value);
}

TEST(Bgnn, ReportsUnsupportedUses) {
  EXPECT_EQ(error_of([] {
              Built("bgnn", {3, 2, Level::graph, 5});
            }),
            "bgnn has an output for each node, none for graphs");
  EXPECT_EQ(error_of([] {
              Built("bgnn", {3, 2, Level::node});
            }),
            "bgnn needs node labels: it is for node classification only");
  const Built net("bgnn", {3, 2, Level::node, 5});
  EXPECT_EQ(error_of([&] { net.out(net.batch(make_graph(4, Array<Edge>{}), Matrix(4, 3))); }),
            "bgnn only applies to the 5 nodes it was trained on, and here are 4");
  if (!has_trees()) {
    EXPECT_EQ(error_of([] { Trees(Matrix(1, 1), {}); }),
              "this build has no XGBoost, so there are no trees; install libxgboost-dev and build "
              "again");
  }
}

}  // namespace
}  // namespace mgnn
