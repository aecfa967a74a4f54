// Embeddings of graphs against closed forms and golden values.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "mgnn/base/parallel.h"
#include "mgnn/data/embedded.h"
#include "mgnn/data/load.h"
#include "mgnn/embed/feather.h"
#include "mgnn/embed/gl2vec.h"
#include "mgnn/embed/netlsd.h"
#include "mgnn/task/probe.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::data_dir, testing::random_graph;

Graph undirected(NodeId n, Array<Edge> edges) {
  return build_graph(n, std::move(edges), {.symmetrise = true}).graph;
}

Graph cycle(NodeId n) {
  Array<Edge> edges;
  for (NodeId u = 0; u < n; u++) edges.push_back({u, (u + 1) % n});
  return undirected(n, edges);
}

TEST(WlColours, OfKarate) {
  WlColours colours;
  const Graph g = karate_dataset().graph;
  const auto of_step = colours.colours({g}, 4, true, true);
  const size_t expected[] = {11, 27, 27, 27, 27};
  for (size_t h = 0; h < 5; h++)
    EXPECT_EQ(std::set(of_step[h].begin(), of_step[h].end()).size(), expected[h]) << h;
}

TEST(WlColours, KeepTheirNumbers) {
  WlColours colours;
  const Graph c6 = cycle(6), two = undirected(6, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}});
  EXPECT_EQ(colours.colours({c6}, 2, true, true), colours.colours({two}, 2, true, true));
  const Graph path = undirected(3, {{0, 1}, {1, 2}});
  const auto unknown = colours.colours({path}, 1, true, false);
  EXPECT_EQ(unknown[0], (std::vector<int32_t>{-1, 0, -1}));
  EXPECT_EQ(unknown[1], (std::vector<int32_t>{-1, -1, -1}));
  // Direction and labels count.
  const Graph out = make_graph(3, {{0, 1}, {0, 2}}), in = make_graph(3, {{1, 0}, {2, 0}});
  EXPECT_NE(colours.colours({out}, 1, true, true), colours.colours({in}, 1, true, true));
  const std::vector<int32_t> label = {0, 1, 1}, other = {1, 0, 0};
  EXPECT_NE(colours.colours({.graph = path, .node_label = label}, 0, true, true),
            colours.colours({.graph = path, .node_label = other}, 0, true, true));
}

// Cycles, stars and complete graphs in turn, of 5, 6, … nodes.
struct Shapes {
  Graph graph;
  std::vector<NodeId> start = {0};
};
Shapes shapes(int count) {
  Shapes set;
  Array<Edge> edges;
  for (int g = 0; g < count; g++) {
    const NodeId first = set.start.back(), size = 5 + g / 3;
    for (NodeId u = 0; u < size; u++)
      for (NodeId v = 0; v < u; v++)
        if (g % 3 == 2 || (g % 3 == 1 && v == 0) ||
            (g % 3 == 0 && (u - v == 1 || u - v == size - 1)))
          edges.push_back({first + u, first + v});
    set.start.push_back(first + size);
  }
  set.graph = undirected(set.start.back(), edges);
  return set;
}

double cosine(std::span<const float> a, std::span<const float> b) {
  double ab = 0, aa = 0, bb = 0;
  for (size_t i = 0; i < a.size(); i++)
    ab += double(a[i] * b[i]), aa += double(a[i] * a[i]), bb += double(b[i] * b[i]);
  return ab / std::sqrt(aa * bb);
}

TEST(Graph2Vec, UnseenGraphsAreNearTheirKind) {
  const Shapes set = shapes(24);
  const EmbedInput input{.graph = set.graph, .graph_start = set.start};
  Graph2VecOptions options;
  options.steps = 0;
  options.skip_gram = {.dimension = 16, .epochs = 300, .rate = 0.05};
  const Graph2Vec model = fit_graph2vec(input, options);
  const Matrix inferred = infer(model, input);
  for (int64_t g = 0; g < 24; g += 3) {  // a cycle is nearer to cycles than to complete graphs
    double same = 0, other = 0;
    for (int64_t h = 0; h < 24; h += 3) {
      same += cosine(inferred.row(g), model.vectors.input.row(h));
      other += cosine(inferred.row(g), model.vectors.input.row(h + 2));
    }
    EXPECT_GT(same, other) << g;
  }
  set_num_threads(3);
  EXPECT_EQ(graph2vec(input, options).data, model.vectors.input.data);
  EXPECT_EQ(infer(model, input).data, inferred.data);
  set_num_threads(0);
}

