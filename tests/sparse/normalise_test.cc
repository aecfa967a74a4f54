#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "mgnn/sparse/csr.h"
#include "mgnn/sparse/eigen.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph;

struct Weighted {
  Csr pattern;
  Array<double> value;
};

// A random matrix without negative entries; some stored entries are zero.
Weighted random_matrix(NodeId n, double density, bool symmetric, uint64_t seed) {
  Graph graph = random_graph(n, density, seed);
  if (symmetric) graph = build_graph(n, arcs(graph), {.symmetrise = true}).graph;
  Weighted matrix{graph.out, Array<double>(size_t(graph.num_arcs()))};
  for (NodeId u = 0; u < n; u++)
    for (Offset e = graph.out.start[u]; e < graph.out.start[u + 1]; e++) {
      const NodeId v = graph.out.index[e];
      const uint64_t key = symmetric ? uint64_t(std::min(u, v)) << 32 | uint32_t(std::max(u, v))
                                     : uint64_t(u) << 32 | uint32_t(v);
      matrix.value[e] = double(Rng(seed).split(key).below(4));
    }
  return matrix;
}

Eigen::MatrixXd dense(const Csr& pattern, std::span<const double> value) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(pattern.rows, pattern.cols);
  for (NodeId r = 0; r < pattern.rows; r++)
    for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++)
      matrix(r, pattern.index[e]) = value[e];
  return matrix;
}

double dense_largest(const Eigen::MatrixXd& m) {
  return m.size() == 0 ? 0 : std::max(0., m.eigenvalues().real().maxCoeff());
}

Eigen::MatrixXd dense_symmetric(const Eigen::MatrixXd& m) {
  Eigen::VectorXd scale = m.rowwise().sum();
  for (double& s : scale) s = s > 0 ? 1 / std::sqrt(s) : 0;
  return scale.asDiagonal() * m * scale.asDiagonal();
}

TEST(Eigen, AgreesWithDenseEigenvalues) {
  for (const NodeId n : {1, 2, 5, 30, 63, 64, 65, 150, 220}) {
    for (const double mean_degree : {0.5, 1.2, 3., 12.}) {
      for (const bool symmetric : {false, true}) {
        const auto seed = uint64_t(n * 100 + mean_degree * 10);
        const Weighted m = random_matrix(n, std::min(1., mean_degree / n), symmetric, seed);
        const double expected = dense_largest(dense(m.pattern, m.value));
        const double actual = largest_eigenvalue(m.pattern, m.value);
        // Dense eigenvalues of defective matrices are themselves inexact.
        EXPECT_NEAR(actual, expected, symmetric ? 1e-8 * (1 + expected) : 1e-3)
            << n << " " << mean_degree;
      }
    }
  }
}

// Every node of a part has an arc to every node of the next part: (product of the sizes)^(1/parts).
double eigenvalue_of_cycle_of_parts(std::vector<NodeId> sizes) {
  std::vector<NodeId> first = {0};
  for (NodeId size : sizes) first.push_back(first.back() + size);
  Array<Edge> edges;
  for (size_t p = 0; p < sizes.size(); p++) {
    const size_t next = (p + 1) % sizes.size();
    for (NodeId u = first[p]; u < first[p + 1]; u++)
      for (NodeId v = first[next]; v < first[next + 1]; v++) edges.push_back({u, v});
  }
  const Csr pattern = make_graph(first.back(), edges).out;
  return largest_eigenvalue(pattern, Array<double>(size_t(pattern.nnz()), 1.));
}

TEST(Eigen, OfMatricesWithKnownValue) {
  EXPECT_NEAR(eigenvalue_of_cycle_of_parts({40, 70, 100}), std::cbrt(40. * 70 * 100), 1e-6);
  EXPECT_NEAR(eigenvalue_of_cycle_of_parts({1, 2000}), std::sqrt(2000.), 1e-6);
  EXPECT_NEAR(eigenvalue_of_cycle_of_parts(std::vector<NodeId>(5000, 1)), 1, 1e-12);
  EXPECT_NEAR(eigenvalue_of_cycle_of_parts({1, 2}), std::sqrt(2.), 1e-12);
}

TEST(Eigen, AcyclicIsZero) {
  Array<Edge> edges;
  for (NodeId u = 0; u < 300; u++)
    for (NodeId v = u + 1; v < std::min(300, u + 9); v++) edges.push_back({u, v});
  const Csr pattern = make_graph(300, edges).out;
  EXPECT_EQ(largest_eigenvalue(pattern, Array<double>(size_t(pattern.nnz()), 1.)), 0);
  EXPECT_EQ(largest_eigenvalue(Csr{}, {}), 0);
}

TEST(Normalise, AgreesWithDenseFormulas) {
  for (const bool symmetric : {false, true}) {
    for (uint64_t seed = 0; seed < 10; seed++) {
      const Weighted raw = random_matrix(40, 0.03 + 0.02 * double(seed), symmetric, seed);
      const Csr pattern =
          with_diagonal(build_graph(40, arcs({raw.pattern, {}}), {.symmetrise = true}).graph.out);
      Array<double> value(size_t(pattern.nnz()), 0.);
      const Array<Offset> place = places_in(raw.pattern, pattern);
      for (size_t e = 0; e < place.size(); e++) value[place[e]] = raw.value[e];
      const Eigen::MatrixXd m = dense(pattern, value), hat = dense_symmetric(m);
      const auto result = [&](Normalisation kind) {
        return dense(pattern, normalised(pattern, value, kind));
      };
      EXPECT_EQ(result(Normalisation::none), m);
      EXPECT_LT((result(Normalisation::symmetric) - hat).norm(), 1e-12);
      EXPECT_LT((result(Normalisation::published) + hat.transpose()).norm(), 1e-12);
      const Eigen::VectorXd sums = m.rowwise().sum();
      Eigen::VectorXd inverse = sums, present = sums;
      for (double& s : inverse) s = s > 0 ? 1 / s : 0;
      for (double& s : present) s = s > 0 ? 1 : 0;
      EXPECT_LT((result(Normalisation::row) - inverse.asDiagonal() * m).norm(), 1e-12);
      const Eigen::MatrixXd centred =
          hat - dense_largest(hat) / 2 * Eigen::MatrixXd(present.asDiagonal());
      EXPECT_LT((result(Normalisation::centred) - centred).norm(), symmetric ? 1e-9 : 1e-3);
    }
  }
}

TEST(Normalise, KnowsItsNames) {
  for (const std::string name : {"none", "row", "symmetric", "centred", "published"})
    EXPECT_EQ(name_of(parse_name<Normalisation>("normalisation", name)), name);
  EXPECT_EQ(error_of([] { parse_name<Normalisation>("normalisation", "symetric"); }),
            "unknown value \"symetric\" of normalisation; did you mean symmetric?");
}

}  // namespace
}  // namespace mgnn
