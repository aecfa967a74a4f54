#include "mgnn/tensor/redundancy.h"

#include <gtest/gtest.h>

#include "mgnn/base/parallel.h"
#include "tests/reference/redundancy_reference.h"
#include "tests/tensor/gradient.h"

namespace mgnn {
namespace {

using testing::check_gradient, testing::error_of, testing::Matrices, testing::random_matrix,
    testing::Vars, testing::weighed;

struct Shape {
  const char* name;
  BundleMap map;
  int64_t n, d, out;
};
const Shape kShapes[] = {
    {"13 motifs, 4 distinct",
     {4, {0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1, 3, 3}, std::vector<float>(13, 1.f)},
     150,
     16,
     6},
    {"factors", {2, {0, 1, 1, 0, 1}, {1, 2, -0.5f, 3, 1}}, 70, 5, 3},
    {"zero matrices", {1, {-1, 0, -1}, {1, 1, 1}}, 9, 4, 2},
    {"nothing but zero matrices", {0, {-1, -1}, {1, 1}}, 9, 4, 2},
    {"all different", {5, {4, 2, 0, 1, 3}, std::vector<float>(5, 1.f)}, 65, 3, 11},
    {"one motif", {1, {0}, {1}}, 64, 1, 1},
    {"no nodes", {2, {0, 1}, {1, 1}}, 0, 3, 2},
    {"one node", {2, {0, 1}, {1, 1}}, 1, 3, 2},
};

Matrices random_inputs(const Shape& s) {
  const int64_t motifs = s.map.size();
  Matrices in = {random_matrix(s.n, s.map.distinct * s.d, 1),
                 random_matrix(s.n, s.d, 2),
                 random_matrix(s.d, s.out, 3),
                 random_matrix(1, s.out, 4),
                 random_matrix(motifs * motifs * s.d, s.out, 5),
                 random_matrix(motifs, s.out, 6)};
  for (const size_t i : {2u, 4u})
    for (double& x : in[i].data) x *= 0.3;
  return in;
}

// The result and the gradients of all inputs.
template <class F>
Matrices outputs(const Matrices& inputs, F f) {
  Tape<double> tape(5);
  tape.start_training(11);
  Vars v;
  for (const auto& m : inputs) v.push_back(tape.leaf(m));
  const Var<double> y = f(v);
  tape.backward(weighed(tape, y));
  Matrices all(1, MatrixOf<double>(y.rows, y.cols));
  std::copy_n(y.value, y.size(), all[0].data.begin());
  for (const auto& x : v) {
    all.emplace_back(x.rows, x.cols);
    if (x.grad()) std::copy_n(x.grad(), x.size(), all.back().data.begin());
  }
  return all;
}

TEST(Redundancy, AgreesWithItsDefinition) {
  for (const Shape& s : kShapes)
    for (const Gate gate : {Gate::sigmoid, Gate::tanh})
      for (const double p : {0., 0.3}) {
        const RedundancyOptions options{gate, p, 2 * p, gate == Gate::sigmoid || p > 0};
        const Matrices in = random_inputs(s);
        const Matrices fused = outputs(in, [&](const Vars& v) {
          return minimise_redundancy(s.map, v[0], v[1], {v[2], v[3], v[4], v[5]}, options);
        });
        const Matrices plain = outputs(in, [&](const Vars& v) {
          return reference::redundancy<double>(s.map, v[0], v[1], {v[2], v[3], v[4], v[5]},
                                               options);
        });
        for (size_t i = 0; i < plain.size(); i++)
          for (size_t e = 0; e < plain[i].data.size(); e++)
            ASSERT_NEAR(fused[i].data[e], plain[i].data[e],
                        1e-9 * std::max(1., std::abs(plain[i].data[e])))
                << s.name << ", dropout " << p << ", output " << i << ", element " << e;
      }
}

// The product of the layer that follows, made in the same tiles, whatever of the two is used.
TEST(Redundancy, NextLayerAgreesWithAProductOfItsOwn) {
  for (const Shape& s : kShapes)
    for (const int64_t next : {1, 6, 8, 19})
      for (const double p : {0., 0.4})
        for (const bool result : {false, true})
          for (const bool product : {false, true}) {
            if (!result && !product) continue;
            Matrices in = random_inputs(s);
            in.push_back(random_matrix(s.map.size() * s.out, next, 7));
            const RedundancyOptions options{Gate::tanh, p, p};
            const auto used = [&](Var<double> y, Var<double> c) {
              const Var<double> both[] = {y, c};
              return !product ? y : !result ? c : concat_columns<double>(both);
            };
            const Matrices fused = outputs(in, [&](const Vars& v) {
              const auto y = minimise_redundancy_times(s.map, v[0], v[1], {v[2], v[3], v[4], v[5]},
                                                       options, v[6], p, result);
              return used(y.result, y.product);
            });
            const Matrices apart = outputs(in, [&](const Vars& v) {
              const auto y =
                  minimise_redundancy(s.map, v[0], v[1], {v[2], v[3], v[4], v[5]}, options);
              return used(y, matmul(dropout(y, p), v[6]));
            });
            for (size_t i = 0; i < apart.size(); i++)
              for (size_t e = 0; e < apart[i].data.size(); e++)
                ASSERT_NEAR(fused[i].data[e], apart[i].data[e],
                            1e-9 * std::max(1., std::abs(apart[i].data[e])))
                    << s.name << ", " << next << " columns, dropout " << p << ", output " << i;
          }
}

TEST(Redundancy, GradientsAreSlopes) {
  for (const Shape& s : kShapes) {
    if (s.n > 100) continue;
    Shape small = s;
    small.n = std::min<int64_t>(s.n, 9);
    check_gradient(s.name, random_inputs(small), [&](Tape<double>&, const Vars& v) {
      return minimise_redundancy(s.map, v[0], v[1], {v[2], v[3], v[4], v[5]},
                                 {Gate::tanh, 0.2, 0.3});
    });
  }
}

// In float, with enough nodes for several chunks; and the same bits for any number of threads.
TEST(Redundancy, WorksInFloatOnAnyNumberOfThreads) {
  Shape s = kShapes[0];
  s.n = 3001;
  const Matrices in = random_inputs(s);
  for (const Gate gate : {Gate::sigmoid, Gate::tanh}) {
    const RedundancyOptions options{gate, 0.1, 0.2};
    const Matrices exact = outputs(in, [&](const Vars& v) {
      return minimise_redundancy(s.map, v[0], v[1], {v[2], v[3], v[4], v[5]}, options);
    });
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 3}) {
      set_num_threads(threads);
      Tape<float> tape(5);
      tape.start_training(11);
      std::vector<Var<float>> v;
      for (const auto& m : in) {
        Matrix single(m.rows, m.cols);
        std::transform(m.data.begin(), m.data.end(), single.data.begin(),
                       [](double x) { return float(x); });
        v.push_back(tape.leaf(single));
      }
      const Var<float> y =
          minimise_redundancy(s.map, v[0], v[1], {v[2], v[3], v[4], v[5]}, options);
      const auto c = random_matrix(y.rows, y.cols, 99);
      tape.backward(sum(mul(y, tape.converted(y.rows, y.cols, c.data.data()))));
      results.emplace_back(y.value, y.value + y.size());
      for (const auto& x : v)
        results.back().insert(results.back().end(), x.grad(), x.grad() + x.size());
    }
    set_num_threads(0);
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
    size_t at = 0;
    for (const auto& m : exact) {
      double error = 0, size = 0;
      for (const double x : m.data) {
        const double off = results[0][at++] - x;
        error += off * off, size += x * x;
      }
      EXPECT_LT(std::sqrt(error), 1e-4 * std::sqrt(size));
    }
  }
}

