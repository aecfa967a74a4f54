// Maxima and features of neighbours against the plain operations they take the place of.
#include <gtest/gtest.h>

#include "mgnn/tensor/ops.h"
#include "tests/tensor/gradient.h"

namespace mgnn {
namespace {

using testing::check_gradient, testing::random_graph, testing::random_matrix, testing::Vars;
using TapeD = Tape<double>;
using V = Var<double>;

SparseFeatures random_features(NodeId rows, NodeId cols, uint64_t seed) {
  Rng rng(seed);
  SparseMatrix x{{rows, cols, {0}, {}}, {}};
  for (NodeId r = 0; r < rows; r++) {
    for (NodeId c = 0; c < cols; c++)
      if (rng.chance(0.4)) {
        x.pattern.index.push_back(c);
        x.value.push_back(float(rng.normal()));
      }
    x.pattern.start.push_back(Offset(x.pattern.index.size()));
  }
  return make_sparse_features(std::move(x));
}

MatrixOf<double> written_out(const SparseFeatures& x) {
  MatrixOf<double> dense(x.pattern.rows, x.pattern.cols);
  for (NodeId r = 0; r < x.pattern.rows; r++)
    for (Offset e = x.pattern.start[r]; e < x.pattern.start[r + 1]; e++)
      dense(r, x.pattern.index[e]) = double(x.value[e]);
  return dense;
}

void expect_equal(V a, V b, double tolerance = 1e-12) {
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.cols, b.cols);
  for (int64_t i = 0; i < a.size(); i++) ASSERT_NEAR(a.value[i], b.value[i], tolerance) << i;
}

TEST(Neighbours, MaximaDifferentiate) {
  for (const NodeId n : {1, 2, 9})
    for (const double density : {0., 0.3, 1.})
      for (const int64_t d : {1, 5, 13, 37}) {
        const Pattern p = make_pattern(random_graph(n, density, 3).in);
        check_gradient("neighbour_max", {random_matrix(n, d, 1)},
                       [&](TapeD&, const Vars& v) { return neighbour_max(p, v[0]); });
      }
}

TEST(Neighbours, MaximumIsThatOfOnes) {
  const Pattern p = make_pattern(random_graph(15, 0.2, 4).in);
  const std::vector<double> ones(size_t(p.rows.nnz()), 1.);
  for (const int64_t d : {1, 7, 16, 45}) {
    const MatrixOf<double> x = random_matrix(15, d, 5);
    TapeD tape;
    tape.start_training(0);
    const V v = tape.constant(x);
    expect_equal(neighbour_max(p, v), spmm_max(p, tape.constant(p.rows.nnz(), 1, ones.data()), v),
                 0);
  }
}

TEST(Neighbours, EqualMaximaGoToTheFirst) {
  const Pattern p = make_pattern({1, 3, {0, 3}, {0, 1, 2}});
  MatrixOf<double> x(3, 1);
  x.data = {-2, -1, -1};
  TapeD tape;
  tape.start_training(0);
  const V leaf = tape.leaf(x);
  const V y = neighbour_max(p, leaf);
  EXPECT_EQ(y.value[0], -1);
  tape.backward(y);
  EXPECT_EQ(leaf.grad()[0], 0);
  EXPECT_EQ(leaf.grad()[1], 1);
  EXPECT_EQ(leaf.grad()[2], 0);
}

TEST(Neighbours, SparseFeaturesAreTheDenseOnes) {
  for (const double density : {0., 0.1, 0.6}) {
    const NodeId n = 70;
    const SparseFeatures x = random_features(n, 9, 7);
    const MatrixOf<double> dense = written_out(x);
    const Pattern p = make_pattern(random_graph(n, density, 8).in);
    const MatrixOf<double> neighbour = random_matrix(9, 6, 1), own = random_matrix(9, 6, 2);
    TapeD tape;
    tape.start_training(0);
    const V h = tape.constant(neighbour), o = tape.constant(own), all = tape.constant(dense);
    const V expected = add(matmul(neighbour_max(p, all), h), matmul(all, o));
    expect_equal(sparse_features_max_times(p, x, h, o), expected);
    expect_equal(sparse_features_max_times(p, x, h, o, 3, 0.), expected);
    tape.set_training(false);
    expect_equal(sparse_features_max_times(p, x, h, o, 2, 0.5), expected);
    expect_equal(sparse_features_times(x, o, 3, 0.5), matmul(all, o));
  }
}

// Modules of 16 columns are held in registers; masks do not depend on the width.
TEST(Neighbours, ModulesOfAnyWidthGiveTheSame) {
  const SparseFeatures x = random_features(40, 9, 11);
  const Pattern p = make_pattern(random_graph(40, 0.1, 12).in);
  for (const int64_t modules : {2, 3, 7, 8, 13, 16, 17}) {
    const MatrixOf<double> neighbour = random_matrix(9, 17 * modules, 1);
    const MatrixOf<double> own = random_matrix(9, 17 * modules, 2);
    const auto of_width = [&](const MatrixOf<double>& all, int64_t d) {
      MatrixOf<double> part(all.rows, modules * d);
      for (int64_t r = 0; r < all.rows; r++)
        for (int64_t k = 0; k < modules; k++)
          for (int64_t c = 0; c < d; c++) part(r, k * d + c) = all(r, k * 17 + c);
      return part;
    };
    const auto outputs = [&](int64_t d) {
      TapeD tape;
      tape.start_training(0);
      const MatrixOf<double> some_neighbour = of_width(neighbour, d), some_own = of_width(own, d);
      const V h = tape.constant(some_neighbour), o = tape.constant(some_own);
      const V parts[] = {sparse_features_times(x, o, modules, 0.4),
                         sparse_features_max_times(p, x, h, o, modules, 0.4)};
      std::vector<double> first;  // 16 columns of each module
      for (const V& y : parts)
        for (int64_t r = 0; r < y.rows; r++)
          for (int64_t k = 0; k < modules; k++)
            for (int64_t c = 0; c < 16; c++) first.push_back(y(r, k * d + c));
      return first;
    };
    const std::vector<double> narrow = outputs(16), wide = outputs(17);
    for (size_t i = 0; i < wide.size(); i++) ASSERT_NEAR(narrow[i], wide[i], 1e-12) << modules;
    if (modules != 7) continue;  // slow
    check_gradient("sparse_features_max_times", {of_width(neighbour, 16), of_width(own, 16)},
                   [&](TapeD&, const Vars& v) {
                     return sparse_features_max_times(p, x, v[0], v[1], modules, 0.4);
                   });
  }
}

// What each module is given, read off by weights that are identities; then products and maxima of it.
template <class T>
void expect_modules_of_their_own(int64_t modules, int64_t d, T tolerance) {
  constexpr NodeId kRows = 30, kColumns = 200;  // rows have more non-zeros than are handled at once
  constexpr double kDrop = 0.4;
  const SparseFeatures x = random_features(kRows, kColumns, 13);
  const Pattern p = make_pattern(random_graph(kRows, 0.1, 14).in);
  const auto fresh = [](Tape<T>& tape) { tape.start_training(0); };
  const auto converted = [](const MatrixOf<double>& from) {
    MatrixOf<T> to(from.rows, from.cols);
    std::copy(from.data.begin(), from.data.end(), to.data.begin());
    return to;
  };
  MatrixOf<T> identities(kColumns, modules * kColumns);
  for (NodeId c = 0; c < kColumns; c++)
    for (int64_t k = 0; k < modules; k++) identities(c, k * kColumns + c) = 1;
  Tape<T> masks, together;
  fresh(masks), fresh(together);
  const Var<T> given = sparse_features_times(x, masks.constant(identities), modules, kDrop);
  const MatrixOf<T> neighbour = converted(random_matrix(kColumns, modules * d, 1));
  const MatrixOf<T> own = converted(random_matrix(kColumns, modules * d, 2));
  const Var<T> h = together.constant(neighbour), o = together.constant(own);
  const Var<T> maximum = sparse_features_max_times(p, x, h, o, modules, kDrop);

  const MatrixOf<double> all = written_out(x);
  int64_t kept = 0, differ = 0;
  for (NodeId r = 0; r < kRows; r++)
    for (NodeId c = 0; c < kColumns; c++)
      for (int64_t k = 0; k < modules; k++) {
        const T value = given(r, k * kColumns + c);
        ASSERT_NEAR(value, value == 0 ? 0 : all(r, c) / (1 - kDrop), 1e-6);
        kept += value != 0, differ += value != given(r, c);
      }
  EXPECT_NEAR(double(kept) / double(x.pattern.nnz() * modules), 1 - kDrop, 0.03);
  EXPECT_NEAR(double(differ) / double(x.pattern.nnz() * std::max<int64_t>(modules - 1, 1)),
              modules > 1 ? 2 * kDrop * (1 - kDrop) : 0, 0.04);

  for (int64_t k = 0; k < modules; k++) {
    Tape<T> alone;
    fresh(alone);
    const auto part = [&](const MatrixOf<T>& from, int64_t width) {
      return slice_columns(alone.constant(from), k * width, width);
    };
    const Var<T> features =
        slice_columns(alone.constant(given.rows, given.cols, given.value), k * kColumns, kColumns);
    const Var<T> expected =
        add(matmul(neighbour_max(p, features), part(neighbour, d)), matmul(features, part(own, d)));
    for (int64_t r = 0; r < kRows; r++)
      for (int64_t c = 0; c < d; c++)
        ASSERT_NEAR(maximum(r, k * d + c), expected(r, c), tolerance) << modules << " " << d;
  }
}

TEST(Neighbours, ModulesHaveFeaturesOfTheirOwn) {
  for (const int64_t modules : {1, 2, 5, 13, 18})
    for (const int64_t d : {7, 16, 32}) {
      expect_modules_of_their_own<double>(modules, d, 1e-10);
      expect_modules_of_their_own<float>(modules, d, 1e-3f);
    }
}

TEST(Neighbours, SparseFeaturesDifferentiate) {
  const SparseFeatures x = random_features(8, 5, 9);
  const Pattern p = make_pattern(random_graph(8, 0.3, 10).in);
  for (const double drop : {0., 0.4})
    for (const int64_t modules : {1, 3}) {
      check_gradient("sparse_features_max_times", {random_matrix(5, 6, 1), random_matrix(5, 6, 2)},
                     [&](TapeD&, const Vars& v) {
                       return sparse_features_max_times(p, x, v[0], v[1], modules, drop);
                     });
      check_gradient("sparse_features_times", {random_matrix(5, 6, 1)}, [&](TapeD&, const Vars& v) {
        return sparse_features_times(x, v[0], modules, drop);
      });
    }
}

TEST(Neighbours, ModulesHaveMasksOfTheirOwn) {
  const SparseFeatures x = random_features(40, 30, 11);
  MatrixOf<double> twice(30, 8);  // two modules with the same weights
  const MatrixOf<double> once = random_matrix(30, 4, 1);
  for (int64_t r = 0; r < 30; r++)
    for (int64_t c = 0; c < 8; c++) twice(r, c) = once(r, c % 4);
  TapeD tape(5);
  tape.start_training(0);
  const V y = sparse_features_times(x, tape.constant(twice), 2, 0.5);
  int64_t differ = 0;
  for (int64_t r = 0; r < 40; r++)
    for (int64_t c = 0; c < 4; c++) differ += y(r, c) != y(r, c + 4);
  EXPECT_GT(differ, 140);
}

}  // namespace
}  // namespace mgnn
