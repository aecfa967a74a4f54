#include "mgnn/links/heuristics.h"

#include <Eigen/Dense>
#include <cmath>
#include <map>

#include "mgnn/base/parallel.h"
#include "mgnn/data/load.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::random_graph;
using Dense = Eigen::MatrixXd;

enum class Kind { directed, undirected, two_sides };
constexpr Kind kKinds[] = {Kind::directed, Kind::undirected, Kind::two_sides};

struct Case {
  Graph graph;
  NodePairs asked;
  Kind kind;

  LinkEvidence evidence() const { return link_evidence(graph, asked, kind == Kind::directed); }
};

// Some of the edges are asked about; those of two sides are of low to high numbers.
Case random_case(Kind kind, uint64_t seed) {
  Rng rng(seed);
  const auto n = NodeId(8 + rng.below(30));
  Case c{random_graph(n, 0.05 + 0.3 * rng.uniform(), seed), {}, kind};
  for (const Edge& e : arcs(c.graph)) {
    const bool fits = kind != Kind::two_sides || (e.from < n / 3 && e.to >= n / 3);
    if (fits && rng.chance(0.7)) c.asked.push_back(e);
  }
  return c;
}

Dense dense(const Graph& graph) {
  Dense a = Dense::Zero(graph.num_nodes(), graph.num_nodes());
  for (const Edge& e : arcs(graph)) a(e.from, e.to) = 1;
  return a;
}

// From the definitions, by dense algebra.
struct Expected {
  Dense a, p;         // all edges; those asked about
  Eigen::VectorXd d;  // neighbours in either direction
  bool directed;

  explicit Expected(const Case& c) : directed(c.kind == Kind::directed) {
    a = dense(c.graph);
    p = Dense::Zero(a.rows(), a.cols());
    for (size_t i = 0; i < c.asked.size(); i++) p(c.asked.from[i], c.asked.to[i]) = 1;
    if (!directed) a = a.cwiseMax(a.transpose()).eval();
    if (c.kind == Kind::undirected) p = p.cwiseMax(p.transpose()).eval();
    d = a.cwiseMax(a.transpose()).rowwise().sum();
  }
  Dense between(const std::function<double(double)>& weight) const {
    return a * d.unaryExpr(weight).asDiagonal() * a;
  }
  Dense katz() const {
    const double radius = a.eigenvalues().cwiseAbs().maxCoeff();
    const double beta = 0.1 / (radius > 1e-6 ? radius : 1);
    const Dense one = Dense::Identity(a.rows(), a.cols());
    return (one - beta * a).inverse() - one;
  }
  Dense pagerank() const {
    Dense walk = a;
    for (int64_t u = 0; u < a.rows(); u++) {
      if (a.row(u).sum() > 0)
        walk.row(u) /= a.row(u).sum();
      else
        walk(u, u) = 1;  // starts again: from where it is read, that is where it began
    }
    Dense result(a.rows(), a.cols());
    for (int64_t u = 0; u < a.rows(); u++) {
      Dense from_u = walk;
      for (int64_t w = 0; w < a.rows(); w++)
        if (a.row(w).sum() == 0) {
          from_u.row(w).setZero();
          from_u(w, u) = 1;
        }
      const Dense one = Dense::Identity(a.rows(), a.cols());
      result.row(u) = 0.5 * (one - 0.5 * from_u).inverse().row(u);
    }
    return directed ? result : Dense(result + result.transpose());
  }
  // Rows of `q` vote.
  static Dense vote(const Dense& q) {
    Dense result = Dense::Zero(q.rows(), q.cols());
    for (int64_t u = 0; u < q.rows(); u++) {
      std::vector<std::pair<float, int64_t>> near;
      for (int64_t w = 0; w < q.rows(); w++) {
        const double common = q.row(u).dot(q.row(w));
        if (w != u && common > 0)
          near.emplace_back(-float(common / std::sqrt(q.row(u).sum() * q.row(w).sum())), w);
      }
      std::sort(near.begin(), near.end());
      near.resize(std::min<size_t>(near.size(), 20));
      for (const auto& [cosine, w] : near) result.row(u) -= double(cosine) * q.row(w);
    }
    return result;
  }
  Dense of(const std::string& name) const {
    const Dense target_vote = vote(p.transpose()).transpose();
    if (name == "degree-product") return p.rowwise().sum() * p.colwise().sum();
    if (name == "common-neighbours") return a * a;
    if (name == "adamic-adar") return between([](double x) { return x < 2 ? 0 : 1 / std::log(x); });
    if (name == "resource-allocation") return between([](double x) { return x < 1 ? 0 : 1 / x; });
    if (name == "katz") return katz();
    if (name == "pagerank") return pagerank();
    if (name == "neighbour-vote") return vote(p) + target_vote;
    return name == "source-vote" ? vote(p) : target_vote;
  }
};

