// Products with sparse matrices, fixed and learned, and with sparse features.
#include <gtest/gtest.h>

#include "mgnn/base/parallel.h"
#include "mgnn/tensor/ops.h"
#include "tests/tensor/gradient.h"

namespace mgnn {
namespace {

using testing::check_gradient, testing::Matrices, testing::random_graph, testing::random_matrix,
    testing::Vars;
using V = Var<double>;
using TapeD = Tape<double>;

MatrixOf<double> dense_product(const Csr& p, const std::function<double(Offset)>& value,
                               const MatrixOf<double>& x) {
  MatrixOf<double> y(p.rows, x.cols);
  for (NodeId r = 0; r < p.rows; r++)
    for (Offset e = p.start[r]; e < p.start[r + 1]; e++)
      for (int64_t c = 0; c < x.cols; c++) y(r, c) += value(e) * x(p.index[e], c);
  return y;
}

Array<float> random_values(int64_t count, uint64_t seed) {
  Array<float> values(size_t(count), 0.f);
  Rng rng(seed);
  for (float& v : values) v = rng.chance(0.2) ? 0 : float(rng.normal());
  return values;
}

TEST(Sparse, OperatorsMultiplyAndDifferentiate) {
  for (const int64_t count : {1, 2, 5, 13})
    for (const int64_t d : {1, 3, 8, 16, 23})
      for (const NodeId n : {0, 1, 11}) {
        const Csr pattern = random_graph(n, 0.3, 4).out;
        const Operator op = make_operator(pattern, random_values(pattern.nnz() * count, 6), count);
        const auto name = fmt::format("spmm of {} matrices, ({}, {})", count, n, d);
        const auto x = random_matrix(n, d, 8);
        TapeD tape;
        const V y = spmm(op, tape.constant(x));
        ASSERT_EQ(y.cols, count * d);
        for (int64_t k = 0; k < count; k++) {
          const auto expected = dense_product(
              pattern, [&](Offset e) { return double(op.value[e * count + k]); }, x);
          for (int64_t r = 0; r < n; r++)
            for (int64_t c = 0; c < d; c++)
              ASSERT_NEAR(y(r, k * d + c), expected(r, c), 1e-12) << name;
        }
        check_gradient(name, {x}, [&](TapeD&, const Vars& v) { return spmm(op, v[0]); });
      }
}

TEST(Sparse, SymmetricOperatorsKeepNoTranspose) {
  const Csr pattern =
      build_graph(30, arcs(random_graph(30, 0.1, 1)), {.symmetrise = true}).graph.out;
  EXPECT_TRUE(make_operator(pattern, Array<float>(size_t(pattern.nnz()), 0.5f)).symmetric);
  EXPECT_FALSE(make_operator(pattern, random_values(pattern.nnz(), 3)).symmetric);
}

TEST(Sparse, RectangularOperators) {
  const Csr pattern{3, 5, {0, 2, 2, 4}, {0, 4, 1, 2}};
  const Operator op = make_operator(pattern, {1, -2, 3, 0.5f});
  check_gradient("rectangular", {random_matrix(5, 4, 1)},
                 [&](TapeD&, const Vars& v) { return spmm(op, v[0]); });
}

TEST(Sparse, OperatorBesideWhatIsThere) {
  for (const int64_t d : {1, 3, 16, 35})
    for (const NodeId n : {0, 1, 11}) {
      const Csr pattern = random_graph(n, 0.3, 4).out;
      const Operator op = make_operator(pattern, random_values(pattern.nnz(), 6));
      const Matrices in = {random_matrix(n, 2 * d, 8), random_matrix(1, d, 9)};
      TapeD tape;
      const V x = tape.constant(in[0]), bias = tape.constant(in[1]);
      const V y = spmm_plus_self(op, x, bias), without = spmm_plus_self(op, x, V{});
      const V neighbour = spmm(op, slice_columns(x, 0, d)), own = slice_columns(x, d, d);
      for (int64_t r = 0; r < n; r++)
        for (int64_t c = 0; c < d; c++) {
          ASSERT_NEAR(without(r, c), neighbour(r, c) + own(r, c), 1e-12);
          ASSERT_NEAR(y(r, c), without(r, c) + bias.value[c], 1e-12);
        }
      check_gradient(fmt::format("spmm_plus_self ({}, {})", n, d), in,
                     [&](TapeD&, const Vars& v) { return spmm_plus_self(op, v[0], v[1]); });
    }
}

TEST(Sparse, LearnedValues) {
  for (const NodeId n : {0, 1, 9})
    for (const int64_t count : {1, 3}) {
      const Pattern p = make_pattern(random_graph(n, 0.4, 2).out);
      const Matrices shared = {random_matrix(p.rows.nnz(), count, 1), random_matrix(n, 5, 2)};
      const Matrices heads = {random_matrix(p.rows.nnz(), count, 1),
                              random_matrix(n, 4 * count, 2)};
      check_gradient("spmm with learned values", shared,
                     [&](TapeD&, const Vars& v) { return spmm(p, v[0], v[1]); });
      check_gradient("spmm_heads", heads,
                     [&](TapeD&, const Vars& v) { return spmm_heads(p, v[0], v[1]); });
      check_gradient("spmm_max", shared,
                     [&](TapeD&, const Vars& v) { return spmm_max(p, v[0], v[1]); });
      check_gradient("edge_add", {random_matrix(n, count, 1), random_matrix(n, count, 2)},
                     [&](TapeD&, const Vars& v) { return edge_add(p, v[0], v[1]); });
      check_gradient("edge_dot", {random_matrix(n, count, 1), random_matrix(n, count, 2)},
                     [&](TapeD&, const Vars& v) { return edge_dot(p, v[0], v[1]); });
    }
}

TEST(Sparse, LearnedValuesAgreeWithAnOperator) {
  const Csr pattern = random_graph(12, 0.3, 4).out;
  const Array<float> values = random_values(pattern.nnz() * 3, 1);
  const Operator op = make_operator(pattern, values, 3);
  const Pattern p = make_pattern(pattern);
  TapeD tape;
  const auto x = random_matrix(12, 6, 8);
  const V v = tape.converted(pattern.nnz(), 3, values.data());
  const V a = spmm(op, tape.constant(x)), b = spmm(p, v, tape.constant(x));
  const V maximum = spmm_max(p, v, tape.constant(x));
  for (int64_t i = 0; i < a.size(); i++) ASSERT_NEAR(a.value[i], b.value[i], 1e-12);
  for (int64_t r = 0; r < 12; r++)
    for (int64_t k = 0; k < 3; k++)
      for (int64_t c = 0; c < 6; c++) {
        double expected = -INFINITY;
        for (Offset e = pattern.start[r]; e < pattern.start[r + 1]; e++)
          if (values[e * 3 + k] != 0)
            expected = std::max(expected, double(values[e * 3 + k]) * x(pattern.index[e], c));
        ASSERT_EQ(maximum(r, k * 6 + c), std::isinf(expected) ? 0 : expected);
      }
}

TEST(Sparse, FeaturesTimesWeight) {
  for (const NodeId n : {0, 1, 15})
    for (const double p : {0., 0.5}) {
      const Csr square = random_graph(n, 0.3, 3).out;
      const SparseFeatures x = make_sparse_features({square, random_values(square.nnz(), 1)});
      check_gradient(fmt::format("sparse features, {} rows, dropout {}", n, p),
                     {random_matrix(n, 4, 2)},
                     [&](TapeD&, const Vars& v) { return sparse_features_times(x, v[0], p); });
    }
}

// With many non-zeros for each feature the gradient is summed node by node.
TEST(Sparse, FewFeaturesTimesWeight) {
  constexpr NodeId kRows = 150, kFeatures = 3;
  Csr pattern{kRows, kFeatures, {0}, {}};
  Rng rng(5);
  for (NodeId r = 0; r < kRows; r++) {
    for (NodeId c = 0; c < kFeatures; c++)
      if (rng.chance(0.9)) pattern.index.push_back(c);
    pattern.start.push_back(Offset(pattern.index.size()));
  }
  const SparseFeatures x = make_sparse_features({pattern, random_values(pattern.nnz(), 1)});
  for (const double p : {0., 0.5})
    for (const int64_t d : {1, 7, 16, 36})
      check_gradient(fmt::format("few features, {} columns, dropout {}", d, p),
                     {random_matrix(kFeatures, d, 2)},
                     [&](TapeD&, const Vars& v) { return sparse_features_times(x, v[0], p); });
}

// The gradient of the sum of c y at x, for products y that are linear in x: it is Aᵀ c, and its
// inner product with x is that sum. The same bits for any number of threads.
template <class T, class Product>
void expect_linear(const std::string& name, int64_t rows, int64_t cols, T tolerance,
                   Product product) {
  SCOPED_TRACE(name);
  const MatrixOf<double> from = random_matrix(rows, cols, 8);
  MatrixOf<T> at(rows, cols);
  std::copy(from.data.begin(), from.data.end(), at.data.begin());
  const auto run = [&](int threads) {
    set_num_threads(threads);
    Tape<T> tape(7);
    tape.start_training(3);
    const Var<T> x = tape.leaf(at);
    const Var<T> y = product(x);
    const MatrixOf<double> c = random_matrix(y.rows, y.cols, 99);
    const Var<T> loss = sum(mul(y, tape.converted(y.rows, y.cols, c.data.data())));
    tape.backward(loss);
    double along = 0, size = 0;
    for (int64_t i = 0; i < x.size(); i++) {
      along += double(x.grad()[i]) * double(x.value[i]);
      size += std::abs(double(x.grad()[i]) * double(x.value[i]));
    }
    EXPECT_NEAR(along, double(*loss.value), double(tolerance) * size);
    return std::vector<T>(x.grad(), x.grad() + x.size());
  };
  const std::vector<T> one = run(1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(run(threads), one) << threads << " threads";
  set_num_threads(0);
}

TEST(Sparse, WhatFlowsBackThroughManyMatrices) {
  const Csr pattern = random_graph(700, 0.03, 4).out;
  for (const int64_t count : {4, 13})
    for (const int64_t d : {3, 6, 11, 16, 40}) {
      const Operator op = make_operator(pattern, random_values(pattern.nnz() * count, 6), count);
      const auto name = fmt::format("{} matrices, {} columns", count, d);
      expect_linear<float>(name, 700, d, 1e-5f, [&](auto x) { return spmm(op, x); });
      expect_linear<double>(name, 700, d, 1e-12, [&](auto x) { return spmm(op, x); });
    }
}

TEST(Sparse, WhatFlowsBackToTheWeightsOfModules) {
  const Csr square = random_graph(900, 0.03, 3).out;  // in more than one piece
  const SparseFeatures x = make_sparse_features({square, random_values(square.nnz(), 1)});
  for (const int64_t modules : {2, 6, 7, 13, 18})
    for (const int64_t d : {5, 16, 32}) {
      const auto name = fmt::format("{} modules of {}", modules, d);
      const auto product = [&](auto w) { return sparse_features_times(x, w, modules, 0.4); };
      expect_linear<float>(name, 900, modules * d, 1e-5f, product);
      expect_linear<double>(name, 900, modules * d, 1e-12, product);
    }
}

}  // namespace
}  // namespace mgnn
