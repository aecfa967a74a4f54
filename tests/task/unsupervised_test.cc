#include "mgnn/task/unsupervised.h"

#include "mgnn/base/parallel.h"
#include "mgnn/data/embedded.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/models/model.h"
#include "mgnn/task/autoencoder.h"
#include "mgnn/task/probe.h"
#include "tests/tensor/gradient.h"

namespace mgnn {
namespace {

using testing::check_gradient, testing::error_of, testing::random_graph, testing::random_matrix,
    testing::Vars;

ModelMaker maker(const std::string& name, const std::vector<std::string>& settings = {}) {
  return [=] {
    std::unique_ptr<Model> model = find_method(name).make();
    for (const Option& one : model->options())
      if (one.name.ends_with("dropout")) one.set("0");
    for (const std::string& one : settings) set_option(model->options(), one);
    return model;
  };
}

struct Brief {
  UnsupervisedOptions settings;
  RunOptions run;
};

Brief brief(Objective objective, int64_t epochs) {
  Brief options;
  options.settings.objective = objective;
  options.settings.dimension = 8;
  options.run.training.epochs = epochs;
  options.run.training.weight_decay = 0;
  return options;
}

Result unsupervised(const Dataset& dataset, const ModelMaker& make, const Brief& options) {
  return unsupervised(dataset, make, options.settings, options.run);
}

constexpr Objective kObjectives[] = {Objective::gae, Objective::vgae, Objective::contrastive};

Dataset ready(Dataset d) {
  choose_features(d, "own", Rng(0));
  return d;
}

Dataset random_dataset(NodeId nodes, double density) {
  Dataset d;
  d.name = "random";
  d.graph = random_graph(nodes, density, 1);
  Matrix x(nodes, 4);
  Rng rng(2);
  for (float& v : x.data) v = float(rng.normal());
  d.features = x;
  return d;
}

// All pairs u < v, by whether they are joined.
struct AllPairs {
  NodePairs joined, apart;
};
AllPairs all_pairs(const Graph& g) {
  AllPairs all;
  for (NodeId u = 0; u < g.num_nodes(); u++)
    for (NodeId v = u + 1; v < g.num_nodes(); v++)
      (g.has_arc(u, v) || g.has_arc(v, u) ? all.joined : all.apart).push_back({u, v});
  return all;
}

TEST(Autoencoder, LossOfNothingKnownIsTwoLogTwo) {
  const AllPairs pairs = all_pairs(karate_dataset().graph);
  EXPECT_EQ(pairs.joined.size(), 78u);
  Tape<double> tape;
  tape.start_evaluation();
  const MatrixOf<double> zero(34, 5);
  EXPECT_NEAR(*reconstruction_loss(tape.leaf(zero), pairs.joined, pairs.apart).value,
              2 * std::log(2), 1e-12);
  EXPECT_NEAR(2 * std::log(2), 1.386294, 1e-6);
}

TEST(Autoencoder, DivergenceOfAStandardNormalIsZero) {
  Tape<double> tape;
  tape.start_evaluation();
  const Latent<double> latent = latent_of(tape.leaf(MatrixOf<double>(6, 10)), true);
  EXPECT_EQ(*latent.divergence.value, 0);
  EXPECT_EQ(latent.z.cols, 5);
  // Mean 1, deviation 1: half the squared length of the mean.
  MatrixOf<double> one(6, 10);
  for (int64_t r = 0; r < 6; r++)
    for (int64_t c = 0; c < 5; c++) one(r, c) = 1;
  EXPECT_NEAR(*latent_of(tape.leaf(one), true).divergence.value, 2.5, 1e-12);
  EXPECT_FALSE(latent_of(tape.leaf(one), false).divergence.tape);
}

TEST(Autoencoder, InTrainingVectorsAreDrawnAndInEvaluationTheyAreMeans) {
  Tape<double> tape(5);
  const MatrixOf<double> out = random_matrix(2000, 2, 3);
  tape.start_evaluation();
  const Latent<double> still = latent_of(tape.leaf(out), true);
  for (int64_t r = 0; r < 2000; r++) EXPECT_EQ(still.z(r, 0), out(r, 0));
  tape.start_training(0);
  const Latent<double> drawn = latent_of(tape.leaf(out), true);
  double mean = 0, square = 0;  // of what should be N(0, 1)
  for (int64_t r = 0; r < 2000; r++) {
    const double noise = (drawn.z(r, 0) - out(r, 0)) / std::exp(out(r, 1));
    mean += noise / 2000, square += noise * noise / 2000;
  }
  EXPECT_NEAR(mean, 0, 0.1);
  EXPECT_NEAR(square, 1, 0.15);
}

// Kipf's loss over all pairs with pos_weight = apart / joined and norm = all / (2 apart), twice.
TEST(Autoencoder, LossOverAllPairsIsTheDenseOne) {
  for (uint64_t seed = 0; seed < 5; seed++) {
    const Graph g = random_graph(12, 0.2, seed);
    const AllPairs pairs = all_pairs(g);
    const MatrixOf<double> z = random_matrix(12, 3, seed);
    const double joined = double(pairs.joined.size()), apart = double(pairs.apart.size());
    double sum = 0;
    for (NodeId u = 0; u < 12; u++)
      for (NodeId v = u + 1; v < 12; v++) {
        double x = 0;
        for (int64_t c = 0; c < 3; c++) x += z(u, c) * z(v, c);
        const bool is_joined = g.has_arc(u, v) || g.has_arc(v, u);
        sum += is_joined ? apart / joined * std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
      }
    const double mean = sum / (joined + apart), norm = (joined + apart) / (2 * apart);
    Tape<double> tape;
    tape.start_evaluation();
    EXPECT_NEAR(*reconstruction_loss(tape.leaf(z), pairs.joined, pairs.apart).value,
                2 * norm * mean, 1e-9);
  }
}

TEST(Autoencoder, GradientsAreSlopes) {
  const AllPairs pairs = all_pairs(random_graph(9, 0.3, 4));
  check_gradient("gae", {random_matrix(9, 3, 1)}, [&](Tape<double>&, const Vars& x) {
    return reconstruction_loss(x[0], pairs.joined, pairs.apart);
  });
  check_gradient("vgae", {random_matrix(9, 6, 1)}, [&](Tape<double>&, const Vars& x) {
    const Latent<double> latent = latent_of(x[0], true);
    return add(reconstruction_loss(latent.z, pairs.joined, pairs.apart), latent.divergence);
  });
}

double probe_of(const Matrix& z, const Dataset& d) { return probe(z, d, {.seeds = 3}).test().mean; }

// Two circles of friends can be told by vectors that know who is joined, and better than by those
// of a network that has not learned.
TEST(Unsupervised, FindsTheSidesOfTheKarateClub) {
  const Dataset d = ready(karate_dataset());
  for (const Objective objective : kObjectives) {
    Brief options = brief(objective, 150);
    options.settings.probe = true;
    options.run.seeds = 8;
    const Result result = unsupervised(d, maker("gcn"), options);
    EXPECT_EQ(result.representation.rows, 34);
    EXPECT_EQ(probe_accuracies(result).size(), 8u);
    EXPECT_EQ(result.output.rows, 0);
    options.run.training.epochs = 1;
    options.run.training.learning_rate = 1e-9;
    const Result untrained = unsupervised(d, maker("gcn"), options);
    EXPECT_GT(result.test().mean, 0.8) << int(objective);
    EXPECT_GT(result.test().mean, untrained.test().mean) << int(objective);
    const std::vector<EpochRecord>& history = result.runs[0].state.history;
    EXPECT_LT(result.runs[0].state.best.validation.loss, history.front().validation.loss);
  }
}

// Roles differ by triangles alone: vectors that were never shown a label know them if the network
// sees motifs, and better than those of a network that has not learned.
TEST(Unsupervised, MotifsTellRolesWithoutLabels) {
  const Dataset d = ready(roles_dataset({.nodes = 600}, 0));
  Brief options = brief(Objective::contrastive, 60);
  options.settings.augment = {.kinds = {Augmentation::mask_columns}, .ratio = 0.5};
  const Result mgnn = unsupervised(d, maker("mgnn"), options);
  const Result gcn = unsupervised(d, maker("gcn"), options);
  EXPECT_GT(probe_of(mgnn.representation, d), 0.8);
  EXPECT_LT(probe_of(gcn.representation, d), 0.5);
}

TEST(Unsupervised, MotifsTellTriadsWithoutLabels) {
  const Dataset d = ready(triads_dataset({.graphs = 90}, 0));
  for (const Objective objective : kObjectives) {
    Brief options = brief(objective, 30);
    options.settings.augment.kinds = {Augmentation::drop_nodes};
    options.settings.augment.ratio = 0.1;
    options.settings.probe = true;
    const Result result = unsupervised(d, maker("mgnn"), options);
    EXPECT_EQ(result.representation.rows, 90);
    EXPECT_EQ(probe_accuracies(result).size(), 5u);  // folds
    EXPECT_GT(result.test().mean, 0.8) << int(objective);
  }
}

TEST(Unsupervised, LabelsServeForNothingButTheProbe) {
  Dataset d = ready(roles_dataset({.nodes = 120}, 0));
  for (const Objective objective : kObjectives) {
    Brief options = brief(objective, 3);
    const Result with = unsupervised(d, maker("mgnn"), options);
    Dataset without = d;
    without.label.clear();
    without.class_names.clear();
    without.splits.clear();
    EXPECT_TRUE(with.representation.data ==
                unsupervised(without, maker("mgnn"), options).representation.data);
    options.settings.probe = true;
    EXPECT_TRUE(with.representation.data ==
                unsupervised(d, maker("mgnn"), options).representation.data);
    EXPECT_NE(error_of([&] {
                unsupervised(without, maker("mgnn"), options);
              }).find("has no classes to tell apart"),
              std::string::npos);
  }
}

TEST(Unsupervised, IsTheSameForAnyNumberOfThreads) {
  const Dataset sets[] = {ready(roles_dataset({.nodes = 240}, 0)),
                          ready(triads_dataset({.graphs = 30}, 0))};
  for (const Dataset& d : sets)
    for (const Objective objective : kObjectives) {
      Brief options = brief(objective, 4);
      options.run.seeds = 3;
      options.run.batch_size = 8;
      options.settings.anchors = 50;
      options.settings.augment.kinds = {Augmentation::subgraph, Augmentation::drop_edges};
      set_num_threads(1);
      const Result one = unsupervised(d, maker("mgnn"), options);
      set_num_threads(3);
      const Result three = unsupervised(d, maker("mgnn"), options);
      set_num_threads(0);
      for (size_t r = 0; r < 3; r++)
        EXPECT_TRUE(one.runs[r].state.weights.value == three.runs[r].state.weights.value);
      EXPECT_TRUE(one.representation.data == three.representation.data);
      EXPECT_FALSE(one.runs[0].state.weights.value == one.runs[1].state.weights.value);
    }
}

TEST(Unsupervised, EveryNetworkCanBeTheEncoder) {
  const Dataset nodes = ready(karate_dataset()), graphs = ready(triads_dataset({.graphs = 12}, 0));
  for (const Method& method : methods())
    for (const Objective objective : {Objective::gae, Objective::contrastive}) {
      if (method.name == std::string("bgnn")) continue;  // learns from labels, and says so
      Brief options = brief(objective, 2);
      options.run.batch_size = 5;
      const auto rows = [&](const Dataset& d) {
        return unsupervised(d, maker(method.name), options).representation.rows;
      };
      if (method.supports(Level::node)) {
        EXPECT_EQ(rows(nodes), 34) << method.name;
      }
      if (objective == Objective::contrastive ? method.supports(Level::graph)
                                              : method.supports(Level::node)) {
        EXPECT_EQ(rows(graphs), 12) << method.name;
      }
    }
}

TEST(Unsupervised, HeldOutEdgesChooseTheEpoch) {
  const Dataset d = ready(roles_dataset({.nodes = 240}, 0));
  Brief options = brief(Objective::gae, 20);
  const Result result = unsupervised(d, maker("gcn"), options);
  const int64_t edges = int64_t(all_pairs(d.graph).joined.size());
  EXPECT_NEAR(double(result.runs[0].validation.count), 0.05 * double(edges), 1);
  options.settings.held_out = 0;
  EXPECT_EQ(unsupervised(d, maker("gcn"), options).runs[0].validation.count, edges);
}

// What an encoder is trained on stays with it: vectors of the same graphs are the same in any order
// and company.
TEST(Unsupervised, VectorsOfGraphsDoNotDependOnTheirBatch) {
  const Dataset d = ready(triads_dataset({.graphs = 30}, 3));
  for (const Objective objective : kObjectives) {
    const Brief options = brief(objective, 2);
    Result result = unsupervised(d, maker("mgnn"), options);
    Parameters& weights = result.runs[0].state.weights;
    const Matrix by_one = unsupervised_vectors(*result.model, weights, d, options.settings, 1);
    for (size_t i = 0; i < by_one.data.size(); i++)
      EXPECT_NEAR(by_one.data[i], result.representation.data[i], 1e-4);
  }
}

TEST(Unsupervised, SmallAndEmptyDataAreLearnedOrRefused) {
  const auto refusal = [](Dataset d, Objective objective) {
    return error_of([&] { unsupervised(d, maker("mgnn"), brief(objective, 3)); });
  };
  EXPECT_EQ(refusal(random_dataset(5, 0), Objective::gae), "random: has no edges to reconstruct");
  EXPECT_EQ(refusal(random_dataset(5, 0), Objective::contrastive), "");
  EXPECT_EQ(refusal(random_dataset(1, 0), Objective::contrastive),
            "random: has 1 nodes, but contrast needs at least two");
  EXPECT_EQ(refusal(random_dataset(0, 0), Objective::vgae), "random: has no edges to reconstruct");
  EXPECT_EQ(refusal(random_dataset(6, 1), Objective::gae),
            "random: in the graph all nodes are joined, so there is nothing to tell apart");
  EXPECT_EQ(refusal(random_dataset(3, 0.5), Objective::gae), "");
  Dataset bare = random_dataset(5, 0.5);
  bare.features = std::monostate();
  EXPECT_EQ(refusal(bare, Objective::gae), "random: nodes have no features");
}

// Complete graphs, single nodes and empty graphs beside one with something to learn.
TEST(Unsupervised, OddGraphsInASet) {
  Dataset d;
  d.name = "odd";
  d.graph_start = {0, 3, 4, 4, 9};
  Array<Edge> edges = {{0, 1}, {1, 2}, {2, 0}, {4, 5}, {5, 6}};
  d.graph = make_graph(9, edges);
  d.features = Matrix(9, 2);
  for (const Objective objective : kObjectives) {
    Brief options = brief(objective, 3);
    options.run.batch_size = 2;
    const Result result = unsupervised(d, maker("mgnn"), options);
    EXPECT_EQ(result.representation.rows, 4);
    for (const float v : result.representation.data) EXPECT_TRUE(std::isfinite(v));
  }
  d.graph = make_graph(9, {{0, 1}, {1, 2}, {2, 0}});
  d.graph_start = {0, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_NE(error_of([&] {
              unsupervised(d, maker("mgnn"), brief(Objective::gae, 1));
            }).find("in every graph all nodes are joined"),
            std::string::npos);
}

TEST(Unsupervised, SettingsAreChecked) {
  const Dataset d = ready(karate_dataset());
  const auto error_with = [&](auto change) {
    Brief options = brief(Objective::contrastive, 1);
    change(options);
    return error_of([&] { unsupervised(d, maker("gcn"), options); });
  };
  EXPECT_EQ(error_with([](auto& o) { o.settings.dimension = 0; }),
            "dimension is 0; use at least 1");
  EXPECT_EQ(error_with([](auto& o) { o.settings.held_out = 1; }),
            "held_out is 1; it must be from 0 to below 1");
  EXPECT_EQ(error_with([](auto& o) { o.settings.anchors = 1; }),
            "anchors is 1; at least 2 can be compared");
  EXPECT_EQ(error_with([](auto& o) { o.settings.loss.temperature = 0; }),
            "temperature is 0; it must be above 0");
  EXPECT_EQ(error_with([](auto& o) { o.settings.augment.ratio = 1; }),
            "augment_ratio is 1; it must be from 0 to below 1");
}

}  // namespace
}  // namespace mgnn
