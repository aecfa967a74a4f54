#include <cmath>

#include "mgnn/base/parallel.h"
#include "mgnn/io/numpy.h"
#include "mgnn/motif/motif_file.h"
#include "mgnn/motif/motifs.h"
#include "tests/reference/motif_reference.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::random_graph, testing::TempDir;

constexpr Counting kCountings[] = {Counting::subgraph, Counting::induced};
constexpr Entry kEntries[] = {Entry::arc, Entry::edge, Entry::pair};
constexpr MotifWeights kWeights[] = {MotifWeights::mean, MotifWeights::product};

// Arcs of either direction and both, with and without equal weights.
Graph mixed_graph(NodeId nodes, uint64_t seed) {
  Rng rng(seed);
  const double density = rng.uniform(), mutual = rng.uniform();
  Array<Edge> edges;
  for (NodeId u = 0; u < nodes; u++)
    for (NodeId v = 0; v < u; v++) {
      if (!rng.chance(density)) continue;
      const bool both = rng.chance(mutual), up = rng.chance(0.5);
      if (both || up) edges.push_back({u, v});
      if (both || !up) edges.push_back({v, u});
    }
  return make_graph(nodes, std::move(edges));
}

// Small whole numbers, negative ones and zero too: their sums and products are exact.
Array<float> whole_weights(const Graph& graph, uint64_t seed) {
  Rng rng(seed);
  Array<float> weight(size_t(graph.num_arcs()));
  for (float& w : weight) w = float(int(rng.uniform() * 9) - 3);
  return weight;
}
Array<float> real_weights(const Graph& graph, uint64_t seed, double decades) {
  Rng rng(seed);
  Array<float> weight(size_t(graph.num_arcs()));
  for (float& w : weight) w = float(std::pow(10., decades * (rng.uniform() - 0.5)));
  return weight;
}

std::vector<double> dense(const WeightedMotifMatrices& m, int motif) {
  const auto n = size_t(m.pattern.rows);
  std::vector<double> result(n * n, 0.);
  for (size_t i = 0; i < n; i++)
    for (Offset e = m.pattern.start[i]; e < m.pattern.start[i + 1]; e++)
      result[i * n + size_t(m.pattern.index[e])] = m.value[motif - 1][e];
  return result;
}

template <class Check>
void each_kind(const Check& check_kind) {
  for (const MotifWeights weights : kWeights)
    for (const Counting counting : kCountings)
      for (const Entry entry : kEntries) check_kind(weights, counting, entry);
}

TEST(WeightedMotifMatrices, AgreeWithTheDefinitionsToTheBitForWholeWeights) {
  for (uint64_t seed = 0; seed < 600; seed++) {
    const Graph graph = mixed_graph(NodeId(seed % 9), seed);
    const Array<float> weight = whole_weights(graph, seed);
    each_kind([&](MotifWeights weights, Counting counting, Entry entry) {
      const WeightedMotifMatrices actual =
          weighted_motif_matrices(graph, weight, weights, {counting, entry});
      for (int k = 1; k <= kNumMotifs; k++)
        ASSERT_EQ(dense(actual, k),
                  reference::weighted_motif_matrix(graph, weight, weights, k, counting, entry))
            << "seed " << seed << " M" << k << ' ' << name_of(weights) << ' ' << name_of(counting)
            << ' ' << name_of(entry);
    });
  }
}

// Weights over twelve decades: what is small beside large weights is not lost.
TEST(WeightedMotifMatrices, AgreeWithTheDefinitionsForRealWeights) {
  for (uint64_t seed = 0; seed < 12; seed++) {
    const Graph graph = mixed_graph(24, seed);
    const Array<float> weight = real_weights(graph, seed, 12);
    each_kind([&](MotifWeights weights, Counting counting, Entry entry) {
      const WeightedMotifMatrices actual =
          weighted_motif_matrices(graph, weight, weights, {counting, entry});
      for (int k = 1; k <= kNumMotifs; k++) {
        const std::vector<double> matrix = dense(actual, k);
        const std::vector<double> expected =
            reference::weighted_motif_matrix(graph, weight, weights, k, counting, entry);
        for (size_t e = 0; e < matrix.size(); e++)
          ASSERT_NEAR(matrix[e], expected[e], 1e-13 * std::abs(expected[e])) << "M" << k;
      }
    });
  }
}

