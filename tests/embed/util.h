// What the tests of embeddings share.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "mgnn/embed/embedding.h"
#include "mgnn/sparse/randomized_svd.h"
#include "tests/util.h"

namespace mgnn::testing {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using DenseFloats = Eigen::Map<const Eigen::Matrix<float, -1, -1, Eigen::RowMajor>>;

// Vectors of a method of the table.
inline Matrix embedded(std::string_view method, const EmbedInput& input,
                       const Settings& settings = {}) {
  return make_embedding(find_embedding_method(method), settings)->run(input);
}

inline Graph undirected(NodeId n, Array<Edge> edges) {
  return build_graph(n, std::move(edges), {.symmetrise = true}).graph;
}

inline Graph cycle(NodeId n) {
  Array<Edge> edges;
  for (NodeId u = 0; u < n; u++) edges.push_back({u, (u + 1) % n});
  return undirected(n, edges);
}

inline std::vector<float> random_weights(const Graph& g, uint64_t seed) {
  std::vector<float> weight;
  Rng rng(seed);
  for (Offset e = 0; e < g.num_arcs(); e++) weight.push_back(float(rng.uniform()) + 0.1f);
  return weight;
}

inline Dense adjacency(const Graph& g, std::span<const float> weight = {}) {
  Dense a = Dense::Zero(g.num_nodes(), g.num_nodes());
  for (NodeId u = 0; u < g.num_nodes(); u++)
    for (Offset e = g.out.start[u]; e < g.out.start[u + 1]; e++)
      a(u, g.out.index[e]) = weight.empty() ? 1 : double(weight[e]);
  return a;
}

// The matrix of a linear map, by its products; checks that they are transposes of each other.
inline Dense matrix_of(const LinearMap& map) {
  const Dense unit = Dense::Identity(map.cols, map.cols);
  Dense m(map.rows, map.cols), t(map.cols, map.rows);
  map.times(unit.data(), map.cols, m.data());
  map.transposed_times(unit.data(), map.rows, t.data());
  EXPECT_LT((m - t.transpose()).norm(), 1e-9 * (1 + m.norm()));
  return m;
}

inline Eigen::VectorXd singular_values(const Dense& m) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(Eigen::MatrixXd(m)).singularValues();
}

// a bᵀ
inline Dense product(const Matrix& a, const Matrix& b) {
  return (DenseFloats(a.data.data(), a.rows, a.cols) *
          DenseFloats(b.data.data(), b.rows, b.cols).transpose())
      .cast<double>();
}

}  // namespace mgnn::testing
