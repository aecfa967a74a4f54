#include "mgnn/data/features.h"

#include <set>

#include "mgnn/base/parallel.h"
#include "mgnn/motif/census.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph;

TEST(DegreeProfile, KnownByHand) {
  // 0 -> 1, 1 -> 0, 0 -> 2, 3 -> 0; 4 alone. Degrees 3, 1, 1, 1, 0.
  const Matrix x = degree_profile(make_graph(5, {{0, 1}, {1, 0}, {0, 2}, {3, 0}}));
  const Array<float> wanted = {3, 1, 1, 1, 0,  //
                               1, 3, 3, 3, 0,  //
                               1, 3, 3, 3, 0,  //
                               1, 3, 3, 3, 0,  //
                               0, 0, 0, 0, 0};
  EXPECT_EQ(x.rows, 5);
  EXPECT_EQ(x.cols, 5);
  EXPECT_EQ(x.data, wanted);
}

TEST(DegreeProfile, AgreesWithSets) {
  const Graph g = random_graph(60, 0.08, 1);
  const Matrix x = degree_profile(g);
  std::vector<std::set<NodeId>> near(60);
  for (const Edge& e : arcs(g)) near[e.from].insert(e.to), near[e.to].insert(e.from);
  for (NodeId u = 0; u < 60; u++) {
    std::vector<double> degrees;
    for (NodeId v : near[u]) degrees.push_back(double(near[v].size()));
    ASSERT_EQ(x(u, 0), float(degrees.size()));
    if (degrees.empty()) continue;
    double mean = 0, variance = 0;
    for (const double d : degrees) mean += d / double(degrees.size());
    for (const double d : degrees) variance += (d - mean) * (d - mean) / double(degrees.size());
    EXPECT_EQ(x(u, 1), float(*std::min_element(degrees.begin(), degrees.end())));
    EXPECT_EQ(x(u, 2), float(*std::max_element(degrees.begin(), degrees.end())));
    EXPECT_NEAR(x(u, 3), mean, 1e-5);
    EXPECT_NEAR(x(u, 4), std::sqrt(variance), 1e-5);
  }
}

TEST(OneHotDegree, SharesTheLargest) {
  const Graph g = make_graph(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}});
  const SparseMatrix x = one_hot_degree(g, 2);  // out: 0, 1, 2 and more; in: 0, 1, 2 and more
  EXPECT_EQ(x.pattern.cols, 6);
  EXPECT_EQ(x.pattern.index, (Array<NodeId>{2, 3, 1, 4, 0, 5, 0, 4}));
  EXPECT_EQ(x.value, Array<float>(8, 1.f));
  EXPECT_EQ(one_hot_degree(g).pattern.cols, 4 + 3);
  EXPECT_EQ(one_hot_degree(make_graph(0, {})).pattern.rows, 0);
  EXPECT_EQ(error_of([&] { one_hot_degree(g, -1); }), "invalid maximum degree -1");
}

TEST(OtherFeatures, AreWhatTheySay) {
  EXPECT_EQ(constant_features(3).data, Array<float>(3, 1.f));
  const SparseMatrix identity = identity_features(3);
  EXPECT_EQ(identity.pattern.start, (Array<Offset>{0, 1, 2, 3}));
  EXPECT_EQ(identity.pattern.index, (Array<NodeId>{0, 1, 2}));
  EXPECT_EQ(identity.value, Array<float>(3, 1.f));
}