TEST(Gl2Vec, EdgelessGraphsAndConcatenation) {
  const Graph set = undirected(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}});
  const std::vector<NodeId> start = {0, 3, 5, 6};
  Gl2VecOptions options;
  options.graph2vec.skip_gram = {.dimension = 10, .epochs = 3};
  for (const bool concat : {true, false}) {
    options.concat = concat;
    const Matrix z = gl2vec({.graph = set, .graph_start = start}, options);
    EXPECT_EQ(z.rows, 3);
    EXPECT_EQ(z.cols, 10);
    for (const float x : z.data) EXPECT_TRUE(std::isfinite(x));
  }
}

// The trace at t, unnormalised.
double heat(const Graph& g, double t, NetLsdOptions o = {}) {
  o.normalisation = LsdNormalisation::none;
  o.scales = 401;  // every hundredth part of a power of ten
  const auto place = int64_t(std::lround(100 * (std::log10(t) + 2)));
  return double(netlsd({g}, o)(0, place));
}

TEST(NetLsd, ClosedForms) {
  for (const double t : {0.01, 0.1, 1., 10.}) {
    Array<Edge> complete, star;
    for (NodeId u = 0; u < 6; u++)
      for (NodeId v = 0; v < u; v++) complete.push_back({u, v});
    for (NodeId v = 1; v < 6; v++) star.push_back({0, v});
    EXPECT_NEAR(heat(undirected(6, complete), t), 1 + 5 * std::exp(-t * 6 / 5), 1e-5);
    EXPECT_NEAR(heat(undirected(6, star), t), 1 + 4 * std::exp(-t) + std::exp(-2 * t), 1e-5);
    EXPECT_NEAR(heat(cycle(4), t), 1 + 2 * std::exp(-t) + std::exp(-2 * t), 1e-5);
    const Graph apart = undirected(8, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}});  // 6, 7 alone
    EXPECT_NEAR(heat(apart, t), heat(cycle(4), t) + 1 + std::exp(-2 * t) + 2, 1e-5);
  }
}

// tr e^-tL = n - t tr L + t²/2 tr L² - …, each term below the one before for small t.
TEST(NetLsd, BeginsAsItsSeries) {
  const Graph g = karate_dataset().graph;
  double square = 34;  // Σ λ², with ones on the diagonal of L
  for (const Edge& e : arcs(g))
    square += 1. / double(g.out.row_size(e.from) * g.out.row_size(e.to));
  for (const double t : {0.01, 0.1}) {
    const double first = 34 - 34 * t;
    EXPECT_GT(heat(g, t), first);
    EXPECT_LT(heat(g, t), first + t * t / 2 * square + 1e-5);
  }
}

TEST(NetLsd, GoldenValuesOfKarate) {
  const Graph g = karate_dataset().graph;
  const Matrix z = netlsd({g}, {.scales = 5});  // t = 0.01, 0.1, 1, 10, 100
  const double expected[] = {.9900581853, .9056050775, .4021520592, .0397216938, .0294118177};
  for (int i = 0; i < 5; i++) EXPECT_NEAR(z(0, i), expected[i], 1e-7);
  NetLsdOptions wave{.kernel = LsdKernel::wave, .scales = 250};
  const std::vector<double> t = netlsd_scales(wave);
  const Matrix w = netlsd({g}, wave);
  // Between two points of time: by the slope, which is small beside their distance.
  const double step = t[1], place = 1 / step;
  const auto i = int64_t(place);
  const double part = place - double(i);
  EXPECT_NEAR(w(0, i) * (1 - part) + w(0, i + 1) * part, .4926350719, 2e-4);
  EXPECT_NEAR(w(0, 250 + i) * (1 - part) + w(0, 251 + i) * part, -.7759040490, 2e-4);
}

TEST(NetLsd, QuadratureIsNearTheExactTrace) {
  for (uint64_t seed = 0; seed < 3; seed++) {
    Array<Edge> edges;
    Rng rng(seed);
    for (int i = 0; i < 1500; i++)
      edges.push_back({NodeId(rng.below(600)), NodeId(rng.below(600))});
    const Graph g = undirected(620, edges);
    const Matrix exact = netlsd({g}, {.scales = 40});
    const Matrix sampled = netlsd({g}, {.scales = 40, .exact_up_to = 0});
    for (int64_t i = 0; i < 40; i++) EXPECT_NEAR(sampled(0, i) / exact(0, i), 1, 0.01) << i;
  }
}

