// Attention over neighbours against the plain operations it takes the place of.
#include <gtest/gtest.h>

#include "mgnn/base/parallel.h"
#include "mgnn/tensor/ops.h"
#include "tests/tensor/gradient.h"

namespace mgnn {
namespace {

using testing::check_gradient, testing::Matrices, testing::random_graph, testing::random_matrix,
    testing::Vars;

Matrices inputs(NodeId n, int64_t heads, int64_t width) {
  Matrices in = {random_matrix(n, heads * width, 1)};
  for (const uint64_t seed : {2, 3, 4}) in.push_back(random_matrix(1, heads * width, seed));
  return in;
}

template <class T>
std::vector<Var<T>> leaves(Tape<T>& tape, const Matrices& in) {
  std::vector<Var<T>> vars;
  for (const MatrixOf<double>& m : in) {
    MatrixOf<T> copy(m.rows, m.cols);
    std::copy(m.data.begin(), m.data.end(), copy.data.begin());
    vars.push_back(tape.leaf(copy));
  }
  return vars;
}

// x, target, source, bias
template <class T>
Var<T> step_by_step(const Pattern& p, const std::vector<Var<T>>& v, const AttentionOptions& o) {
  const Var<T> score = edge_add(p, block_dot(v[0], v[1], o.heads), block_dot(v[0], v[2], o.heads));
  const Var<T> alpha = segment_softmax<T>(leaky_relu(score, o.slope), p.rows.start);
  return elu(add_bias(spmm_heads(p, dropout(alpha, o.dropout), v[0]), v[3]));
}

template <class T>
struct Result {
  std::vector<T> value;
  std::vector<std::vector<T>> grads;
};

template <class T, class F>
Result<T> run(const Matrices& in, F f) {
  Tape<T> tape(5);
  tape.start_training(2);
  const std::vector<Var<T>> v = leaves(tape, in);
  const Var<T> y = f(v);
  const MatrixOf<double> c = random_matrix(y.rows, y.cols, 99);
  Result<T> result{{y.value, y.value + y.size()}, {}};
  tape.backward(sum(mul(y, tape.converted(y.rows, y.cols, c.data.data()))));
  for (const Var<T>& one : v) result.grads.emplace_back(one.grad(), one.grad() + one.size());
  return result;
}

template <class T>
void expect_near(const std::vector<T>& a, const std::vector<T>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); i++)
    ASSERT_NEAR(a[i], b[i], tolerance * std::max(1., std::abs(double(b[i])))) << i;
}

template <class T>
void expect_near(const Result<T>& a, const Result<T>& b, double tolerance) {
  expect_near(a.value, b.value, tolerance);
  for (size_t i = 0; i < a.grads.size(); i++) expect_near(a.grads[i], b.grads[i], tolerance);
}

TEST(Attention, Differentiates) {
  for (const NodeId n : {1, 2, 9})
    for (const double density : {0., 0.3, 1.})
      for (const auto& [heads, width] :
           {std::pair<int64_t, int64_t>{1, 1}, {1, 8}, {3, 5}, {5, 4}, {13, 2}})
        for (const double dropout : {0., 0.4}) {
          const Pattern p = make_pattern(random_graph(n, density, 3).in);
          const AttentionOptions o{.heads = heads, .slope = 0.2, .dropout = dropout};
          check_gradient("attend", inputs(n, heads, width), [&](Tape<double>&, const Vars& v) {
            return attend(p, v[0], v[1], v[2], v[3], o);
          });
        }
}

// In both precisions, with the same masks.
template <class T>
void compare_with_steps(double tolerance) {
  const Pattern p = make_pattern(random_graph(300, 0.03, 6).in);
  for (const int64_t heads : {1, 4, 8, 13, 16})
    for (const int64_t width : {1, 6, 8, 16, 19})
      for (const double dropout : {0., 0.5}) {
        const AttentionOptions o{.heads = heads, .slope = 0.1, .dropout = dropout};
        const Matrices in = inputs(300, heads, width);
        expect_near(run<T>(in, [&](auto v) { return attend(p, v[0], v[1], v[2], v[3], o); }),
                    run<T>(in, [&](auto v) { return step_by_step(p, v, o); }), tolerance);
      }
}
TEST(Attention, IsItsOperations) {
  compare_with_steps<double>(1e-11);
  compare_with_steps<float>(2e-4);
}

TEST(Attention, OnlyWhatLearnsHasAGradient) {
  const Pattern p = make_pattern(random_graph(20, 0.2, 6).in);
  const Matrices in = inputs(20, 2, 3);
  Tape<double> tape;
  tape.start_training(0);
  const Vars v = {tape.constant(in[0]), tape.leaf(in[1]), tape.constant(in[2]), tape.leaf(in[3])};
  tape.backward(sum(attend(p, v[0], v[1], v[2], v[3], {.heads = 2})));
  EXPECT_NE(v[1].grad(), nullptr);
  EXPECT_NE(v[3].grad(), nullptr);
  EXPECT_EQ(v[0].grad(), nullptr);
  EXPECT_EQ(v[2].grad(), nullptr);
}

TEST(Attention, LargeScoresDoNotOverflow) {
  const Pattern p = make_pattern({2, 2, {0, 2, 2}, {0, 1}});
  MatrixOf<float> x(2, 1), zero(1, 1), one(1, 1);
  x.data = {1e4f, 1e4f - 1}, one.data = {1};
  Tape<float> tape;
  tape.start_evaluation();
  const Var<float> y =
      attend(p, tape.constant(x), tape.constant(zero), tape.constant(one), tape.constant(zero), {});
  EXPECT_NEAR(y.value[0], 1e4 - 1 / (1 + std::exp(1.)), 1e-2);
  EXPECT_EQ(y.value[1], 0);  // has no neighbours
}

TEST(Attention, BitsDoNotDependOnThreads) {
  const Pattern p = make_pattern(random_graph(1500, 0.01, 8).in);
  const Matrices in = inputs(1500, 13, 16);
  const auto result = [&](int threads) {
    set_num_threads(threads);
    return run<float>(in, [&](auto v) {
      return attend(p, v[0], v[1], v[2], v[3], {.heads = 13, .dropout = 0.5});
    });
  };
  const Result<float> one = result(1);
  for (const int threads : {2, 3, 4}) {
    const Result<float> many = result(threads);
    EXPECT_EQ(one.value, many.value);
    EXPECT_EQ(one.grads, many.grads);
  }
  set_num_threads(0);
}

}  // namespace
}  // namespace mgnn