Dense scores_by_source(const LinkHeuristic& heuristic, const LinkEvidence& evidence) {
  const NodeId n = evidence.graph.num_nodes();
  const SourceScorer scorer = heuristic.prepare(evidence);
  Dense result(n, n);
  Array<float> rows(kSourcesAtOnce * size_t(n));
  for (NodeId first = 0; first < n; first += NodeId(kSourcesAtOnce)) {
    std::vector<NodeId> sources;
    for (NodeId u = first; u < std::min(n, first + NodeId(kSourcesAtOnce)); u++)
      sources.push_back(u);
    scorer(sources, rows.data());
    for (size_t i = 0; i < sources.size(); i++)
      for (NodeId v = 0; v < n; v++)
        result(sources[i], v) = double(rows[i * size_t(n) + size_t(v)]);
  }
  return result;
}

TEST(LinkHeuristics, AreWhatTheirDefinitionsSay) {
  for (const Kind kind : kKinds)
    for (uint64_t seed = 0; seed < 12; seed++) {
      const Case c = random_case(kind, seed);
      const LinkEvidence evidence = c.evidence();
      ASSERT_EQ(evidence.two_sides, kind == Kind::two_sides);
      const Expected expected(c);
      for (const LinkHeuristic& heuristic : link_heuristics_for(evidence)) {
        const Dense found = scores_by_source(heuristic, evidence),
                    right = expected.of(heuristic.name);
        for (NodeId u = 0; u < found.rows(); u++)
          for (NodeId v = 0; v < found.cols(); v++)
            ASSERT_TRUE(u == v || std::abs(found(u, v) - right(u, v)) <=
                                      1e-5 * (1e-3 + std::abs(right(u, v))))
                << heuristic.name << " of " << u << ", " << v << "; seed " << seed;
      }
    }
}

TEST(LinkHeuristics, VotesAreOfTheNearestTwentyAlone) {
  // Sixty nodes with the same partner as node 0, and ones of their own by which they differ.
  Array<Edge> edges;
  NodePairs asked;
  for (NodeId u = 0; u < 60; u++)
    for (NodeId v = 0; v <= u; v++) asked.push_back({u, 60 + v});
  for (size_t i = 0; i < asked.size(); i++) edges.push_back(asked[i]);
  const Case c{make_graph(120, std::move(edges)), asked, Kind::two_sides};
  const LinkEvidence evidence = c.evidence();
  const Expected expected(c);
  for (const LinkHeuristic& heuristic : link_heuristics_for(evidence)) {
    const Dense found = scores_by_source(heuristic, evidence), right = expected.of(heuristic.name);
    EXPECT_LT((found - right).topRightCorner(60, 60).cwiseAbs().maxCoeff(), 1e-3) << heuristic.name;
  }
  const Dense votes = expected.of("source-vote");
  EXPECT_EQ(votes(0, 60 + 25), 0);  // 25 is not among the nearest of 0
  EXPECT_GT(votes(0, 60 + 15), 0);
}

