#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "mgnn/models/operators.h"
#include "tests/models/built.h"

namespace mgnn {
namespace {

using testing::expect_near, testing::Built, testing::random_features, testing::random_graph,
    testing::undirected;

// relu(X Θ_0 + L X Θ_1 + b) with L written out.
MatrixOf<double> filtered(const Built& net, const Matrix& x,
                          const std::vector<std::vector<double>>& l) {
  const NamedParameter& p = net.parameter("layer1.weight");
  const int64_t d = p.cols / 2;
  const float* w = net.weights.value_of(p);
  MatrixOf<double> both(x.rows, 2 * d), y(x.rows, d);
  for (int64_t r = 0; r < x.rows; r++)
    for (int64_t c = 0; c < 2 * d; c++)
      for (int64_t k = 0; k < x.cols; k++) both(r, c) += double(x(r, k)) * double(w[k * 2 * d + c]);
  for (int64_t r = 0; r < x.rows; r++)
    for (int64_t c = 0; c < d; c++) {
      y(r, c) = both(r, c);
      for (int64_t u = 0; u < x.rows; u++) y(r, c) += l[r][u] * both(u, d + c);
      y(r, c) = std::max(y(r, c), 0.);
    }
  return y;
}

// The Laplacian of one motif from its counts; rows without it are 0.
std::vector<std::vector<double>> laplacian(const Graph& graph, int motif, bool scaled) {
  MotifSet set;
  set.insert(motif);
  const MotifMatrices m = motif_matrices(graph, {.motifs = set});
  const auto n = size_t(graph.num_nodes());
  std::vector<std::vector<double>> w(n, std::vector<double>(n)), l = w;
  for (size_t r = 0; r < n; r++)
    for (Offset e = m.pattern.start[r]; e < m.pattern.start[r + 1]; e++)
      w[r][m.pattern.index[e]] = double(m.count(motif, e));
  std::vector<double> degree(n);
  for (size_t r = 0; r < n; r++)
    for (size_t c = 0; c < n; c++) degree[r] += w[r][c];
  for (size_t r = 0; r < n; r++) {
    if (degree[r] == 0) continue;
    for (size_t c = 0; c < n; c++)
      if (w[r][c] > 0) l[r][c] = -w[r][c] / std::sqrt(degree[r] * degree[c]);
    if (!scaled) l[r][r] += 1;
  }
  return l;
}

TEST(MotifNet, OneMotifIsAChebyshevFilter) {
  const Graph graph = random_graph(12, 0.35, 3);
  const Matrix x = random_features(12, 4, 1);
  for (const bool scaled : {true, false})
    for (const int motif : {1, 5, 8, 9, 13}) {
      const std::string which = fmt::format("motifs={}", motif);
      const Built alone("motifnet", {4, 2}, {which, scaled ? "scaled=true" : "scaled=false"});
      const auto l = laplacian(graph, motif, scaled);
      expect_near(alone.representation(alone.batch(graph, x)), filtered(alone, x, l), 1e-5, which);
      // All motifs with the attention on this one.
      Built all("motifnet", {4, 2}, {scaled ? "scaled=true" : "scaled=false"});
      std::vector<float> logits(13, -60.f);
      logits[motif - 1] = 60;
      all.set("layer1.attention", logits);
      expect_near(all.representation(all.batch(graph, x)), filtered(all, x, l), 1e-5, "one-hot");
    }
}

// Without the part of the Laplacians it is a linear layer.
TEST(MotifNet, DegreeZeroIsALinearLayer) {
  const Graph graph = random_graph(12, 0.35, 3);
  const Matrix x = random_features(12, 4, 1);
  Built net("motifnet", {4, 2});
  const NamedParameter& p = net.parameter("layer1.weight");
  for (int64_t i = 0; i < p.size(); i++)
    if (i % p.cols >= p.cols / 2) net.weights.value_of(p)[i] = 0;
  const std::vector<std::vector<double>> nothing(12, std::vector<double>(12));
  expect_near(net.representation(net.batch(graph, x)), filtered(net, x, nothing), 1e-6, "linear");
}

// On an undirected graph the closed motifs have one matrix, so attention among them is idle.
TEST(MotifNet, EqualMatricesMakeAttentionIdle) {
  const Graph graph = undirected(6, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 2}, {4, 5}});
  Built net("motifnet", {3, 2}, {"motifs=closed"});
  const Batch batch = net.batch(graph, random_features(6, 3, 1));
  const MatrixOf<double> before = net.out(batch);
  net.set("layer1.attention", {3, -1, 0, 2, 5, -4, 1});
  expect_near(net.out(batch), before, 1e-6, "attention");
}

TEST(MotifNet, LaplaciansTakeRootsOfDegreesToZero) {
  const Graph graph = random_graph(12, 0.35, 3);
  for (const int motif : {2, 7, 10}) {
    MotifSet set;
    set.insert(motif);
    const MotifMatrices m = motif_matrices(graph, {.motifs = set});
    const auto l = laplacian(graph, motif, false);
    std::vector<double> root(12);
    for (size_t r = 0; r < 12; r++) {
      double degree = 0;
      for (Offset e = m.pattern.start[r]; e < m.pattern.start[r + 1]; e++)
        degree += double(m.count(motif, e));
      root[r] = std::sqrt(degree);
    }
    for (size_t r = 0; r < 12; r++) {
      double sum = 0;
      for (size_t c = 0; c < 12; c++) sum += l[r][c] * root[c];
      EXPECT_NEAR(sum, 0, 1e-9);
    }
    Eigen::MatrixXd dense(12, 12);
    for (size_t r = 0; r < 12; r++)
      for (size_t c = 0; c < 12; c++) dense(int(r), int(c)) = l[r][c];
    const auto spectrum =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense).eigenvalues().eval();
    EXPECT_GE(spectrum.minCoeff(), -1e-9);
    EXPECT_LE(spectrum.maxCoeff(), 2 + 1e-9);
  }
}

}  // namespace
}  // namespace mgnn
