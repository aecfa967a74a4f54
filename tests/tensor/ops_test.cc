#include "mgnn/tensor/ops.h"

#include <gtest/gtest.h>

#include "mgnn/base/parallel.h"
#include "mgnn/tensor/random.h"
#include "tests/tensor/gradient.h"

namespace mgnn {
namespace {

using testing::check_gradient, testing::error_of, testing::Function, testing::Matrices,
    testing::random_graph, testing::random_matrix, testing::Vars;
using V = Var<double>;
using TapeD = Tape<double>;

struct Case {
  const char* name;
  // Shapes of the inputs for a size (n rows, d columns).
  std::function<std::vector<std::pair<int64_t, int64_t>>(int64_t n, int64_t d)> shapes;
  Function f;
};
using Shapes = std::vector<std::pair<int64_t, int64_t>>;
Shapes one(int64_t n, int64_t d) { return {{n, d}}; }
Shapes two(int64_t n, int64_t d) { return {{n, d}, {n, d}}; }

const Case kCases[] = {
    {"matmul",
     [](int64_t n, int64_t d) {
       return Shapes{{n, d}, {d, 5}};
     },
     [](TapeD&, const Vars& x) { return matmul(x[0], x[1]); }},
    {"matmul_nt",
     [](int64_t n, int64_t d) {
       return Shapes{{n, d}, {4, d}};
     },
     [](TapeD&, const Vars& x) { return matmul_nt(x[0], x[1]); }},
    {"matmul with itself", one, [](TapeD&, const Vars& x) { return matmul_nt(x[0], x[0]); }},
    {"dropout_matmul",
     [](int64_t n, int64_t d) {
       return Shapes{{n, d}, {d, 3}};
     },
     [](TapeD&, const Vars& x) { return dropout_matmul(x[0], x[1], 0.4); }},
    {"dropout_matmul of x used twice",
     [](int64_t n, int64_t d) {
       return Shapes{{n, d}, {d, d}};
     },
     [](TapeD&, const Vars& x) { return add(dropout_matmul(x[0], x[1], 0.4), x[0]); }},
    {"add_bias",
     [](int64_t n, int64_t d) {
       return Shapes{{n, d}, {1, d}};
     },
     [](TapeD&, const Vars& x) { return add_bias(x[0], x[1]); }},
    {"add", two, [](TapeD&, const Vars& x) { return add(x[0], x[1]); }},
    {"sub", two, [](TapeD&, const Vars& x) { return sub(x[0], x[1]); }},
    {"mul", two, [](TapeD&, const Vars& x) { return mul(x[0], x[1]); }},
    {"mul with itself", one, [](TapeD&, const Vars& x) { return mul(x[0], x[0]); }},
    {"scale", one, [](TapeD&, const Vars& x) { return scale(x[0], -1.5); }},
    {"scale by a learned number",
     [](int64_t n, int64_t d) {
       return Shapes{{n, d}, {1, 1}};
     },
     [](TapeD&, const Vars& x) { return scale(x[0], x[1]); }},
    {"shift", one, [](TapeD&, const Vars& x) { return mul(shift(x[0], 2.), x[0]); }},
    {"relu", one, [](TapeD&, const Vars& x) { return relu(x[0]); }},
    {"leaky_relu", one, [](TapeD&, const Vars& x) { return leaky_relu(x[0], 0.2); }},
    {"elu", one, [](TapeD&, const Vars& x) { return elu(x[0]); }},
    {"sigmoid", one, [](TapeD&, const Vars& x) { return sigmoid(x[0]); }},
    {"tanh", one, [](TapeD&, const Vars& x) { return tanh(x[0]); }},
    {"softplus", one, [](TapeD&, const Vars& x) { return softplus(x[0]); }},
    {"exp", one, [](TapeD&, const Vars& x) { return exp(x[0]); }},
    {"log", one, [](TapeD&, const Vars& x) { return log(shift(mul(x[0], x[0]), 0.5)); }},
    {"clamp", one, [](TapeD&, const Vars& x) { return clamp(x[0], -0.7, 0.8); }},
    {"dropout", one, [](TapeD&, const Vars& x) { return dropout(x[0], 0.4); }},
    {"reparametrised normal", two,
     [](TapeD& t, const Vars& x) {
       return add(x[0], mul(exp(x[1]), normal_noise(t, x[1].rows, x[1].cols)));
     }},
    {"sum", one, [](TapeD&, const Vars& x) { return sum(mul(x[0], x[0])); }},
    {"mean", one, [](TapeD&, const Vars& x) { return mean(mul(x[0], x[0])); }},
    {"row_dot", two, [](TapeD&, const Vars& x) { return row_dot(x[0], x[1]); }},
    {"block_dot",
     [](int64_t n, int64_t d) {
       return Shapes{{n, 3 * d}, {1, 3 * d}};
     },
     [](TapeD&, const Vars& x) { return block_dot(x[0], x[1], 3); }},
    {"block_matmul",
     [](int64_t n, int64_t d) {
       return Shapes{{n, 3 * d}, {d, 3 * 2}};
     },
     [](TapeD&, const Vars& x) { return block_matmul(x[0], x[1], 3); }},
    {"row_sum", one, [](TapeD&, const Vars& x) { return row_sum(mul(x[0], x[0])); }},
    {"scale_rows",
     [](int64_t n, int64_t d) {
       return Shapes{{n, d}, {n, 1}};
     },
     [](TapeD&, const Vars& x) { return scale_rows(x[0], x[1]); }},
    {"l2_normalise_rows", one, [](TapeD&, const Vars& x) { return l2_normalise_rows(x[0]); }},
    {"concat_columns",
     [](int64_t n, int64_t d) {
       return Shapes{{n, d}, {n, 2}, {n, d}};
     },
     [](TapeD&, const Vars& x) {
       const std::array parts = {x[0], x[1], x[0], x[2]};
       return concat_columns<double>(parts);
     }},
    {"concat_rows",
     [](int64_t n, int64_t d) {
       return Shapes{{n, d}, {3, d}};
     },
     [](TapeD&, const Vars& x) {
       const std::array parts = {x[0], x[1], x[0]};
       return concat_rows<double>(parts);
     }},
    {"slice_columns", one,
     [](TapeD&, const Vars& x) {
       return mul(slice_columns(x[0], x[0].cols / 2, x[0].cols - x[0].cols / 2),
                  slice_columns(x[0], 0, x[0].cols - x[0].cols / 2));
     }},
    {"reshape", one,
     [](TapeD&, const Vars& x) {
       return mul(reshape(x[0], 1, x[0].size()), reshape(x[0], 1, x[0].size()));
     }},
    {"log_softmax", one, [](TapeD&, const Vars& x) { return log_softmax(x[0]); }},
    {"softmax", one, [](TapeD&, const Vars& x) { return softmax(x[0]); }},
    {"kl_normal", two, [](TapeD&, const Vars& x) { return kl_normal(x[0], x[1]); }},
    {"detached", one, [](TapeD&, const Vars& x) { return add(detached(scale(x[0], 0.)), x[0]); }},
};

TEST(Ops, GradientsAreSlopes) {
  for (const Case& c : kCases)
    for (const auto& [n, d] : {std::pair{7, 4}, {1, 1}, {20, 1}, {0, 3}, {13, 17}, {3, 16}}) {
      Matrices inputs;
      for (const auto& [rows, cols] : c.shapes(n, d))
        inputs.push_back(random_matrix(rows, cols, 10 + inputs.size()));
      check_gradient(fmt::format("{} ({}, {})", c.name, n, d), inputs, c.f);
    }
}

TEST(Ops, GradientsOfBatchNorm) {
  for (const bool training : {true, false})
    for (const auto& [n, d] : {std::pair{9, 3}, {2, 1}, {0, 2}, {30, 17}}) {
      std::vector<double> mean(size_t(d), 0.3), variance(size_t(d), 1.7);
      check_gradient(
          fmt::format("batch_norm ({}, {})", n, d),
          {random_matrix(n, d, 1), random_matrix(1, d, 2), random_matrix(1, d, 3)},
          [&](TapeD&, const Vars& x) {
            std::vector<double> m = mean, v = variance;
            return batch_norm(x[0], x[1], x[2], {m.data(), v.data()});
          },
          training);
    }
}

TEST(Ops, GradientsOfGatherAndSegments) {
  const Array<Offset> start = {0, 3, 3, 4, 9};
  const Array<NodeId> index = {3, 0, 3, 3, 8, 1, 0};
  Array<float> mask(9 * 3, 1.f);
  for (const size_t i : {0u, 4u, 9u, 25u, 26u}) mask[i] = 0;
  const std::vector<std::pair<const char*, Function>> cases = {
      {"gather_rows", [&](TapeD&, const Vars& x) { return gather_rows(x[0], index); }},
      {"gather no rows",
       [&](TapeD&, const Vars& x) { return gather_rows(x[0], std::span<const NodeId>{}); }},
      {"segment_sum", [&](TapeD&, const Vars& x) { return segment_sum(x[0], start); }},
      {"segment_mean", [&](TapeD&, const Vars& x) { return segment_mean(x[0], start); }},
      {"segment_max", [&](TapeD&, const Vars& x) { return segment_max(x[0], start); }},
      {"segment_softmax", [&](TapeD&, const Vars& x) { return segment_softmax(x[0], start); }},
      {"masked segment_softmax",
       [&](TapeD&, const Vars& x) { return segment_softmax(x[0], start, mask); }},
  };
  for (const auto& [name, f] : cases) check_gradient(name, {random_matrix(9, 3, 5)}, f);
}

TEST(Ops, GradientsOfPairs) {
  const Array<NodeId> sources = {3, 0, 3, 3, 8, 1, 0}, targets = {3, 2, 1, 1, 0, 4, 4};
  for (const int64_t d : {1, 3, 17}) {
    check_gradient(
        "pair_dot", {random_matrix(9, d, 5), random_matrix(5, d, 6)},
        [&](TapeD&, const Vars& x) { return pair_dot<double>(x[0], x[1], sources, targets); });
    check_gradient("pair_dot with itself", {random_matrix(9, d, 5)}, [&](TapeD&, const Vars& x) {
      return pair_dot<double>(x[0], x[0], sources, targets);
    });
    check_gradient("pair_dot of no pairs", {random_matrix(9, d, 5)},
                   [&](TapeD&, const Vars& x) { return pair_dot<double>(x[0], x[0], {}, {}); });
  }
}

TEST(Ops, PairsDoNotDependOnThreads) {
  constexpr int64_t n = 300, d = 20, pairs = 50'000;
  Array<NodeId> sources, targets;
  Rng rng(1);
  for (int64_t i = 0; i < pairs; i++) {
    sources.push_back(NodeId(rng.below(n)));
    targets.push_back(NodeId(rng.below(n)));
  }
  MatrixOf<float> x(n, d);
  for (float& v : x.data) v = float(rng.normal());
  const auto gradient = [&](int threads) {
    set_num_threads(threads);
    Tape<float> tape;
    tape.start_training(0);
    const Var<float> leaf = tape.leaf(x);
    tape.backward(mean(sigmoid(pair_dot<float>(leaf, leaf, sources, targets))));
    set_num_threads(0);
    return std::vector<float>(leaf.grad(), leaf.grad() + leaf.size());
  };
  EXPECT_TRUE(gradient(1) == gradient(4));
}

TEST(Ops, SegmentsOfNothing) {
  const Array<Offset> none = {0}, empty = {0, 0, 0};
  TapeD tape;
  tape.start_training(0);
  const V x = tape.leaf(random_matrix(0, 2, 1));
  EXPECT_EQ(segment_sum(x, none).rows, 0);
  const V maximum = segment_max(x, empty);
  EXPECT_EQ(maximum.rows, 2);
  for (int i = 0; i < 4; i++) EXPECT_EQ(maximum.value[i], 0);
  for (const auto& y : {segment_mean(x, empty), segment_softmax(x, empty)})
    for (int i = 0; i < y.size(); i++) EXPECT_EQ(y.value[i], 0);
}

TEST(Ops, MaximaOfEqualsGoToTheFirst) {
  const Array<Offset> start = {0, 3};
  MatrixOf<double> x(3, 1);
  x.data = {-2, -1, -1};
  TapeD tape;
  tape.start_training(0);
  const V leaf = tape.leaf(x);
  const V y = segment_max(leaf, start);
  EXPECT_EQ(y.value[0], -1);  // an empty segment's 0 takes no part
  tape.backward(y);
  EXPECT_EQ(leaf.grad()[1], 1);
  EXPECT_EQ(leaf.grad()[2], 0);
}

TEST(Ops, GradientsOfLosses) {
  const std::vector<int32_t> labels = {0, 2, 1, 1, 0, 2, -1};
  const std::vector<NodeId> rows = {5, 0, 3, 3}, no_rows;
  const std::vector<float> target = {0, 1, 1, 0, 0.5f, 1, 0, 0, 1, 1, 0,
                                     1, 0, 0, 1, 0,    1, 1, 0, 1, 0};
  check_gradient("cross_entropy", {random_matrix(7, 3, 1)},
                 [&](TapeD&, const Vars& x) { return cross_entropy<double>(x[0], labels, rows); });
  const std::vector<float> class_weight = {0.5f, 3, 1.25f};
  check_gradient("cross_entropy with weights", {random_matrix(7, 3, 1)},
                 [&](TapeD&, const Vars& x) {
                   return cross_entropy<double>(x[0], labels, rows, class_weight);
                 });
  check_gradient("cross_entropy of no rows", {random_matrix(7, 3, 1)}, [&](TapeD&, const Vars& x) {
    return cross_entropy<double>(x[0], labels, no_rows);
  });
  check_gradient("binary_cross_entropy", {random_matrix(7, 3, 1)}, [&](TapeD&, const Vars& x) {
    return binary_cross_entropy<double>(x[0], target, 2.5);
  });
  check_gradient("binary_cross_entropy of nothing", {random_matrix(0, 3, 1)},
                 [&](TapeD&, const Vars& x) { return binary_cross_entropy<double>(x[0], {}); });
}

TEST(Ops, GradientsOfRegressionLosses) {
  for (const int64_t cols : {1, 3})
    for (const std::vector<NodeId>& rows :
         {std::vector<NodeId>{5, 0, 3, 3}, std::vector<NodeId>{}}) {
      std::vector<float> target(7 * cols, NAN);  // read only where it counts
      for (const NodeId r : rows)
        for (int64_t c = 0; c < cols; c++) target[r * cols + c] = float(r - 2 * c) / 2;
      check_gradient("squared_error", {random_matrix(7, cols, 1)}, [&](TapeD&, const Vars& x) {
        return squared_error<double>(x[0], target, rows);
      });
      check_gradient("huber", {random_matrix(7, cols, 1)},
                     [&](TapeD&, const Vars& x) { return huber<double>(x[0], target, rows, 0.8); });
    }
}

TEST(Dense, BiasInPlace) {
  for (const int64_t n : {0, 1, 7})
    for (const Activation activation : {Activation::none, Activation::relu}) {
      const Matrices in = {random_matrix(n, 4, 1), random_matrix(4, 5, 2), random_matrix(1, 5, 3)};
      const auto name = fmt::format("bias in place, {} rows", n);
      check_gradient(name, in, [&](TapeD&, const Vars& v) {
        return add_bias_in_place(matmul(v[0], v[1]), v[2], activation);
      });
      TapeD tape;
      const V x = tape.constant(in[0]), w = tape.constant(in[1]), bias = tape.constant(in[2]);
      const V y = add_bias_in_place(matmul(x, w), bias, activation);
      const V apart = add_bias(matmul(x, w), bias);
      const V expected = activation == Activation::relu ? relu(apart) : apart;
      for (int64_t i = 0; i < y.size(); i++) ASSERT_EQ(y.value[i], expected.value[i]);
    }
  // What learns is the bias alone.
  const auto x = random_matrix(3, 2, 1);
  check_gradient("bias of what does not learn", {random_matrix(1, 2, 3)},
                 [&](TapeD& tape, const Vars& v) {
                   return add_bias_in_place(tape.constant(x), v[0], Activation::relu);
                 });
}

TEST(BatchNorm, RemembersWhatItSaw) {
  MatrixOf<double> x(4, 1);
  x.data = {1, 2, 3, 6};  // mean 3, variance 14/4, unbiased 14/3
  std::vector<double> mean = {0}, variance = {1};
  const double one = 1, zero = 0;
  TapeD tape;
  tape.start_training(0);
  const auto norm = [&] {
    return batch_norm(tape.constant(x), tape.constant(1, 1, &one), tape.constant(1, 1, &zero),
                      {mean.data(), variance.data()}, 0.1, 0.);
  };
  const V y = norm();
  EXPECT_NEAR(y.value[3], 3 / std::sqrt(3.5), 1e-12);
  EXPECT_NEAR(mean[0], 0.3, 1e-12);
  EXPECT_NEAR(variance[0], 0.9 + 0.1 * 14 / 3, 1e-12);
  tape.start_evaluation();
  EXPECT_NEAR(norm().value[0], (1 - 0.3) / std::sqrt(variance[0]), 1e-12);
  EXPECT_NEAR(mean[0], 0.3, 1e-12);
}

// Closed forms from the definitions of the losses.
TEST(Loss, KnownValues) {
  TapeD tape;
  const MatrixOf<double> zeros(3, 4);
  const std::vector<int32_t> labels = {0, 1, 3};
  const std::vector<NodeId> rows = {0, 2};
  const std::vector<float> ones(12, 1.f);
  const V x = tape.constant(zeros);
  EXPECT_NEAR(*cross_entropy<double>(x, labels, rows).value, std::log(4), 1e-12);
  EXPECT_NEAR(*binary_cross_entropy<double>(x, ones).value, std::log(2), 1e-12);
  EXPECT_NEAR(*kl_normal(x, x).value, 0, 1e-12);
  const std::vector<float> threes(12, 3.f);
  EXPECT_NEAR(*squared_error<double>(x, threes, rows).value, 9, 1e-12);
  EXPECT_NEAR(*huber<double>(x, threes, rows, 3).value, 4.5, 1e-12);
  EXPECT_NEAR(*huber<double>(x, threes, rows, 1).value, 2.5, 1e-12);
  EXPECT_EQ(*squared_error<double>(x, threes, {}).value, 0);
  MatrixOf<double> large(1, 2);
  large.data = {1000, -1000};
  const V l = tape.constant(large);
  const std::vector<float> wrong = {0, 1};
  EXPECT_NEAR(*binary_cross_entropy<double>(l, wrong).value, 1000, 1e-9);
  EXPECT_NEAR(log_softmax(l).value[1], -2000, 1e-9);
  EXPECT_EQ(softplus(l).value[0], 1000);
}

TEST(Ops, MistakesAreTold) {
  TapeD tape;
  const V a = tape.leaf(random_matrix(3, 4, 1)), b = tape.leaf(random_matrix(3, 5, 1));
  const Pattern p = make_pattern(random_graph(3, 0.9, 1).out);
  const Operator op = make_operator(random_graph(4, 1, 1).out, Array<float>(12, 1.f));
  const Array<Offset> start = {0, 2};
  const Array<NodeId> index = {3};
  const std::vector<int32_t> labels = {0, 4, 0}, short_labels = {0};
  const std::vector<NodeId> row = {1}, beyond = {7};
  const std::vector<float> target = {1};
  const std::array columns = {a, tape.leaf(random_matrix(2, 1, 1))}, below = {a, b};
  double x = 0;
  const std::vector<std::pair<std::function<void()>, std::string>> cases = {
      {[&] { matmul(a, b); }, "matmul: invalid shapes (3, 4) times (3, 5)"},
      {[&] { add(a, b); }, "add: shapes (3, 4) and (3, 5) differ"},
      {[&] { add_bias(a, b); }, "add_bias: a bias (3, 5) for 4 columns"},
      {[&] { concat_columns<double>(columns); }, "concat_columns: 2 rows beside 3"},
      {[&] { concat_rows<double>(below); }, "concat_rows: 5 columns below 4"},
      {[&] { slice_columns(a, 3, 2); }, "slice_columns: columns 3 to 5 of 4"},
      {[&] { reshape(a, 5, 2); }, "reshape: (3, 4) does not have the size of (5, 2)"},
      {[&] { gather_rows(a, index); }, "gather_rows: row 3 of 3"},
      {[&] { pair_dot(a, b, row, row); }, "pair_dot: 4 and 5 columns, 1 sources for 1 targets"},
      {[&] { pair_dot<double>(a, a, row, beyond); }, "pair_dot: pair (1, 7) of 3 and 3 rows"},
      {[&] { scale_rows(a, b); }, "scale_rows: factors (3, 5) for 3 rows"},
      {[&] { scale(a, b); }, "scale: the factor is (3, 5), not one number"},
      {[&] { dropout(a, 1.); }, "dropout: 1 is not a probability below 1"},
      {[&] { segment_sum(a, start); }, "segment_sum: the segments do not cover the 3 rows"},
      {[&] {
         segment_softmax(a, Array<Offset>{0, 3}, target);
       },
       "segment_softmax: a mask of 1 for 12 elements"},
      {[&] { spmm(op, a); }, "spmm: an operator of 4 columns times 3 rows"},
      {[&] { spmm(p, a, b); }, "spmm: 3 values for 6 non-zeros"},
      {[&] { spmm(p, tape.leaf(random_matrix(6, 1, 1)), tape.leaf(random_matrix(2, 1, 1))); },
       "spmm: a pattern of 3 columns times 2 rows"},
      {[&] { spmm_heads(p, tape.leaf(random_matrix(6, 3, 1)), a); },
       "spmm_heads: 4 columns for 3 heads"},
      {[&] { attend(p, a, b, b, b, {.heads = 2}); }, "attend: (3, 5) for 4 columns"},
      {[&] { attend(p, a, b, b, b, {.heads = 3}); }, "attend: 4 columns for 3 heads"},
      {[&] { block_matmul(a, b, 2); }, "block_matmul: (3, 4) times (3, 5) in 2 blocks"},
      {[&] { spmm_max(p, a, b); }, "spmm_max: 3 values for 6 non-zeros, 3 rows for 3 columns"},
      {[&] { edge_add(p, a, b); },
       "edge_add: (3, 4) and (3, 5) at the ends of a pattern of 3 rows and 3 columns"},
      {[&] { make_operator(p.rows, {1.f}); },
       "make_operator: 1 values for 1 matrices of 6 non-zeros"},
      {[&] {
         sparse_features_times(make_sparse_features({p.rows, Array<float>(6, 1.f)}),
                               tape.leaf(random_matrix(2, 1, 1)));
       },
       "sparse_features_times: 3 features, a weight of 2 rows"},
      {[&] {
         batch_norm(a, b, b, {&x, &x});
       },
       "batch_norm: gamma (3, 5) and beta (3, 5) for 4 columns"},
      {[&] { cross_entropy<double>(a, short_labels, row); }, "cross_entropy: 1 labels for 3 rows"},
      {[&] { cross_entropy<double>(a, labels, beyond); }, "cross_entropy: row 7 of 3"},
      {[&] { cross_entropy<double>(a, labels, row); },
       "cross_entropy: row 1 has label 4, not one of 4 classes"},
      {[&] { binary_cross_entropy<double>(a, target); },
       "binary_cross_entropy: 1 targets for 12 logits"},
      {[&] { squared_error<double>(a, target, row); }, "squared_error: 1 targets for 12 outputs"},
      {[&] { squared_error<double>(a, std::vector<float>(12), beyond); },
       "squared_error: row 7 of 3"},
      {[&] { huber<double>(a, target, row, 0); }, "huber: delta is 0, not a positive number"},
      {[&] { tape.backward(a); }, "backward: the loss is (3, 4), not one number"},
      {[&] { tape.backward(tape.constant(1, 1, &x)); },
       "backward: the loss depends on nothing that learns"},
      {[&] { tape.make(-1, 2, false); }, "invalid shape (-1, 2)"},
  };
  for (const auto& [action, message] : cases) EXPECT_EQ(error_of(action), message);
}

}  // namespace
}  // namespace mgnn
