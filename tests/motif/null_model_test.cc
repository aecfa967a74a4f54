// Counts against random graphs: means and deviations by hand, p-values against closed forms.
#include <cmath>

#include "mgnn/graph/generators.h"
#include "mgnn/graph/rewire.h"
#include "mgnn/motif/census.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph;

TEST(NullModel, ScoresAgainstRewiredGraphs) {
  const Graph graph = random_graph(60, 0.1, 2);
  const MotifCounts observed = census(graph).total;
  const NullModel null = null_model(observed, Counting::subgraph, 20, rewiring_null(graph, Rng(3)));
  // Open motifs follow from degrees, which rewiring keeps.
  for (size_t k = 7; k < 13; k++) {
    EXPECT_EQ(null.mean[k], double(observed[k]));
    EXPECT_EQ(null.deviation[k], 0);
    EXPECT_EQ(null.z_score[k], 0);
  }
  double sum = 0, squares = 0;
  for (int i = 0; i < 20; i++) {
    const double count = double(census(rewired(graph, Rng(3).split(uint64_t(i))).graph).total[4]);
    sum += count;
    squares += count * count;
  }
  const double mean = sum / 20, deviation = std::sqrt((squares - sum * mean) / 19);
  EXPECT_NEAR(null.mean[4], mean, 1e-9);
  EXPECT_NEAR(null.deviation[4], deviation, 1e-6);
  EXPECT_NEAR(null.z_score[4], (double(observed[4]) - mean) / deviation, 1e-6);
  EXPECT_EQ(
      error_of([&] { null_model(observed, Counting::subgraph, 1, rewiring_null(graph, Rng(3))); }),
      "a null model needs at least two random graphs, not 1");
}

// `triangles` mutual triangles beside each other.
Graph triangles(int number) {
  Array<Edge> edges;
  for (NodeId t = 0; t < number; t++)
    for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 0}}) {
      edges.push_back({3 * t + a, 3 * t + b});
      edges.push_back({3 * t + b, 3 * t + a});
    }
  return make_graph(NodeId(3 * number), std::move(edges));
}

// Random graphs whose counts of M4 are 0, 1, …, 9, ten times each.
NullModel against_ten_times_ten(int observed) {
  MotifCounts counts{};
  counts[3] = observed;
  return null_model(counts, Counting::induced, 100, [](int i) { return triangles(i % 10); });
}

TEST(NullModel, PValuesOfAKnownDistribution) {
  for (int observed = 0; observed < 10; observed++) {
    const double upper = 1 + 10 * (10 - observed), lower = 1 + 10 * (observed + 1);
    EXPECT_DOUBLE_EQ(against_ten_times_ten(observed).p_value[3],
                     std::min(1., 2 * std::min(upper, lower) / 101))
        << observed;
  }
  for (const int observed : {10, 1000}) {  // beyond all: the smallest p-value that there is
    const NullModel null = against_ten_times_ten(observed);
    EXPECT_DOUBLE_EQ(null.p_value[3], 2. / 101);
    EXPECT_DOUBLE_EQ(null.p_value[3], smallest_p_value(100));
    EXPECT_DOUBLE_EQ(null.q_value[3], 13 * 2. / 101);  // the other twelve have p = 1
    EXPECT_EQ(null.p_value[0], 1);
    EXPECT_EQ(null.q_value[0], 1);
  }
  EXPECT_EQ(smallest_p_value(2), 2. / 3);
  EXPECT_EQ(smallest_p_value(1), 1);
}

TEST(NullModel, FalseDiscoveryRatesByHand) {
  // p.adjust(p, "BH") of R.
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005, 0.55, 0.04};
  const std::vector<double> expected = {0.03, 0.048, 0.048, 0.03, 0.55, 0.048};
  const std::vector<double> actual = false_discovery_rates(p);
  ASSERT_EQ(actual.size(), p.size());
  for (size_t i = 0; i < p.size(); i++) EXPECT_NEAR(actual[i], expected[i], 1e-12) << i;
  EXPECT_TRUE(false_discovery_rates({}).empty());
  // From the definition: the smallest rate at which the step-up procedure rejects.
  Rng rng(4);
  for (int trial = 0; trial < 50; trial++) {
    std::vector<double> random(13), sorted;
    for (double& x : random) x = rng.uniform() * rng.uniform();
    sorted = random;
    std::sort(sorted.begin(), sorted.end());
    const std::vector<double> rates = false_discovery_rates(random);
    for (size_t i = 0; i < random.size(); i++) {
      double least = 1;
      for (size_t k = 1; k <= 13; k++)
        if (random[i] <= sorted[k - 1]) least = std::min(least, sorted[k - 1] * 13 / double(k));
      EXPECT_NEAR(rates[i], least, 1e-12);
    }
  }
}

// Graphs that come from the null model themselves: each rank of the count is about as frequent, so
// that p <= x happens with a probability of about x, and not of more.
TEST(NullModel, PValuesOfRewiredGraphsAreUniform) {
  constexpr int kGraphs = 19, kObserved = 100;
  const Graph start = random_graph(40, 0.12, 9);
  int below[3] = {};  // p <= bound
  const double bound[3] = {0.1, 0.2, 0.5};
  constexpr size_t kFeedForward = 4;
  for (uint64_t i = 0; i < kObserved; i++) {
    const Graph graph = rewired(start, Rng(1000).split(i)).graph;
    const NullModel null =
        null_model(census(graph).total, Counting::subgraph, kGraphs, rewiring_null(graph, Rng(i)));
    EXPECT_GE(null.p_value[kFeedForward], smallest_p_value(kGraphs));
    for (size_t b = 0; b < 3; b++) below[b] += null.p_value[kFeedForward] <= bound[b];
  }
  for (size_t b = 0; b < 3; b++) {  // within three standard deviations; ties make p larger
    const double mean = kObserved * bound[b], spread = std::sqrt(mean * (1 - bound[b]));
    EXPECT_LT(below[b], mean + 3 * spread) << bound[b];
    EXPECT_GT(below[b], 0.8 * mean - 3 * spread) << bound[b];
  }
}

}  // namespace
}  // namespace mgnn
