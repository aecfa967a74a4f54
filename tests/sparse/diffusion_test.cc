#include "mgnn/sparse/diffusion.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "mgnn/base/parallel.h"
#include "mgnn/data/embedded.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph;

// T = D^-½ (A + I) D^-½ with degrees of rows.
struct Transition {
  Csr pattern;
  Array<double> value, degree;
};
Transition transition(const Graph& graph) {
  Transition t{{graph.num_nodes(), graph.num_nodes(), {0}, {}}, {}, {}};
  for (NodeId r = 0; r < graph.num_nodes(); r++) {
    std::vector<NodeId> row(graph.in.row(r).begin(), graph.in.row(r).end());
    row.push_back(r);
    std::sort(row.begin(), row.end());
    t.pattern.index.insert(t.pattern.index.end(), row.begin(), row.end());
    t.pattern.start.push_back(Offset(t.pattern.index.size()));
    t.degree.push_back(double(row.size()));
  }
  for (NodeId r = 0; r < graph.num_nodes(); r++)
    for (const NodeId c : t.pattern.row(r))
      t.value.push_back(1 / std::sqrt(t.degree[r] * t.degree[c]));
  return t;
}

// S, dense; column j of S is row j of what is given.
Eigen::MatrixXd spread(const Graph& graph, DiffusionOptions options) {
  const Transition t = transition(graph);
  const DiffusedColumns s = diffused_columns(t.pattern, t.value, t.degree, options);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(graph.num_nodes(), graph.num_nodes());
  for (NodeId j = 0; j < graph.num_nodes(); j++)
    for (Offset e = s.pattern.start[j]; e < s.pattern.start[j + 1]; e++)
      dense(s.pattern.index[e], j) = s.value[e];
  return dense;
}

Eigen::MatrixXd dense_transition(const Graph& graph) {
  const Transition t = transition(graph);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(graph.num_nodes(), graph.num_nodes());
  for (NodeId r = 0; r < graph.num_nodes(); r++)
    for (Offset e = t.pattern.start[r]; e < t.pattern.start[r + 1]; e++)
      dense(r, t.pattern.index[e]) = t.value[e];
  return dense;
}

DiffusionOptions all(Spread kind) {
  return {.spread = kind, .tolerance = 1e-12, .top = 1000, .normalise = false};
}

TEST(Diffusion, Karate) {
  const Graph graph = karate_dataset().graph;
  DiffusionOptions ppr = all(Spread::ppr);
  ppr.alpha = 0.15;
  const Eigen::MatrixXd p = spread(graph, ppr), h = spread(graph, all(Spread::heat));
  EXPECT_NEAR(p.trace(), 7.9983436813, 1e-9);
  EXPECT_NEAR(p(0, 33), 0.0404173474, 1e-9);
  EXPECT_NEAR(p.sum(), 31.6070439682, 1e-8);
  EXPECT_NEAR(h.trace(), 3.0172870062, 1e-9);
  EXPECT_NEAR(h(0, 33), 0.0475548042, 1e-9);
  EXPECT_NEAR(h.sum(), 31.2553512297, 1e-8);
  const auto num_entries = [&](DiffusionOptions o) {
    o.keep = Keep::threshold;
    o.threshold = 0.01;
    return (spread(graph, o).array() > 0).count();
  };
  EXPECT_EQ(num_entries(ppr), 840);
  EXPECT_EQ(num_entries(all(Spread::heat)), 862);
  ppr.top = 8;
  ppr.normalise = true;
  const Eigen::MatrixXd top = spread(graph, ppr);
  EXPECT_EQ((top.array() > 0).count(), 272);
  EXPECT_NEAR(top(0, 0), 0.3432968197, 1e-9);
  EXPECT_NEAR(top.row(0).sum(), 2.3010488296, 1e-9);
}

TEST(Diffusion, CompleteGraphs) {
  const NodeId n = 7;
  const Graph graph = random_graph(n, 1, 1);
  const double a = 0.05, t = 5;
  const Eigen::MatrixXd i = Eigen::MatrixXd::Identity(n, n), j = Eigen::MatrixXd::Ones(n, n) / n;
  EXPECT_LT((spread(graph, all(Spread::ppr)) - (a * i + (1 - a) * j)).norm(), 1e-9);
  EXPECT_LT((spread(graph, all(Spread::heat)) - (std::exp(-t) * i + (1 - std::exp(-t)) * j)).norm(),
            1e-9);
}

