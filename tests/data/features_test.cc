#include "mgnn/data/features.h"

#include <set>

#include "mgnn/base/parallel.h"
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
  EXPECT_EQ(error_of([&] { one_hot_degree(g, -1); }), "invalid largest degree -1");
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

TEST(MakeFeatures, KnowsAllItsNames) {
  const Graph g = random_graph(20, 0.2, 2);
  std::vector<int64_t> widths;
  for (const std::string& name : feature_makers())
    widths.push_back(num_features(make_features(name, g, Rng(1))));
  EXPECT_EQ(widths[0], 5);
  EXPECT_EQ(widths[2], 1);
  EXPECT_EQ(widths[3], 16);
  EXPECT_EQ(widths[4], 20);
  EXPECT_EQ(error_of([&] { make_features("degre-profile", g, Rng(1)); }),
            "no features are called \"degre-profile\"; did you mean degree-profile?");
  EXPECT_EQ(error_of([&] { make_features("xyz", g, Rng(1)); }),
            "no features are called \"xyz\"; choose degree-profile, one-hot-degree, constant, "
            "random or identity");
}

}  // namespace
}  // namespace mgnn
