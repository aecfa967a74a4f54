// Parameters, optimisers, and what a whole training step must keep: bits and memory.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "mgnn/base/parallel.h"
#include "mgnn/tensor/ops.h"
#include "mgnn/tensor/optimiser.h"
#include "tests/tensor/allocations.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph;

// A network that uses operations of every file.
struct Network {
  Parameters weights;
  Parameter first, bias, gamma, beta, mean, variance, attention, last;
  Operator op;
  Pattern pattern;
  SparseFeatures features;
  std::vector<int32_t> labels;
  std::vector<NodeId> rows;

  explicit Network(NodeId n) {
    Rng rng(1);
    first = weights.add("first", n, 24, {}, rng);
    bias = weights.add("bias", 1, 24, {.kind = Init::zeros, .decay = 0}, rng);
    gamma = weights.add("gamma", 1, 24, {.kind = Init::ones}, rng);
    beta = weights.add("beta", 1, 24, {.kind = Init::zeros}, rng);
    mean = weights.add("mean", 1, 24, {.kind = Init::zeros, .learns = false}, rng);
    variance = weights.add("variance", 1, 24, {.kind = Init::ones, .learns = false}, rng);
    attention = weights.add("attention", 24, 2, {.kind = Init::xavier_normal}, rng);
    last = weights.add("last", 24, 3, {.kind = Init::linear}, rng);
    const Csr graph = random_graph(n, 12. / n, 3).out;
    op = make_operator(graph, Array<float>(size_t(graph.nnz()), 0.1f));
    pattern = make_pattern(graph);
    features = make_sparse_features({graph, Array<float>(size_t(graph.nnz()), 1.f)});
    for (NodeId i = 0; i < n; i++) labels.push_back(i % 3);
    for (NodeId i = 0; i < n; i += 2) rows.push_back(i);
  }

  Var<float> forward(Tape<float>& tape) {
    const auto w = [&](const Parameter& p) { return tape.parameter(weights, p); };
    Var<float> h = sparse_features_times(features, w(first), 0.3);
    h = relu(add_bias(spmm(op, h), w(bias)));
    h = batch_norm(h, w(gamma), w(beta), {weights.value_of(mean), weights.value_of(variance)});
    const Var<float> score = matmul(h, w(attention));
    const Var<float> alpha =
        segment_softmax(leaky_relu(edge_add(pattern, score, score), 0.2), pattern.rows.start);
    const std::array both = {spmm_heads(pattern, dropout(alpha, 0.2), h),
                             gather_rows(h, pattern.columns.index)};
    h = add(both[0], segment_mean(both[1], pattern.columns.start));
    return matmul(dropout(h, 0.5), w(last));
  }

  float step(Tape<float>& tape, Adam& adam, uint64_t number) {
    tape.start_training(number);
    const Var<float> loss = cross_entropy<float>(forward(tape), labels, rows);
    tape.backward(loss);
    adam.step(weights, 0.01, std::min(1., 5 / grad_norm(weights)));
    return *loss.value;
  }
};