// Numbers of NetworkX 2.8.8 (preferential_attachment, common_neighbors, adamic_adar_index,
// resource_allocation_index, pagerank with alpha 0.5 personalised to u, plus the same from v) and, of
// Katz, of the inverse of I - A / (10 rho) by NumPy.
TEST(LinkHeuristics, AgreeWithNetworkX) {
  struct Row {
    NodeId u, v;
    double product, common, adamic_adar, allocation, katz, pagerank;
  };
  constexpr Row kRows[] = {{0, 33, 272, 4, 2.71101972, 0.9, 0.000942550243, 0.0252485578},
                           {0, 9, 32, 1, 0.434294482, 0.1, 0.000253769876, 0.0176090261},
                           {2, 32, 120, 1, 0.621334935, 0.2, 0.0152028224, 0.0675199806},
                           {5, 16, 8, 1, 0.72134752, 0.25, 0.0151099837, 0.241887056},
                           {14, 20, 4, 2, 0.755385728, 0.142156863, 0.000451220543, 0.0219105685},
                           {11, 26, 2, 0, 0, 0, 2.13959537e-07, 0.000377183235}};
  const Graph graph = load_dataset("karate").graph;
  NodePairs asked, pairs;
  for (const Edge& e : arcs(graph)) asked.push_back(e);
  for (const Row& row : kRows) pairs.push_back({row.u, row.v});
  const LinkEvidence evidence = link_evidence(graph, asked, false);
  std::map<std::string, std::vector<float>> score;
  for (const LinkHeuristic& h : link_heuristics_for(evidence))
    score[h.name] = scores_of_pairs(h.prepare(evidence), graph.num_nodes(), pairs);
  for (size_t i = 0; i < std::size(kRows); i++) {
    const auto near = [&](const char* name, double right) {
      EXPECT_NEAR(double(score[name][i]), right, 1e-5 * (right + 1e-3)) << name << ", pair " << i;
    };
    near("degree-product", kRows[i].product);
    near("common-neighbours", kRows[i].common);
    near("adamic-adar", kRows[i].adamic_adar);
    near("resource-allocation", kRows[i].allocation);
    near("katz", kRows[i].katz);
    near("pagerank", kRows[i].pagerank);
  }
}

TEST(LinkHeuristics, SymmetricWherePairsHaveNoDirection) {
  const Case c = random_case(Kind::undirected, 5);
  const LinkEvidence evidence = c.evidence();
  for (const LinkHeuristic& heuristic : link_heuristics_for(evidence)) {
    const Dense s = scores_by_source(heuristic, evidence);
    EXPECT_LT((s - s.transpose()).cwiseAbs().maxCoeff(), 1e-4) << heuristic.name;
  }
}

TEST(LinkHeuristics, PairsHaveTheScoresOfTheirRowsForAnyThreads) {
  const Case c = random_case(Kind::directed, 3);
  const LinkEvidence evidence = c.evidence();
  const NodeId n = c.graph.num_nodes();
  Rng rng(1);
  NodePairs pairs;
  for (int i = 0; i < 500; i++)
    pairs.push_back({NodeId(rng.below(uint64_t(n))), NodeId(rng.below(uint64_t(n)))});
  for (const LinkHeuristic& heuristic : link_heuristics_for(evidence)) {
    const Dense rows = scores_by_source(heuristic, evidence);
    const SourceScorer scorer = heuristic.prepare(evidence);
    set_num_threads(1);
    const std::vector<float> one = scores_of_pairs(scorer, n, pairs);
    set_num_threads(4);
    EXPECT_EQ(scores_of_pairs(scorer, n, pairs), one) << heuristic.name;
    set_num_threads(0);
    for (size_t i = 0; i < pairs.size(); i++)
      ASSERT_EQ(double(one[i]), rows(pairs.from[i], pairs.to[i])) << heuristic.name;
  }
}

TEST(LinkHeuristics, GraphsWithoutEdgesHaveNoScores) {
  const Graph nothing = make_graph(3, {});
  const LinkEvidence evidence = link_evidence(nothing, {}, false);
  for (const LinkHeuristic& heuristic : link_heuristics_for(evidence)) {
    const Dense s = scores_by_source(heuristic, evidence);
    EXPECT_EQ(s(0, 1), 0) << heuristic.name;
  }
}

}  // namespace
}  // namespace mgnn
