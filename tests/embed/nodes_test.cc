// Embeddings of nodes against closed forms, golden values and exact decompositions.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>

#include "mgnn/base/parallel.h"
#include "mgnn/data/embedded.h"
#include "mgnn/embed/deepwalk.h"
#include "mgnn/embed/grarep.h"
#include "mgnn/embed/hope.h"
#include "mgnn/embed/node2vec.h"
#include "mgnn/embed/skip_gram_kernel.h"
#include "mgnn/graph/walks.h"
#include "mgnn/task/logistic_regression.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Graph undirected(NodeId n, Array<Edge> edges) {
  return build_graph(n, std::move(edges), {.symmetrise = true}).graph;
}

Dense adjacency(const Graph& g, std::span<const float> weight = {}) {
  Dense a = Dense::Zero(g.num_nodes(), g.num_nodes());
  for (NodeId u = 0; u < g.num_nodes(); u++)
    for (Offset e = g.out.start[u]; e < g.out.start[u + 1]; e++)
      a(u, g.out.index[e]) = weight.empty() ? 1 : double(weight[size_t(e)]);
  return a;
}

// The whole matrix of a linear map, by its products; checks that both products are of the same.
Dense matrix_of(const LinearMap& map) {
  const Dense unit = Dense::Identity(map.cols, map.cols);
  Dense m(map.rows, map.cols), t(map.cols, map.rows);
  map.times(unit.data(), map.cols, m.data());
  map.transposed_times(unit.data(), map.rows, t.data());
  EXPECT_LT((m - t.transpose()).norm(), 1e-9 * (1 + m.norm()));
  return m;
}

Eigen::VectorXd singular_values(const Dense& m) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(Eigen::MatrixXd(m)).singularValues();
}

Dense gram(const Matrix& z) {
  const Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>> m(z.data.data(), z.rows,
                                                                          z.cols);
  return (m * m.transpose()).cast<double>();
}

Dense product(const Matrix& a, const Matrix& b) {
  using Floats = Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>;
  return (Floats(a.data.data(), a.rows, a.cols) * Floats(b.data.data(), b.rows, b.cols).transpose())
      .cast<double>();
}

TEST(Hope, KatzOfTwoNodes) {
  const Graph k2 = undirected(2, {{0, 1}});
  const double b = 0.3;
  const Dense s = matrix_of(similarity_map({k2}, {.beta = b}));
  EXPECT_NEAR(s(0, 0), b * b / (1 - b * b), 1e-9);
  EXPECT_NEAR(s(0, 1), b / (1 - b * b), 1e-9);
}

TEST(Hope, GoldenValuesOfKarate) {
  const Graph g = karate_dataset().graph;
  const Dense half = matrix_of(similarity_map({g}, {}));
  const double expected[] = {1.0, .5873124352, .2768426676, .2501434353, .2072360332};
  for (int i = 0; i < 5; i++) EXPECT_NEAR(singular_values(half)[i], expected[i], 1e-8);
  EXPECT_NEAR(half.norm(), 1.3239750248, 1e-8);
  const Dense small = matrix_of(similarity_map({g}, {.beta = 0.01}));
  EXPECT_NEAR(singular_values(small)[0], .0721066528, 1e-9);
  EXPECT_NEAR(singular_values(small)[1], .0523776151, 1e-9);
  EXPECT_NEAR(singular_values(small)[2], .0429452406, 1e-9);
  EXPECT_NEAR(small(0, 33), .000416437559, 1e-12);
  const Dense common =
      matrix_of(similarity_map({g}, {.similarity = Similarity::common_neighbours}));
  EXPECT_NEAR(singular_values(common)[0], 45.2350099235, 1e-8);
  EXPECT_NEAR(singular_values(common)[1], 24.7712679237, 1e-8);
  EXPECT_NEAR(singular_values(common)[2], 20.1352258409, 1e-8);
}