TEST(RandomFeatures, AreNormalAndDoNotDependOnThreads) {
  const Matrix x = random_features(20'000, 8, Rng(1));
  double sum = 0, squares = 0;
  for (const float v : x.data) sum += v, squares += double(v) * v;
  const double n = double(x.data.size());
  EXPECT_NEAR(sum / n, 0, 6 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 6 * std::sqrt(2 / n));
  for (const int threads : {1, 2, 3}) {
    set_num_threads(threads);
    EXPECT_EQ(random_features(20'000, 8, Rng(1)).data, x.data);
  }
  set_num_threads(0);
  EXPECT_NE(random_features(20'000, 8, Rng(2)).data, x.data);
  EXPECT_EQ(error_of([] { random_features(3, 0, Rng(1)); }),
            "invalid number of random features: 0");
}

// Degrees and motifs counted again from the matrix of arcs, over all triples.
TEST(StructureFeatures, CountDegreesAndMotifsOfEachNode) {
  for (const uint64_t seed : {1, 2, 3}) {
    const Graph g = random_graph(18, 0.25, seed);
    const NodeId n = g.num_nodes();
    const Matrix x = structure_features(g);
    const Census counts = census(g, {.counting = Counting::induced, .per_node = true});
    for (NodeId u = 0; u < n; u++) {
      int in = 0, out = 0, mutual = 0, triples = 0;
      for (NodeId v = 0; v < n; v++) {
        in += g.has_arc(v, u);
        out += g.has_arc(u, v);
        mutual += g.has_arc(u, v) && g.has_arc(v, u);
        for (NodeId w = v + 1; w < n; w++) {
          const auto joined = [&](NodeId a, NodeId b) {
            return g.has_arc(a, b) || g.has_arc(b, a);
          };
          triples += u != v && u != w && joined(u, v) + joined(u, w) + joined(v, w) >= 2;
        }
      }
      EXPECT_FLOAT_EQ(x(u, 0), std::log1p(float(in)));
      EXPECT_FLOAT_EQ(x(u, 1), std::log1p(float(out)));
      EXPECT_FLOAT_EQ(x(u, 2), std::log1p(float(mutual)));
      EXPECT_FLOAT_EQ(x(u, 3), std::log1p(float(in + out - mutual)));
      double instances = 0;
      for (int m = 0; m < kNumMotifs; m++) {
        EXPECT_FLOAT_EQ(x(u, 8 + m), std::log1p(float(counts.per_node[u][m])));
        instances += std::expm1(double(x(u, 8 + m)));
      }
      EXPECT_NEAR(instances, triples, 1e-3 * triples + 1e-3);
    }
  }
}

// The first columns are those without roles; the roles of a motif add up to its column.
TEST(StructureFeatures, HaveRolesWhereAsked) {
  const Graph g = random_graph(18, 0.25, 4);
  const Matrix plain = structure_features(g), x = structure_features(g, StructureRoles::yes);
  const std::vector<std::string> names = structure_feature_names(StructureRoles::yes);
  ASSERT_EQ(x.cols, 51);
  ASSERT_EQ(names.size(), 51u);
  EXPECT_EQ(names[21], "M1.node");
  EXPECT_EQ(names[50], "M13.leaf");
  for (NodeId u = 0; u < g.num_nodes(); u++) {
    double instances[kNumMotifs] = {};
    for (int64_t c = 0; c < 21; c++) EXPECT_EQ(x(u, c), plain(u, c));
    for (const Role& r : all_roles())
      instances[r.motif - 1] += std::expm1(double(x(u, 20 + r.number)));
    for (int m = 0; m < kNumMotifs; m++)
      EXPECT_NEAR(instances[m], std::expm1(double(x(u, 8 + m))), 1e-3 * (1 + instances[m]));
  }
}

TEST(FeatureMakers, HaveNamesAndColumns) {
  const Graph g = random_graph(20, 0.2, 2);
  const auto width = [&](const char* name) {
    return num_features(feature_maker(name).make(g, Rng(1)));
  };
  EXPECT_EQ(width("structure"), 21);
  EXPECT_EQ(width("structure-roles"), 51);
  EXPECT_EQ(width("degree-profile"), 5);
  EXPECT_EQ(width("constant"), 1);
  EXPECT_EQ(width("random"), 16);
  EXPECT_EQ(width("identity"), 20);
  for (const FeatureMaker& maker : feature_makers())
    if (!maker.columns.empty()) {
      EXPECT_EQ(int64_t(maker.columns.size()), width(maker.name.c_str())) << maker.name;
    }
  EXPECT_EQ(error_of([] { feature_maker("degre-profile"); }),
            "no features are called \"degre-profile\"; did you mean degree-profile?");
  EXPECT_EQ(error_of([] { feature_maker("xyz"); }),
            "no features are called \"xyz\"; choose one of structure, structure-roles, "
            "degree-profile, one-hot-degree, constant, random, identity");
}

}  // namespace
}  // namespace mgnn
