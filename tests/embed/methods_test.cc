// Contracts of all embedding methods.
#include <cmath>

#include "mgnn/base/parallel.h"
#include "mgnn/data/embedded.h"
#include "mgnn/data/load.h"
#include "mgnn/task/probe.h"
#include "tests/embed/util.h"

namespace mgnn {
namespace {

using namespace testing;

TEST(GraphMethods, AGraphsRowDoesNotDependOnTheOthers) {
  const Graph set =
      undirected(11, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {5, 6}, {6, 7}, {7, 8}, {8, 5}});
  const std::vector<NodeId> start = {0, 3, 5, 5, 9, 11};  // one empty, one of two lonely nodes
  const Matrix f = embedded("feather", {.graph = set, .graph_start = start});
  const Matrix n = embedded("netlsd", {.graph = set, .graph_start = start});
  const Matrix f4 = embedded("feather", {cycle(4)}), n4 = embedded("netlsd", {cycle(4)});
  for (int64_t c = 0; c < f.cols; c++) EXPECT_NEAR(f(3, c), f4(0, c), 1e-6);
  for (int64_t c = 0; c < n.cols; c++) EXPECT_NEAR(n(3, c), n4(0, c), 1e-6);
  for (const float x : f.row(2)) EXPECT_EQ(x, 0);
  for (const float x : n.row(4)) EXPECT_NEAR(x, 1, 1e-6);  // eigenvalue 0, not 1
}

void expect_contract(const EmbeddingMethod& method, EmbeddingVariant variant) {
  const bool nodes = method.level == Level::node;
  const Dataset data = nodes ? karate_dataset() : triads_dataset({}, 0);
  const auto run = [&](int threads) {
    const std::unique_ptr<Embedding> embedding = make_embedding(method, {"seed=3"}, variant);
    for (const Option& option : embedding->options()) {
      option.set(option.get());
      if (option.name == "epochs" || option.name == "walks") option.set(int64_t(2));
    }
    set_num_threads(threads);
    const Matrix z = embed(data, method, *embedding);
    set_num_threads(0);
    return z;
  };
  const Matrix z = run(1);
  EXPECT_EQ(z.rows, int64_t(data.label.size())) << method.name;
  for (const float x : z.data) ASSERT_TRUE(std::isfinite(x)) << method.name;
  EXPECT_EQ(run(3).data, z.data) << method.name;
  EXPECT_EQ(probe(z, data, {.seeds = 1}).accuracy.size(), nodes ? 1u : 5u);
}

TEST(EmbeddingMethods, KeepTheirContract) {
  for (const EmbeddingMethod& method : embedding_methods()) {
    expect_contract(method, EmbeddingVariant::paper);
    if (!method.karateclub.empty()) expect_contract(method, EmbeddingVariant::karateclub);
  }
}

// A method outside the library: this class and a row are all it takes.
class ScaledDegrees : public Embedding {
 public:
  Options options() override {
    return {option("scale", scale_, "factor of all degrees"), option("seed", seed_, "unused")};
  }
  Matrix run(const EmbedInput& input) const override {
    Matrix z(input.graph.num_nodes(), 2);
    for (NodeId u = 0; u < input.graph.num_nodes(); u++) {
      z(u, 0) = float(scale_ * double(input.graph.out.row_size(u)));
      z(u, 1) = float(scale_ * double(input.graph.in.row_size(u)));
    }
    return z;
  }

 private:
  double scale_ = 1;
  uint64_t seed_ = 0;
};

const EmbeddingMethod kScaledDegrees = {
    .name = "degrees",
    .summary = "out- and in-degrees",
    .paper = "",
    .level = Level::node,
    .make = []() -> std::unique_ptr<Embedding> { return std::make_unique<ScaledDegrees>(); },
    .karateclub = {"scale=3"}};

TEST(EmbeddingMethods, NewOnesNeedOneFileAndOneRow) {
  expect_contract(kScaledDegrees, EmbeddingVariant::paper);
  expect_contract(kScaledDegrees, EmbeddingVariant::karateclub);
  const Dataset karate = karate_dataset();
  const auto first = [&](const Settings& settings, EmbeddingVariant variant) {
    return embed(karate, kScaledDegrees, *make_embedding(kScaledDegrees, settings, variant))(0, 0);
  };
  EXPECT_EQ(first({}, EmbeddingVariant::paper), 16);
  EXPECT_EQ(first({"scale=0.5"}, EmbeddingVariant::paper), 8);
  EXPECT_EQ(first({}, EmbeddingVariant::karateclub), 48);
  EXPECT_EQ(first({"scale=2"}, EmbeddingVariant::karateclub), 32);  // settings come last
  EXPECT_EQ(error_of([&] { embed(triads_dataset({}, 0), kScaledDegrees, ScaledDegrees()); }),
            "degrees is a method for the nodes of one graph, but triads is a set of graphs");
  EXPECT_EQ(error_of([&] { ScaledDegrees().infer({karate.graph}, {karate.graph}); }),
            "this method embeds only the graphs that it is fitted on");
}

TEST(EmbeddingMethods, RefuseInOneSentence) {
  EXPECT_EQ(error_of([] { find_embedding_method("node2vex"); }),
            "there is no embedding method \"node2vex\"; did you mean node2vec?");
  EXPECT_EQ(error_of([] {
              make_embedding(find_embedding_method("node2vec"), {}, EmbeddingVariant::karateclub);
            }),
            "node2vec has no karateclub variant");
}

TEST(RealData, AccuracyOfMutag) {
  MGNN_NEEDS_DATA();
  const Dataset mutag = load_dataset("mutag", {.data_dir = data_dir(), .download = false});
  const auto accuracy_of = [&](const char* name) {
    const EmbeddingMethod& method = find_embedding_method(name);
    return probe(embed(mutag, method, *method.make()), mutag, {.seeds = 2}).test().mean;
  };
  EXPECT_GT(accuracy_of("netlsd"), 0.8);
  EXPECT_GT(accuracy_of("feather"), 0.77);
  EXPECT_GT(accuracy_of("graph2vec"), 0.78);
}

}  // namespace
}  // namespace mgnn