// Directed and not, with isolated nodes: against the inverse.
TEST(Diffusion, RandomGraphs) {
  for (uint64_t seed = 0; seed < 6; seed++)
    for (const bool directed : {false, true}) {
      Array<Edge> edges = arcs(random_graph(40, 0.04, seed));
      if (!directed)
        for (size_t i = 0, count = edges.size(); i < count; i++)
          edges.push_back({edges[i].to, edges[i].from});
      const Graph graph = make_graph(40, edges);
      const Eigen::MatrixXd t = dense_transition(graph), one = Eigen::MatrixXd::Identity(40, 40);
      for (const double alpha : {0.05, 0.5, 1.}) {
        DiffusionOptions o = all(Spread::ppr);
        o.alpha = alpha;
        const Eigen::MatrixXd expected = alpha * (one - (1 - alpha) * t).inverse();
        EXPECT_LT((spread(graph, o) - expected).cwiseAbs().maxCoeff(), 1e-8);
        o.push = true;
        o.push_eps = 1e-12;
        EXPECT_LT((spread(graph, o) - expected).cwiseAbs().maxCoeff(), 1e-8);
      }
    }
}

TEST(Diffusion, PushIsTooSmallByNoMoreThanItSays) {
  const Graph graph = karate_dataset().graph;
  const Transition t = transition(graph);
  DiffusionOptions o = all(Spread::ppr);
  const Eigen::MatrixXd exact = spread(graph, o);
  o.push = true;
  for (const double eps : {1e-2, 1e-3, 1e-5}) {
    o.push_eps = eps;
    const Eigen::MatrixXd pushed = spread(graph, o);
    for (int v = 0; v < 34; v++)
      for (int j = 0; j < 34; j++) {
        const double short_by = exact(v, j) - pushed(v, j);
        EXPECT_GE(short_by, -1e-10);
        EXPECT_LE(short_by, eps * std::sqrt(t.degree[v] * t.degree[j]) + 1e-10);
      }
  }
}

TEST(Diffusion, PushStopsAfterSoManyWalks) {
  const Graph graph = random_graph(60, 0.1, 4);
  DiffusionOptions o = all(Spread::ppr);
  o.push = true;
  o.push_eps = 0.01;
  const Eigen::MatrixXd first_round = spread(graph, o);
  o.push_eps = 1e-9;
  const Eigen::MatrixXd to_the_end = spread(graph, o);
  o.push_arcs = 0;
  EXPECT_EQ(spread(graph, o), first_round);
  EXPECT_LT(first_round.sum(), to_the_end.sum());
}

TEST(Diffusion, ThreadsDoNotMatter) {
  const Graph graph = random_graph(200, 0.05, 2);
  for (const bool push : {false, true}) {
    DiffusionOptions o{.push = push, .top = 16};
    set_num_threads(1);
    const Eigen::MatrixXd one = spread(graph, o);
    set_num_threads(3);
    EXPECT_EQ(one, spread(graph, o));
    set_num_threads(0);
  }
}

TEST(Diffusion, ColumnsSumToOneAndKeepSoMany) {
  const Eigen::MatrixXd s = spread(random_graph(50, 0.1, 3), {.top = 5});
  for (int j = 0; j < 50; j++) {
    EXPECT_NEAR(s.col(j).sum(), 1, 1e-12);
    EXPECT_LE((s.col(j).array() > 0).count(), 5);
  }
}

TEST(Diffusion, MistakesAreTold) {
  const Graph graph = random_graph(3, 1, 1);
  const auto error = [&](DiffusionOptions o) { return error_of([&] { spread(graph, o); }); };
  EXPECT_EQ(error({.alpha = 0}), "alpha is 0; use 0 < alpha <= 1");
  EXPECT_EQ(error({.time = -1}), "time is -1; use 0 to 500");
  EXPECT_EQ(error({.top = 0}), "top is 0; use at least 1");
  EXPECT_EQ(error({.spread = Spread::heat, .push = true}), "push supports ppr only, not heat");
}

}  // namespace
}  // namespace mgnn