TEST(Hope, SingularValuesFollowFromEigenvaluesOfSymmetricGraphs) {
  const Graph g = karate_dataset().graph;
  const double beta = 0.05;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(adjacency(g))};
  EXPECT_NEAR(solver.eigenvalues().maxCoeff(), 6.72569772763, 1e-9);
  std::vector<double> expected;
  for (const double l : solver.eigenvalues())
    expected.push_back(std::abs(beta * l / (1 - beta * l)));
  std::sort(expected.rbegin(), expected.rend());
  const Eigen::VectorXd found = singular_values(matrix_of(similarity_map({g}, {.beta = beta})));
  for (int i = 0; i < 34; i++) EXPECT_NEAR(found[i], expected[size_t(i)], 1e-9);
}

// Eckart and Young: what a vector of few numbers loses is what the smaller singular values have.
TEST(Hope, LosesNoMoreThanItMust) {
  const Graph g = karate_dataset().graph;
  const Dense s = matrix_of(similarity_map({g}, {}));
  const Eigen::VectorXd all = singular_values(s);
  for (const int64_t rank : {1, 4, 10}) {
    const Matrix z = hope({g}, {.dimension = 2 * rank});
    Dense rest = s;
    for (int u = 0; u < 34; u++)
      for (int v = 0; v < 34; v++)
        for (int64_t k = 0; k < rank; k++) rest(u, v) -= double(z(u, k)) * double(z(v, rank + k));
    EXPECT_NEAR(rest.norm(), all.tail(34 - rank).norm(), 1e-5) << rank;
  }
}

TEST(Hope, SimilaritiesByDefinition) {
  for (uint64_t seed = 0; seed < 4; seed++) {
    const Graph g = random_graph(15, 0.2, seed);
    std::vector<float> weight;
    Rng rng(seed);
    for (Offset e = 0; e < g.num_arcs(); e++) weight.push_back(float(rng.uniform()) + 0.1f);
    const EmbedInput input{.graph = g, .arc_weight = weight};
    const Dense a = adjacency(g, weight), one = Dense::Identity(15, 15);
    const auto similarity = [&](HopeOptions o) { return matrix_of(similarity_map(input, o)); };
    const double beta = 0.3 / a.norm();
    EXPECT_LT((similarity({.beta = beta}) - (one - beta * a).inverse() * beta * a).norm(), 1e-8);
    Dense p = a, d = Dense::Zero(15, 15), r = d;
    for (NodeId u = 0; u < 15; u++) {
      if (a.row(u).sum() > 0) p.row(u) /= a.row(u).sum();
      int neighbours = 0;
      for (NodeId v = 0; v < 15; v++) neighbours += g.has_arc(u, v) || g.has_arc(v, u);
      if (neighbours > 1) d(u, u) = 1 / std::log(neighbours);
      if (neighbours > 0) r(u, u) = 1. / neighbours;
    }
    EXPECT_LT((similarity({.similarity = Similarity::rooted_pagerank, .alpha = 0.7}) -
               0.3 * (one - 0.7 * p).inverse())
                  .norm(),
              1e-8);
    EXPECT_LT((similarity({.similarity = Similarity::adamic_adar}) - a * d * a).norm(), 1e-9);
    EXPECT_LT((similarity({.similarity = Similarity::resource_allocation}) - a * r * a).norm(),
              1e-9);
  }
}

TEST(Hope, InnerProductsAreTheSimilarity) {
  const Graph g = random_graph(20, 0.2, 9);  // directed
  const HopeOptions options{.dimension = 40, .beta = 0.05};
  const Matrix z = hope({g}, options);
  const Dense s = matrix_of(similarity_map({g}, options));
  for (int64_t u = 0; u < 20; u++)
    for (int64_t v = 0; v < 20; v++) {
      double product = 0;
      for (int64_t k = 0; k < 20; k++) product += double(z(u, k)) * double(z(v, 20 + k));
      EXPECT_NEAR(product, s(u, v), 1e-6);
    }
}