TEST(Redundancy, MistakesAreTold) {
  Tape<double> tape;
  const BundleMap map{1, {0}, {1}};
  const auto leaf = [&](int64_t rows, int64_t cols) {
    return tape.leaf(random_matrix(rows, cols, 1));
  };
  const auto message = [&](const BundleMap& m, Var<double> h, Var<double> own,
                           RedundancyOptions options) {
    return error_of([&] {
      minimise_redundancy<double>(m, h, leaf(4, 3), {own, leaf(1, 2), leaf(3, 2), leaf(1, 2)},
                                  options);
    });
  };
  EXPECT_EQ(message(map, leaf(4, 3), leaf(3, 2), {}), "");
  EXPECT_EQ(message(map, leaf(4, 6), leaf(3, 2), {}),
            "minimise_redundancy: representations (4, 6) for 1 of (4, 3)");
  EXPECT_EQ(message(map, leaf(4, 3), leaf(2, 2), {}),
            "minimise_redundancy: weights (2, 2), (1, 2), (3, 2), (1, 2) do not fit 1 motifs of 3 "
            "columns");
  EXPECT_EQ(message({1, {1}, {1}}, leaf(4, 3), leaf(3, 2), {}),
            "minimise_redundancy: representation 1 of 1");
  EXPECT_EQ(message({1, {0}, {}}, leaf(4, 3), leaf(3, 2), {}),
            "minimise_redundancy: 1 motifs and 0 factors");
  EXPECT_EQ(message(map, leaf(4, 3), leaf(3, 2), {Gate::tanh, 1, 0}),
            "minimise_redundancy: dropouts 1 and 0 are not probabilities below 1");
}

}  // namespace
}  // namespace mgnn