TEST(Training, BitsDoNotDependOnThreads) {
  std::vector<Array<float>> results;
  const Network fresh(5000);
  for (const int threads : {1, 2, 3}) {
    set_num_threads(threads);
    Network net = fresh;
    Tape<float> tape(9);
    Adam adam(net.weights, {.weight_decay = 0.01});
    for (uint64_t i = 0; i < 3; i++) net.step(tape, adam, i);
    results.push_back(net.weights.value);
  }
  set_num_threads(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Training, AllocationsAreCounted) {
  const int64_t before = testing::allocations();
  const auto one = std::make_unique<volatile int>(1);
  EXPECT_EQ(testing::allocations(), before + *one);
}

TEST(Training, AllocatesNothingAfterTheFirstStep) {
  Network net(500);
  Tape<float> tape(9);
  Adam adam(net.weights, {});
  net.step(tape, adam, 0);
  net.step(tape, adam, 1);
  const int64_t before = testing::allocations();
  for (uint64_t i = 2; i < 5; i++) net.step(tape, adam, i);
  tape.start_evaluation();
  net.forward(tape);
  net.step(tape, adam, 5);
  EXPECT_EQ(testing::allocations() - before, 0);
}

TEST(Training, GoesOnFromAnyStep) {
  Network whole(300), halves(300);
  Tape<float> tape(4);
  Adam adam(whole.weights, {});
  for (uint64_t i = 0; i < 6; i++) whole.step(tape, adam, i);

  Adam::State state;
  {
    Tape<float> first(4);
    Adam early(halves.weights, {});
    for (uint64_t i = 0; i < 3; i++) halves.step(first, early, i);
    state = early.state;
  }
  Tape<float> second(4);
  Adam late(halves.weights, {});
  late.state = state;
  for (uint64_t i = 3; i < 6; i++) halves.step(second, late, i);
  EXPECT_EQ(whole.weights.value, halves.weights.value);
}

TEST(Training, LowersTheLoss) {
  Network net(200);
  Tape<float> tape(2);
  Adam adam(net.weights, {});
  float first = 0, last = 0;
  for (uint64_t i = 0; i < 150; i++) (i == 0 ? first : last) = net.step(tape, adam, i);
  EXPECT_LT(last, 0.5f * first);
}

TEST(Tape, EvaluationRecordsNothing) {
  Network net(50);
  Tape<float> tape;
  tape.start_evaluation();
  EXPECT_FALSE(net.forward(tape).learns());
  EXPECT_FALSE(tape.parameter(net.weights, net.last).learns());
  tape.start_training(0);
  EXPECT_TRUE(tape.parameter(net.weights, net.last).learns());
  EXPECT_FALSE(tape.parameter(net.weights, net.mean).learns());
  EXPECT_FALSE(detached(tape.parameter(net.weights, net.last)).learns());
}

TEST(Arena, KeepsItsMemory) {
  Arena arena;
  for (int round = 0; round < 3; round++) {
    for (const size_t bytes : {0u, 1u, 100u, 70'000u, 3u, 1'000'000u}) {
      void* p = arena.take(bytes);
      ASSERT_NE(p, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % Arena::kAlignment, 0u);
      std::fill_n(static_cast<char*>(p), bytes, char(round));
    }
    const size_t held = arena.capacity();
    arena.reset();
    EXPECT_EQ(arena.capacity(), held);
  }
}

// ---- parameters

TEST(Parameters, BeginAsAsked) {
  Parameters weights;
  Rng rng(1);
  const auto values = [&](const char* name, InitOptions init) {
    const Parameter p = weights.add(name, 300, 200, init, rng);
    return std::vector<double>(weights.value_of(p), weights.value_of(p) + p.size());
  };
  const auto maximum = [](const std::vector<double>& v) {
    double m = 0;
    for (double x : v) m = std::max(m, std::abs(x));
    return m;
  };
  const auto deviation = [](const std::vector<double>& v) {
    double s = 0;
    for (double x : v) s += x * x;
    return std::sqrt(s / double(v.size()));
  };
  EXPECT_EQ(maximum(values("zeros", {.kind = Init::zeros})), 0);
  EXPECT_EQ(deviation(values("ones", {.kind = Init::ones})), 1);
  EXPECT_EQ(deviation(values("constant", {.kind = Init::constant, .scale = 2.5})), 2.5);
  EXPECT_NEAR(deviation(values("normal", {.kind = Init::normal, .scale = 2})), 2, 0.02);
  EXPECT_NEAR(deviation(values("xavier_normal", {.kind = Init::xavier_normal})),
              std::sqrt(2. / 500), 0.001);
  const auto uniform = [&](const char* name, InitOptions init, double bound) {
    const auto v = values(name, init);
    EXPECT_LE(maximum(v), bound * 1.000001) << name;
    EXPECT_GT(maximum(v), bound * 0.999) << name;
    EXPECT_NEAR(deviation(v), bound / std::sqrt(3), 0.01 * bound) << name;
  };
  uniform("uniform", {.kind = Init::uniform, .scale = 0.3}, 0.3);
  uniform("xavier", {.kind = Init::xavier_uniform}, std::sqrt(6. / 500));
  uniform("kaiming", {.kind = Init::kaiming_uniform}, std::sqrt(6. / 300));
  uniform("kaiming of out", {.kind = Init::kaiming_uniform, .fan = 200}, std::sqrt(6. / 200));
  uniform("linear", {.kind = Init::linear}, std::sqrt(1. / 300));
  EXPECT_EQ(weights.count(), 10 * 300 * 200);
}

TEST(Parameters, NamesAndKinds) {
  Parameters weights;
  Rng rng(1);
  weights.add("w", 2, 2, {}, rng);
  EXPECT_EQ(error_of([&] { weights.add("w", 1, 1, {}, rng); }),
            "there are two parameters with the name \"w\"");
  EXPECT_EQ(parse_name<Init>("init", "xavier-normal"), Init::xavier_normal);
}

TEST(Parameters, AreTheSameInDouble) {
  Parameters single;
  ParametersOf<double> twice;
  Rng a(3), b(3);
  const Parameter p = single.add("w", 5, 3, {}, a), q = twice.add("w", 5, 3, {}, b);
  const ParametersOf<double> wide = converted<double>(single);
  for (int i = 0; i < 15; i++) {
    EXPECT_EQ(single.value_of(p)[i], float(twice.value_of(q)[i]));
    EXPECT_EQ(wide.value_of(p)[i], double(single.value_of(p)[i]));
  }
}

// ---- Adam, against its definition written out for one number

struct ScalarAdam {
  AdamOptions o;
  double x, m = 0, v = 0, maximum = 0;
  int t = 0;
  void step(double g, double lr) {
    t++;
    if (o.decoupled)
      x -= lr * o.weight_decay * x;
    else
      g += o.weight_decay * x;
    m = o.beta1 * m + (1 - o.beta1) * g;
    v = o.beta2 * v + (1 - o.beta2) * g * g;
    maximum = std::max(maximum, v);
    const double root = std::sqrt(o.amsgrad ? maximum : v) / std::sqrt(1 - std::pow(o.beta2, t));
    x -= lr / (1 - std::pow(o.beta1, t)) * m / (root + o.eps);
  }
};

TEST(Adam, FollowsItsDefinition) {
  for (const bool decoupled : {false, true})
    for (const bool amsgrad : {false, true}) {
      const AdamOptions options{.weight_decay = 0.1, .decoupled = decoupled, .amsgrad = amsgrad};
      ParametersOf<double> weights;
      Rng rng(1);
      const Parameter p = weights.add("w", 1, 3, {.kind = Init::normal}, rng);
      const Parameter fixed = weights.add("f", 1, 1, {.kind = Init::ones, .learns = false}, rng);
      const Parameter free = weights.add("b", 1, 1, {.kind = Init::ones, .decay = 0}, rng);
      std::vector<ScalarAdam> expected;
      for (int i = 0; i < 3; i++) expected.push_back({options, weights.value_of(p)[i]});
      AdamOptions no_decay = options;
      no_decay.weight_decay = 0;
      expected.push_back({no_decay, 1});
      AdamOf<double> adam(weights, options);
      for (int t = 0; t < 6; t++) {
        const double lr = 0.05 / (1 + t);
        for (int i = 0; i < 4; i++) {
          const double g = t == 1 ? 10 * rng.normal() : rng.normal();
          (i < 3 ? weights.grad_of(p)[i] : *weights.grad_of(free)) = g;
          expected[i].step(0.5 * g, lr);
        }
        adam.step(weights, lr, 0.5);
        for (int i = 0; i < 3; i++) EXPECT_NEAR(weights.value_of(p)[i], expected[i].x, 1e-12) << t;
        EXPECT_NEAR(*weights.value_of(free), expected[3].x, 1e-12) << t;
        EXPECT_EQ(weights.grad_of(p)[0], 0);
      }
      EXPECT_EQ(*weights.value_of(fixed), 1);
    }
}

TEST(Adam, NormOfTheGradient) {
  Parameters weights;
  Rng rng(1);
  const Parameter p = weights.add("w", 1, 2, {}, rng);
  weights.grad_of(p)[0] = 3;
  weights.grad_of(p)[1] = -4;
  EXPECT_DOUBLE_EQ(grad_norm(weights), 5);
}

TEST(Adam, RefusesWhatCannotBe) {
  Parameters weights, other;
  Rng rng(1);
  weights.add("w", 1, 2, {}, rng);
  const auto message = [&](AdamOptions o) { return error_of([&] { Adam(weights, o); }); };
  EXPECT_EQ(message({.learning_rate = -1}), "Adam: a learning rate of -1");
  EXPECT_EQ(message({.beta1 = 1}), "Adam: beta 1 and 0.999 are not below 1");
  EXPECT_EQ(message({.eps = -1}), "Adam: eps is -1");
  EXPECT_EQ(message({.weight_decay = -2}), "Adam: a weight decay of -2");
  Adam adam(weights, {});
  EXPECT_EQ(error_of([&] { adam.step(other); }), "Adam: was made for 2 numbers, not for 0");
}

TEST(Schedule, Factors) {
  const auto factor = [](ScheduleOptions o, int64_t epoch) { return Schedule(o).factor(epoch); };
  EXPECT_EQ(factor({}, 1000), 1);
  const ScheduleOptions step{.kind = ScheduleKind::step, .every = 10, .factor = 0.1};
  EXPECT_EQ(factor(step, 9), 1);
  EXPECT_DOUBLE_EQ(factor(step, 20), 0.01);
  const ScheduleOptions cosine{
      .kind = ScheduleKind::cosine, .warm_up = 4, .total = 100, .floor = 0.2};
  EXPECT_DOUBLE_EQ(factor(cosine, 0), 0.2);
  EXPECT_DOUBLE_EQ(factor(cosine, 3), 0.8);
  EXPECT_DOUBLE_EQ(factor(cosine, 4), 1);
  EXPECT_DOUBLE_EQ(factor(cosine, 54), 0.6);
  EXPECT_DOUBLE_EQ(factor(cosine, 500), 0.2);
  Schedule plateau({.kind = ScheduleKind::plateau, .factor = 0.5, .floor = 0.3, .patience = 1});
  for (const double score : {3., 2., 2., 2.}) plateau.observe(score);
  EXPECT_EQ(plateau.factor(0), 0.5);
  for (const double score : {2., 2., 1., 1., 1., 1.}) plateau.observe(score);
  EXPECT_EQ(plateau.factor(0), 0.3);
  EXPECT_EQ(parse_name<ScheduleKind>("schedule", "cosine"), ScheduleKind::cosine);
  EXPECT_EQ(error_of([] { Schedule({.factor = 2}); }),
            "schedule: factor 2 and floor 0 must be between 0 and 1");
  EXPECT_EQ(error_of([] { Schedule({.every = 0}); }),
            "schedule: warm_up and patience must not be negative, every and total be positive");
}

}  // namespace
}  // namespace mgnn