TEST(WeightedMotifMatrices, WeightsOfOneGiveTheCounts) {
  const Graph graph = mixed_graph(300, 3);
  const Array<float> ones(size_t(graph.num_arcs()), 1.f);
  each_kind([&](MotifWeights weights, Counting counting, Entry entry) {
    const MotifMatrices counts = motif_matrices(graph, {counting, entry});
    const WeightedMotifMatrices m =
        weighted_motif_matrices(graph, ones, weights, {counting, entry});
    ASSERT_EQ(m.pattern.index, counts.pattern.index);
    for (int k = 1; k <= kNumMotifs; k++) {
      EXPECT_EQ(m.sum(k), double(counts.sum(k)));
      for (Offset e = 0; e < m.pattern.nnz(); e++)
        ASSERT_EQ(m.value[k - 1][e], double(counts.count(k, e))) << "M" << k;
    }
  });
}

// a <-> b with weights 2 and 4, b -> c 3, c -> a 6, by hand.
TEST(WeightedMotifMatrices, ByHand) {
  const Graph graph = make_graph(3, {{0, 1}, {1, 0}, {1, 2}, {2, 0}});
  const Array<float> weight = {2, 4, 3, 6};
  const auto entry = [&](MotifWeights weights, int k, int i, int j) {
    return dense(weighted_motif_matrices(graph, weight, weights), k)[size_t(3 * i + j)];
  };
  EXPECT_EQ(entry(MotifWeights::mean, 2, 0, 1), 15. / 4);
  EXPECT_EQ(entry(MotifWeights::product, 2, 1, 2), 2. * 4 * 3 * 6);
  EXPECT_EQ(entry(MotifWeights::mean, 1, 0, 2), 11. / 3);  // a -> b -> c -> a
  EXPECT_EQ(entry(MotifWeights::product, 1, 0, 2), 36);
  EXPECT_EQ(entry(MotifWeights::product, 5, 0, 1), 4 * 3 * 6);  // b -> c -> a, b -> a
  EXPECT_EQ(entry(MotifWeights::product, 8, 1, 2), 4 * 3);      // a <- b -> c
  EXPECT_EQ(entry(MotifWeights::mean, 9, 1, 2), (2 + 3) / 2. + (3 + 6) / 2.);
  EXPECT_EQ(entry(MotifWeights::mean, 11, 0, 1), (2 + 4 + 3) / 3.);
}

TEST(WeightedMotifMatrices, OneHeavyNeighbourHidesNoLightOnes) {
  const Graph graph = make_graph(4, {{0, 1}, {0, 2}, {0, 3}});
  const Array<float> weight = {1e20f, 1e-10f, 3e-10f};
  const WeightedMotifMatrices m = weighted_motif_matrices(graph, weight, MotifWeights::product);
  const std::vector<double> m8 = dense(m, 8);
  EXPECT_DOUBLE_EQ(m8[1], double(1e20f) * (double(1e-10f) + double(3e-10f)));
}

TEST(WeightedMotifMatrices, TheSameForAnyNumberOfThreadsAndAnyHub) {
  Array<Edge> edges = arcs(random_graph(3000, 0.004, 8));
  for (NodeId v = 1; v < 3000; v++) edges.push_back(v % 3 ? Edge{0, v} : Edge{v, 0});
  const Graph graph = make_graph(3000, std::move(edges));
  const Array<float> weight = real_weights(graph, 5, 3);
  const int before = num_threads();
  for (const Counting counting : kCountings) {
    set_num_threads(1);
    const WeightedMotifMatrices one =
        weighted_motif_matrices(graph, weight, MotifWeights::mean, {.counting = counting});
    set_num_threads(4);
    const WeightedMotifMatrices four =
        weighted_motif_matrices(graph, weight, MotifWeights::mean, {.counting = counting});
    EXPECT_EQ(one.value, four.value);
  }
  set_num_threads(before);
}