TEST(Feather, RegularGraphsSeeOneDegree) {
  const Matrix z = feather({cycle(6)}, {.clustering = false});
  ASSERT_EQ(z.cols, 250);
  for (int64_t r = 0; r < 5; r++)
    for (int64_t i = 0; i < 25; i++) {
      const double theta = 0.01 + 2.49 * double(i) / 24;
      EXPECT_NEAR(z(0, 50 * r + i), std::cos(theta * std::log(3.)), 1e-6);
      EXPECT_NEAR(z(0, 50 * r + 25 + i), std::sin(theta * std::log(3.)), 1e-6);
    }
}

TEST(Feather, IsACharacteristicFunction) {
  for (uint64_t seed = 0; seed < 4; seed++) {
    const Graph g = undirected(30, arcs(random_graph(30, 0.1, seed)));
    const Matrix z = feather({g}), near = feather({g}, {.last_point = 0.01});
    for (const float x : z.data) EXPECT_LE(std::abs(x), 1 + 1e-6f);
    // At points near zero cosines are one and sines are zero, but for nodes without neighbours.
    double alone = 0;
    for (NodeId u = 0; u < 30; u++) alone += g.out.row_size(u) == 0;
    for (int64_t i = 0; i < 50; i++) {
      EXPECT_NEAR(near(0, i), 1 - alone / 30, 1e-3);
      EXPECT_NEAR(near(0, 50 + i), 0, 0.04);
    }
  }
}

TEST(Feather, GoldenValuesOfKarate) {
  const Graph g = karate_dataset().graph;
  const Matrix z = feather({g});
  ASSERT_EQ(z.cols, 500);
  double sum = 0;
  for (const float x : z.data) sum += double(x);
  EXPECT_NEAR(sum, 178.0503574768, 1e-4);
  const std::pair<int64_t, double> expected[] = {{0, .9997406942},
                                                 {24, .1909935822},
                                                 {25, .9999908786},
                                                 {99, .5845261394},
                                                 {499, .6175789363}};
  for (const auto& [place, value] : expected) EXPECT_NEAR(z(0, place), value, 1e-7) << place;
}

TEST(GraphMethods, AGraphsRowDoesNotDependOnTheOthers) {
  const Graph set =
      undirected(11, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {5, 6}, {6, 7}, {7, 8}, {8, 5}});
  const std::vector<NodeId> start = {0, 3, 5, 5, 9, 11};  // one empty, one of two lonely nodes
  const Matrix f = feather({.graph = set, .graph_start = start});
  const Matrix n = netlsd({.graph = set, .graph_start = start});
  const Matrix f4 = feather({cycle(4)}), n4 = netlsd({cycle(4)});
  for (int64_t c = 0; c < f.cols; c++) EXPECT_NEAR(f(3, c), f4(0, c), 1e-6);
  for (int64_t c = 0; c < n.cols; c++) EXPECT_NEAR(n(3, c), n4(0, c), 1e-6);
  for (const float x : f.row(2)) EXPECT_EQ(x, 0);
  for (const float x : n.row(4)) EXPECT_NEAR(x, 1, 1e-6);  // eigenvalue 0, not 1
}

// All methods of the table.
TEST(EmbeddingMethods, KeepTheirContract) {
  const Dataset karate = karate_dataset(), triads = triads_dataset({}, 0);
  for (const EmbeddingMethod& method : embedding_methods()) {
    const Dataset& data = method.nodes ? karate : triads;
    for (const auto make : {method.make, method.make_karateclub}) {
      if (!make) continue;
      const auto run = [&](int threads) {
        const std::unique_ptr<Embedding> embedding = make();
        const Options options = embedding->options();
        for (const Option& option : options) {
          option.set(option.get());  // what is printed can be read
          if (option.name == "epochs") option.set("2");
          if (option.name == "walks") option.set("2");
        }
        set_option(options, "seed=3");
        set_num_threads(threads);
        const Matrix z = embed(data, method, *embedding);
        set_num_threads(0);
        return z;
      };
      const Matrix z = run(1);
      EXPECT_EQ(z.rows, int64_t(data.label.size())) << method.name;
      for (const float x : z.data) ASSERT_TRUE(std::isfinite(x)) << method.name;
      EXPECT_EQ(run(3).data, z.data) << method.name;
      EXPECT_EQ(probe(z, data, {.seeds = 1}).accuracy.size(), method.nodes ? 1u : 5u);
    }
  }
  EXPECT_EQ(testing::error_of([] { find_embedding_method("node2vex"); }),
            "there is no embedding method \"node2vex\"; did you mean node2vec?");
  const std::unique_ptr<Embedding> hope = find_embedding_method("hope").make();
  EXPECT_EQ(testing::error_of([&] { embed(triads, find_embedding_method("hope"), *hope); }),
            "hope is a method for the nodes of one graph, but triads is a set of graphs");
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