TEST(Hope, RefusesWhatHasNoLimit) {
  const Graph k2 = undirected(2, {{0, 1}});
  EXPECT_NE(error_of([&] { hope({k2}, {.beta = 1}); }).find("beta = 1 is not below 1"),
            std::string::npos);
  EXPECT_NE(error_of([&] { hope({k2}, {.dimension = 7}); }).find("must be even"),
            std::string::npos);
  const Graph path = make_graph(3, {{0, 1}, {1, 2}});  // no cycle: any beta
  EXPECT_NEAR(matrix_of(similarity_map({path}, {.beta = 3}))(0, 2), 9, 1e-9);
  EXPECT_EQ(hope({make_graph(0, {})}).rows, 0);
}

// X of the paper, densely.
Dense grarep_by_definition(const Dense& a, int k) {
  Dense p = a, power = Dense::Identity(a.rows(), a.rows());
  for (Eigen::Index u = 0; u < a.rows(); u++)
    if (a.row(u).sum() > 0) p.row(u) /= a.row(u).sum();
  for (int i = 0; i < k; i++) power = power * p;
  Dense x = Dense::Zero(a.rows(), a.rows());
  for (Eigen::Index i = 0; i < a.rows(); i++)
    for (Eigen::Index j = 0; j < a.rows(); j++)
      if (power(i, j) > 0)
        x(i, j) = std::max(0., std::log(power(i, j) / power.col(j).sum()) + std::log(a.rows()));
  return x;
}

TEST(GraRep, TriangleByHand) {
  const Graph k3 = undirected(3, {{0, 1}, {1, 2}, {0, 2}});
  const Dense one = Dense::Identity(3, 3), ones = Dense::Ones(3, 3);
  EXPECT_LT((matrix_of(grarep_map({k3}, 1)) - std::log(1.5) * (ones - one)).norm(), 1e-12);
  EXPECT_LT((matrix_of(grarep_map({k3}, 2)) - std::log(1.5) * one).norm(), 1e-12);
}

TEST(GraRep, GoldenValuesOfKarate) {
  const Graph g = karate_dataset().graph;
  const struct {
    int64_t non_zeros;
    double norm, largest;
  } expected[] = {{148, 23.1612538, 10.9301209},
                  {396, 18.0545778, 9.0518516},
                  {416, 15.4845031, 8.4622584},
                  {482, 13.0603725, 7.6259334}};
  for (int k = 1; k <= 4; k++) {
    const Dense x = matrix_of(grarep_map({g}, k));
    EXPECT_EQ((x.array() > 1e-12).count(), expected[k - 1].non_zeros) << k;
    EXPECT_NEAR(x.norm(), expected[k - 1].norm, 1e-6);
    EXPECT_NEAR(singular_values(x)[0], expected[k - 1].largest, 1e-6);
  }
}

TEST(GraRep, ByDefinitionOnDirectedWeightedGraphs) {
  for (uint64_t seed = 0; seed < 4; seed++) {
    const Graph g = random_graph(18, 0.12, seed);  // with sinks and isolated nodes
    std::vector<float> weight;
    Rng rng(seed);
    for (Offset e = 0; e < g.num_arcs(); e++) weight.push_back(float(rng.uniform()) + 0.1f);
    for (int k = 1; k <= 3; k++)
      EXPECT_LT((matrix_of(grarep_map({.graph = g, .arc_weight = weight}, k)) -
                 grarep_by_definition(adjacency(g, weight), k))
                    .norm(),
                1e-9);
  }
}

TEST(GraRep, KarateclubsMatrix) {
  const Graph g = karate_dataset().graph;
  Dense p = adjacency(g) + Dense::Identity(34, 34);
  for (int u = 0; u < 34; u++) p.row(u) /= double(g.out.row_size(u)) + 2;
  const Dense power = p * p;
  const Dense x = matrix_of(grarep_map({g}, 2, true));
  for (int i = 0; i < 34; i++)
    for (int j = 0; j < 34; j++)
      EXPECT_NEAR(x(i, j), power(i, j) > 0 ? std::log(power(i, j)) - std::log(34.) : 0, 1e-9);
}