TEST(WeightedMotifMatrices, SomeMotifsOnly) {
  const Graph graph = mixed_graph(40, 6);
  const Array<float> weight = real_weights(graph, 2, 1);
  for (const Entry entry : kEntries) {
    const WeightedMotifMatrices all =
        weighted_motif_matrices(graph, weight, MotifWeights::mean, {.entry = entry});
    for (const char* subset : {"1", "13", "4,9", "closed", "open"}) {
      const MotifSet motifs = parse_motifs(subset);
      const WeightedMotifMatrices some = weighted_motif_matrices(
          graph, weight, MotifWeights::mean, {.entry = entry, .motifs = motifs});
      for (int k = 1; k <= kNumMotifs; k++) {
        EXPECT_EQ(some.value[k - 1].empty(), !motifs.contains(k));
        if (motifs.contains(k)) {
          EXPECT_EQ(dense(some, k), dense(all, k)) << subset << " M" << k;
        }
      }
    }
  }
}

TEST(WeightedMotifMatrices, Refusals) {
  const Graph graph = make_graph(3, {{0, 1}, {1, 2}, {0, 2}});
  const Array<float> weight = {1, 2, 3}, short_weight = {1, 2}, infinite = {1, INFINITY, 3};
  const auto made = [&](const Array<float>& w, MotifWeights weights, MotifOptions options) {
    return error_of([&] { weighted_motif_matrices(graph, w, weights, options); });
  };
  EXPECT_EQ(
      made(weight, MotifWeights::mean, {.counting = Counting::published}),
      "counting published does not count instances, which weights mean need; take subgraph or "
      "induced");
  EXPECT_EQ(made(weight, MotifWeights::none, {}), "weights none: nothing is to be weighted");
  EXPECT_EQ(made(weight, MotifWeights::mean, {.motifs = {}}), "no motif was asked for");
  EXPECT_EQ(made(short_weight, MotifWeights::mean, {}), "the graph has 3 arcs, but 2 weights");
  EXPECT_EQ(made(infinite, MotifWeights::mean, {}),
            "a weight of an arc is inf; motif matrices need finite ones");
  EXPECT_THROW(weighted_motif_matrices(mixed_graph(40, 1), real_weights(mixed_graph(40, 1), 1, 1),
                                       MotifWeights::mean,
                                       {.entry = Entry::pair, .pair_memory_limit = 1000}),
               Error);
}

TEST(WeightedMotifMatrices, Files) {
  const TempDir dir;
  const Graph graph = mixed_graph(20, 2);
  const WeightedMotifMatrices m =
      weighted_motif_matrices(graph, real_weights(graph, 1, 1), MotifWeights::product);
  write_motif_matrices(dir / "m.npz", m, {}, 7);
  const NumpyArchive file = read_npz(dir / "m.npz");
  EXPECT_EQ(file.at("m5").dtype, "<f8");
  const Array<float> m5 = file.at("m5").floats("m5");
  for (size_t e = 0; e < m5.size(); e++) EXPECT_EQ(m5[e], float(m.value[4][e]));
  write_motif_matrices(dir / "r.npz", m, {}, 7, {.normalisation = Normalisation::row});
  const Array<float> m9 = read_npz(dir / "r.npz").at("m9").floats("m9");
  const Array<double> rows = row_sums(m.pattern, Array<double>(m9.begin(), m9.end()));
  for (const double sum : rows) EXPECT_TRUE(sum == 0 || std::abs(sum - 1) < 1e-5);
  const Graph pair = make_graph(3, {{0, 1}, {1, 2}});
  const Array<float> negative = {-1, 2};
  EXPECT_EQ(error_of([&] {
              write_motif_matrices(dir / "n.npz",
                                   weighted_motif_matrices(pair, negative, MotifWeights::product),
                                   {}, 7, {.normalisation = Normalisation::row});
            }),
            "M9 has negative entries, which cannot be normalised");
}

}  // namespace
}  // namespace mgnn
