// Dropout and noise of a tape.
#include <gtest/gtest.h>

#include "mgnn/tensor/ops.h"
#include "mgnn/tensor/random.h"
#include "tests/tensor/gradient.h"

namespace mgnn {
namespace {

using testing::random_matrix;
using V = Var<double>;
using TapeD = Tape<double>;

// Whatever is fused, it is matmul(dropout(x, p), w), with the same mask.
template <class T>
void expect_dropped_product(int64_t n, int64_t d, int64_t cols, double p, T tolerance) {
  SCOPED_TRACE(fmt::format("({}, {}) times {} columns, p {}", n, d, cols, p));
  const auto random = [](int64_t rows, int64_t columns, uint64_t seed) {
    const MatrixOf<double> from = random_matrix(rows, columns, seed);
    MatrixOf<T> to(rows, columns);
    std::copy(from.data.begin(), from.data.end(), to.data.begin());
    return to;
  };
  const MatrixOf<T> left = random(n, d, 1), right = random(d, cols, 2);
  const auto run = [&](auto product) {
    Tape<T> tape(7);
    tape.start_training(3);
    const Var<T> x = tape.leaf(left), w = tape.leaf(right);
    const Var<T> y = product(x, w);
    tape.backward(sum(mul(y, y)));
    std::vector<T> all(y.value, y.value + y.size());
    all.insert(all.end(), x.grad(), x.grad() + x.size());
    all.insert(all.end(), w.grad(), w.grad() + w.size());
    return all;
  };
  const auto fused = run([&](Var<T> x, Var<T> w) { return dropout_matmul(x, w, p); });
  const auto plain = run([&](Var<T> x, Var<T> w) { return matmul(dropout(x, p), w); });
  ASSERT_EQ(fused.size(), plain.size());
  for (size_t i = 0; i < fused.size(); i++)
    ASSERT_NEAR(fused[i], plain[i], tolerance * (1 + std::abs(plain[i]))) << i;
}

TEST(Dropout, ProductsOfFewColumnsAreFused) {
  for (const double p : {0., 0.3})
    for (const auto& [n, d] :
         {std::pair<int64_t, int64_t>{1, 1}, {7, 15}, {70, 16}, {300, 17}, {900, 208}})
      for (const int64_t cols : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
        expect_dropped_product<double>(n, d, cols, p, 1e-10);
        expect_dropped_product<float>(n, d, cols, p, 1e-3f);
      }
}

TEST(Dropout, KeepsTheMeanAndForgetsNothing) {
  MatrixOf<double> x(400, 500);
  for (double& v : x.data) v = 1;
  for (const double p : {0.1, 0.5, 0.6}) {
    TapeD tape(3);
    const auto values = [&](uint64_t step) {
      tape.start_training(step);
      const V y = dropout(tape.constant(x), p);
      return std::vector<double>(y.value, y.value + y.size());
    };
    const auto first = values(1), other = values(2), again = values(1);
    EXPECT_EQ(first, again);
    int64_t zeros = 0, both = 0;
    for (size_t i = 0; i < first.size(); i++) {
      zeros += first[i] == 0;
      both += first[i] == 0 && other[i] == 0;
      ASSERT_TRUE(first[i] == 0 || std::abs(first[i] - 1 / (1 - p)) < 1e-12);
    }
    const double n = double(first.size());
    EXPECT_NEAR(double(zeros) / n, p, 5 * std::sqrt(p * (1 - p) / n));
    EXPECT_NEAR(double(both) / n, p * p, 5 * std::sqrt(p * p / n));  // steps are independent
    tape.start_evaluation();
    EXPECT_EQ(dropout(tape.constant(x), p).value, x.data.data());
  }
}

TEST(Dropout, MasksOfNeighboursAreIndependent) {
  const DropoutMask mask = dropout_mask(random_key(1, 2, 3), 0.5);
  for (const uint64_t distance : {1u, 2u, 16u, 128u, 65536u}) {
    int64_t equal = 0;
    for (uint64_t i = 0; i < 200'000; i++) equal += mask.keeps(i) == mask.keeps(i + distance);
    EXPECT_NEAR(double(equal) / 200'000, 0.5, 0.006) << distance;
  }
}

TEST(Noise, IsNormal) {
  TapeD tape(5);
  const V x = normal_noise(tape, 1000, 200);
  double sum = 0, squares = 0, fourth = 0;
  for (int64_t i = 0; i < x.size(); i++) {
    const double v = x.value[i];
    sum += v, squares += v * v, fourth += v * v * v * v;
  }
  const double n = double(x.size());
  EXPECT_NEAR(sum / n, 0, 0.02);
  EXPECT_NEAR(squares / n, 1, 0.02);
  EXPECT_NEAR(fourth / n, 3, 0.1);
}

}  // namespace
}  // namespace mgnn