TEST(GraRep, DoesNotDependOnTheOrderOfNodes) {
  const Graph g = karate_dataset().graph;
  std::vector<NodeId> order(34);
  std::iota(order.begin(), order.end(), 0);
  Rng(4).shuffle(std::span(order));
  Array<Edge> moved;
  for (const Edge& e : arcs(g)) moved.push_back({order[size_t(e.from)], order[size_t(e.to)]});
  const GraRepOptions options{.dimension = 80, .steps = 2, .normalise = false};
  const Dense a = gram(grarep({g}, options)), b = gram(grarep({make_graph(34, moved)}, options));
  for (int i = 0; i < 34; i++)
    for (int j = 0; j < 34; j++) EXPECT_NEAR(a(i, j), b(order[size_t(i)], order[size_t(j)]), 1e-3);
}

TEST(SkipGram, StepsAreSlopesOfTheLoss) {
  constexpr int kInputs = 3, kOutputs = 8, kColumns = 16;
  Rng rng(3);
  std::vector<float> data((kInputs + kOutputs) * kColumns);
  for (float& x : data) x = float(rng.normal()) * 0.4f;
  const auto loss = [&](const std::vector<double>& v) {
    double sum = 0;
    for (int i = 0; i < kInputs; i++)
      for (int k = 0; k < kOutputs; k++) {
        double dot = 0;
        for (int c = 0; c < kColumns; c++)
          dot += v[size_t(i * kColumns + c)] * v[size_t((kInputs + k) * kColumns + c)];
        sum += std::log1p(std::exp(k == 0 ? -dot : dot));
      }
    return sum;
  };
  const auto step = [&](auto slopes, auto update) {
    std::vector<float> moved = data;
    std::vector<float*> input, output;
    for (int i = 0; i < kInputs; i++) input.push_back(moved.data() + i * kColumns);
    for (int k = 0; k < kOutputs; k++) output.push_back(moved.data() + (kInputs + k) * kColumns);
    const SkipGramStep s{input.data(), kInputs, output.data(), kOutputs, kColumns};
    std::vector<float> slope(size_t(skip_gram_slopes_size(kInputs, kOutputs)));
    slopes(s, 1e-3f, slope.data());
    update(s, slope.data(), 0, kColumns, true);
    return moved;
  };
  const std::vector<float> plain = step(generic::skip_gram_slopes, generic::skip_gram_update);
  const std::vector<float> fast =
      step([](const SkipGramStep& s, float rate,
              float* slope) { MGNN_DISPATCH(skip_gram_slopes, s, rate, slope); },
           [](const SkipGramStep& s, const float* slope, int first, int last, bool learn) {
             MGNN_DISPATCH(skip_gram_update, s, slope, first, last, learn);
           });
  std::vector<double> at(data.begin(), data.end());
  for (size_t i = 0; i < data.size(); i++) {
    std::vector<double> up = at, down = at;
    up[i] += 1e-5, down[i] -= 1e-5;
    const double slope = (loss(up) - loss(down)) / 2e-5;
    EXPECT_NEAR((double(plain[i]) - at[i]) / 1e-3, -slope, 3e-3) << i;
    EXPECT_NEAR(fast[i], plain[i], 1e-6);
  }
}

const Node2VecOptions kSmall = [] {
  Node2VecOptions o;
  o.walks = 4, o.length = 20, o.skip_gram.dimension = 24, o.skip_gram.window = 3;
  return o;
}();

TEST(SkipGram, SameVectorsForAnyNumberOfThreads) {
  const Graph g = random_graph(4200, 0.001, 6);  // enough for batches that threads share
  Node2VecOptions options = kSmall;
  options.skip_gram.window = 10, options.skip_gram.dimension = 128, options.walks = 1;
  const auto vectors = [&](int threads) {
    set_num_threads(threads);
    const Matrix z = node2vec({g}, options);
    set_num_threads(0);
    return z.data;
  };
  const Array<float> alone = vectors(1);
  EXPECT_EQ(vectors(2), alone);
  EXPECT_EQ(vectors(3), alone);
  options.skip_gram.seed = 1;
  EXPECT_NE(vectors(1), alone);
}

