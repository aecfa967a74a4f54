#include "mgnn/tensor/nt_xent.h"

#include <gtest/gtest.h>

#include "mgnn/base/parallel.h"
#include "tests/tensor/gradient.h"

namespace mgnn {
namespace {

using testing::check_gradient, testing::error_of, testing::random_matrix, testing::Vars;
using TapeD = Tape<double>;

const NtXentOptions kSimclr = {.temperature = 0.2, .count_positive = true};
const NtXentOptions kGraphcl = {.temperature = 0.2, .count_positive = false};

double loss(const MatrixOf<double>& a, const MatrixOf<double>& b, const NtXentOptions& options) {
  TapeD tape;
  tape.start_evaluation();
  return *nt_xent(tape.leaf(a), tape.leaf(b), options).value;
}

MatrixOf<double> identity(int64_t n) {
  MatrixOf<double> m(n, n);
  for (int64_t i = 0; i < n; i++) m(i, i) = 1;
  return m;
}

MatrixOf<double> scaled(MatrixOf<double> m, double by) {
  for (double& x : m.data) x *= by;
  return m;
}

// From the formula, element by element.
double plain(const MatrixOf<double>& a, const MatrixOf<double>& b, const NtXentOptions& o) {
  const auto cosine = [](const MatrixOf<double>& x, int64_t i, const MatrixOf<double>& y,
                         int64_t j) {
    double dot = 0, xx = 0, yy = 0;
    for (int64_t c = 0; c < x.cols; c++)
      dot += x(i, c) * y(j, c), xx += x(i, c) * x(i, c), yy += y(j, c) * y(j, c);
    return dot / std::sqrt(xx * yy);
  };
  double total = 0;
  for (const auto* from : {&a, &b})
    for (int64_t i = 0; i < a.rows; i++) {
      const MatrixOf<double>& to = from == &a ? b : a;
      double sum = 0;
      for (int64_t j = 0; j < a.rows; j++)
        if (o.count_positive || j != i) sum += std::exp(cosine(*from, i, to, j) / o.temperature);
      total += std::log(sum) - cosine(*from, i, to, i) / o.temperature;
    }
  return total / double(2 * a.rows);
}

TEST(NtXent, ClosedForms) {
  EXPECT_NEAR(loss(identity(2), identity(2), kGraphcl), -5, 1e-12);
  EXPECT_NEAR(loss(identity(2), identity(2), kSimclr), std::log1p(std::exp(-5)), 1e-12);
  EXPECT_NEAR(loss(identity(2), identity(2), kSimclr), 0.0067153, 1e-7);
  // All alike: nothing can be told apart.
  MatrixOf<double> same(5, 3);
  for (double& x : same.data) x = 1;
  EXPECT_NEAR(loss(same, same, kSimclr), std::log(5), 1e-12);
  EXPECT_NEAR(loss(same, same, kGraphcl), std::log(4), 1e-12);
  EXPECT_NEAR(loss(MatrixOf<double>(5, 3), same, kSimclr), std::log(5), 1e-12);  // zero vectors
}

TEST(NtXent, IsTheFormula) {
  for (uint64_t seed = 0; seed < 20; seed++) {
    const int64_t n = 2 + int64_t(seed % 7), d = 1 + int64_t(seed % 5);
    const auto a = random_matrix(n, d, seed), b = random_matrix(n, d, seed + 100);
    for (const bool positive : {true, false})
      for (const double temperature : {0.1, 1.}) {
        const NtXentOptions o = {temperature, positive};
        EXPECT_NEAR(loss(a, b, o), plain(a, b, o), 1e-9);
        EXPECT_NEAR(loss(a, b, o), loss(b, a, o), 1e-12);
        EXPECT_NEAR(loss(scaled(a, 7), scaled(b, 0.01), o), loss(a, b, o), 1e-9);
      }
  }
}

TEST(NtXent, TwinsThatAgreeAndOthersThatDoNotAreBest) {
  const double best = loss(identity(4), identity(4), kSimclr);
  for (uint64_t seed = 0; seed < 20; seed++) {
    const auto z = random_matrix(4, 4, seed);
    EXPECT_GT(loss(identity(4), z, kSimclr), best);
  }
  // A low temperature does not overflow.
  EXPECT_NEAR(loss(identity(3), identity(3), {.temperature = 1e-4}), 0, 1e-12);
}

TEST(NtXent, GradientsAreSlopes) {
  for (const NtXentOptions& o : {kSimclr, kGraphcl})
    for (const auto& [n, d] : {std::pair{7, 4}, {2, 1}, {1, 3}, {0, 3}, {13, 17}}) {
      check_gradient("nt_xent", {random_matrix(n, d, 1), random_matrix(n, d, 2)},
                     [&](TapeD&, const Vars& x) { return nt_xent(x[0], x[1], o); });
      check_gradient("nt_xent with itself", {random_matrix(n, d, 1)},
                     [&](TapeD&, const Vars& x) { return nt_xent(x[0], x[0], o); });
    }
}

TEST(NtXent, AnItemAloneHasNothingToLearnFrom) {
  for (const NtXentOptions& o : {kSimclr, kGraphcl})
    for (const int64_t n : {0, 1})
      EXPECT_EQ(loss(random_matrix(n, 3, 1), random_matrix(n, 3, 2), o), 0);
}

TEST(NtXent, DoesNotDependOnThreads) {
  MatrixOf<float> x(400, 24);
  Rng rng(3);
  for (float& v : x.data) v = float(rng.normal());
  const auto gradient = [&](int threads) {
    set_num_threads(threads);
    Tape<float> tape;
    tape.start_training(0);
    const Var<float> leaf = tape.leaf(x);
    tape.backward(nt_xent(leaf, tanh(leaf)));
    set_num_threads(0);
    return std::vector<float>(leaf.grad(), leaf.grad() + leaf.size());
  };
  EXPECT_TRUE(gradient(1) == gradient(4));
}

TEST(NtXent, MistakesAreTold) {
  EXPECT_EQ(error_of([] { loss(identity(2), identity(3), kSimclr); }),
            "nt_xent: shapes (2, 2) and (3, 3) differ");
  EXPECT_EQ(error_of([] { loss(identity(2), identity(2), {.temperature = 0}); }),
            "nt_xent: a temperature of 0 is not above 0");
}

}  // namespace
}  // namespace mgnn
