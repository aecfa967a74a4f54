// Skip-gram, and the methods that train it on walks.
#include <cmath>
#include <numeric>

#include "mgnn/base/parallel.h"
#include "mgnn/data/embedded.h"
#include "mgnn/embed/skip_gram_kernel.h"
#include "mgnn/embed/walk_vectors.h"
#include "mgnn/task/logistic_regression.h"
#include "tests/embed/util.h"

namespace mgnn {
namespace {

using namespace testing;

TEST(SkipGram, GradientsAreThoseOfTheLoss) {
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
          dot += v[i * kColumns + c] * v[(kInputs + k) * kColumns + c];
        sum += std::log1p(std::exp(k == 0 ? -dot : dot));
      }
    return sum;
  };
  const auto step = [&](auto gradients, auto update) {
    std::vector<float> moved = data;
    std::vector<float*> input, output;
    for (int i = 0; i < kInputs; i++) input.push_back(moved.data() + i * kColumns);
    for (int k = 0; k < kOutputs; k++) output.push_back(moved.data() + (kInputs + k) * kColumns);
    const SkipGramStep s{.input = input.data(),
                         .num_inputs = kInputs,
                         .output = output.data(),
                         .num_outputs = kOutputs,
                         .columns = kColumns};
    std::vector<float> gradient(size_t(skip_gram_gradients_size(kInputs, kOutputs)));
    gradients(s, 1e-3f, gradient.data());
    update(s, gradient.data(), 0, kColumns, SkipGramUpdate::inputs_and_outputs);
    return moved;
  };
  const std::vector<float> plain = step(generic::skip_gram_gradients, generic::skip_gram_update);
  const std::vector<float> fast = step(
      [](const SkipGramStep& s, float rate, float* gradient) {
        MGNN_DISPATCH(skip_gram_gradients, s, rate, gradient);
      },
      [](const SkipGramStep& s, const float* gradient, int first, int last, SkipGramUpdate which) {
        MGNN_DISPATCH(skip_gram_update, s, gradient, first, last, which);
      });
  std::vector<double> at(data.begin(), data.end());
  for (size_t i = 0; i < data.size(); i++) {
    std::vector<double> up = at, down = at;
    up[i] += 1e-5, down[i] -= 1e-5;
    const double expected = (loss(up) - loss(down)) / 2e-5;
    EXPECT_NEAR((double(plain[i]) - at[i]) / 1e-3, -expected, 3e-3) << i;
    EXPECT_NEAR(fast[i], plain[i], 1e-6);
  }
}

const Settings kSmall = {"walks=4", "length=20", "dimension=24", "window=3"};

TEST(SkipGram, SameVectorsForAnyNumberOfThreads) {
  const Graph g = random_graph(4200, 0.001, 6);  // enough for batches that threads share
  const auto vectors = [&](int threads, uint64_t seed = 0) {
    set_num_threads(threads);
    const Matrix z =
        embedded("node2vec", {g}, {"walks=1", "length=20", {"seed", std::to_string(seed)}});
    set_num_threads(0);
    return z.data;
  };
  const Array<float> alone = vectors(1);
  EXPECT_EQ(vectors(2), alone);
  EXPECT_EQ(vectors(3), alone);
  EXPECT_NE(vectors(1, 1), alone);
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
      const Matrix z = embedded("deepwalk", {undirected(20, edges)},
                                {"dimension=16",
                                 "window=3",
                                 "epochs=5",
                                 {"share_negatives", !pairwise},
                                 {"cbow", cbow},
                                 {"hierarchical", cbow && pairwise}});
      EXPECT_EQ(accuracy(fit_logistic_regression(z, label, rows, 2), z, label, rows), 1);
    }
}

TEST(NodeMethods, EdgeCases) {
  const Graph lonely = make_graph(3, {{0, 1}});
  for (const Matrix& z : {embedded("node2vec", {lonely}, kSmall), embedded("deepwalk", {lonely}),
                          embedded("grarep", {lonely}), embedded("hope", {lonely})}) {
    EXPECT_EQ(z.rows, 3);
    for (const float x : z.data) EXPECT_TRUE(std::isfinite(x));
  }
  EXPECT_EQ(embedded("node2vec", {make_graph(0, {})}, kSmall).rows, 0);
  EXPECT_EQ(embedded("grarep", {make_graph(1, {})}).cols, 128);
}

}  // namespace
}  // namespace mgnn