// Spearman's correlation of the entries above the diagonal.
double rank_correlation(const Dense& a, const Dense& b) {
  std::vector<double> x, y;
  for (Eigen::Index i = 0; i < a.rows(); i++)
    for (Eigen::Index j = i + 1; j < a.rows(); j++) x.push_back(a(i, j)), y.push_back(b(i, j));
  const auto ranks = [](const std::vector<double>& v) {
    std::vector<size_t> order(v.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return v[i] < v[j]; });
    Eigen::VectorXd rank(Eigen::Index(v.size()));
    for (size_t i = 0; i < v.size();) {
      size_t last = i;
      while (last + 1 < v.size() && v[order[last + 1]] == v[order[i]]) last++;
      for (size_t k = i; k <= last; k++) rank[Eigen::Index(order[k])] = double(i + last) / 2;
      i = last + 1;
    }
    rank.array() -= rank.mean();
    return rank;
  };
  const Eigen::VectorXd r = ranks(x), s = ranks(y);
  return r.dot(s) / (r.norm() * s.norm());
}

TEST(DeepWalk, InnerProductsFollowItsMatrix) {
  // Input times output vectors approach log(vol/(b T) Σ P^r D^-1): Qiu et al. "NetMF", WSDM 2018.
  const Graph g = karate_dataset().graph;
  const Dense a = adjacency(g);
  Dense p = a, power = Dense::Identity(34, 34), sum = Dense::Zero(34, 34);
  for (int u = 0; u < 34; u++) p.row(u) /= a.row(u).sum();
  for (int r = 0; r < 5; r++) sum += power = power * p;
  Dense m(34, 34);
  for (int i = 0; i < 34; i++)
    for (int j = 0; j < 34; j++) m(i, j) = std::log(156. / 5 * sum(i, j) / a.row(j).sum());
  const Walker walker(g);
  const Corpus corpus = walk_corpus(walker, 34, 60, 40, 1);
  for (const bool unordered : {false, true}) {
    const TokenVectors v = train_skip_gram(
        corpus, {.dimension = 64, .window = 5, .epochs = 10, .unordered = unordered});
    EXPECT_GT(rank_correlation(product(v.input, v.output), m), 0.8) << unordered;
  }
}

TEST(DeepWalk, TellsTwoCliquesApart) {
  Array<Edge> edges = {{0, 10}};
  for (NodeId u = 0; u < 20; u++)
    for (NodeId v = u + 1; v < (u < 10 ? 10 : 20); v++) edges.push_back({u, v});
  std::vector<int32_t> label(20, 0);
  std::fill(label.begin() + 10, label.end(), 1);
  std::vector<NodeId> rows(20);
  std::iota(rows.begin(), rows.end(), 0);
  for (const bool pairwise : {false, true})
    for (const bool cbow : {false, true}) {
      DeepWalkOptions options;
      options.skip_gram = {.dimension = 16,
                           .window = 3,
                           .epochs = 5,
                           .share_negatives = !pairwise,
                           .cbow = cbow,
                           .hierarchical = cbow && pairwise};
      const Matrix z = deepwalk({undirected(20, edges)}, options);
      EXPECT_EQ(accuracy(fit_logistic_regression(z, label, rows, 2), z, label, rows), 1);
    }
}

TEST(NodeMethods, EdgeCases) {
  const Graph lonely = make_graph(3, {{0, 1}});
  for (const Matrix& z :
       {node2vec({lonely}, kSmall), deepwalk({lonely}), grarep({lonely}), hope({lonely})}) {
    EXPECT_EQ(z.rows, 3);
    for (const float x : z.data) EXPECT_TRUE(std::isfinite(x));
  }
  EXPECT_EQ(node2vec({make_graph(0, {})}, kSmall).rows, 0);
  EXPECT_EQ(grarep({make_graph(1, {})}).cols, 128);
}

}  // namespace
}  // namespace mgnn
