// Against definitions: every triple of nodes of small random graphs.

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tests/c/support.h"

namespace {

using ArcSet = std::set<std::pair<int64_t, int64_t>>;

ArcSet arc_set(const Arcs& arcs) {
  ArcSet set;
  for (size_t i = 0; i < arcs.from.size(); i++)
    if (arcs.from[i] != arcs.to[i]) set.emplace(arcs.from[i], arcs.to[i]);
  return set;
}

// The arcs of a motif under every numbering of its three nodes, as sets of six bits.
std::set<int> forms_of(const nlohmann::ordered_json& motif) {
  std::set<int> forms;
  std::array<int, 3> order = {0, 1, 2};
  const auto bit = [](int a, int b) { return 1 << (2 * a + (b > a ? b - 1 : b)); };
  do {
    int form = 0;
    for (const auto& arc : motif["arcs"])
      form |= bit(order[arc[0].get<size_t>()], order[arc[1].get<size_t>()]);
    forms.insert(form);
  } while (std::next_permutation(order.begin(), order.end()));
  return forms;
}

// The induced motif of three nodes, 1 to 13, or 0.
int motif_of(const ArcSet& arcs, std::array<int64_t, 3> nodes,
             const std::vector<std::set<int>>& forms) {
  int form = 0, place = 0;
  for (size_t a = 0; a < 3; a++)
    for (size_t b = 0; b < 3; b++)
      if (a != b) form |= arcs.count({nodes[a], nodes[b]}) ? 1 << place++ : (place++, 0);
  for (size_t k = 0; k < forms.size(); k++)
    if (forms[k].count(form)) return int(k) + 1;
  return 0;
}

TEST(CCensus, CountsEveryTriple) {
  const auto table = json_of(mgnn_motif_table);
  std::vector<std::set<int>> forms;
  for (const auto& motif : table["motifs"]) forms.push_back(forms_of(motif));
  ASSERT_EQ(forms.size(), size_t(MGNN_MOTIFS));
  for (uint64_t seed = 0; seed < 5; seed++) {
    const int64_t n = 14;
    const Arcs arcs = random_arcs(n, 20 + 25 * int64_t(seed), seed);
    const ArcSet set = arc_set(arcs);
    std::vector<int64_t> total(13), node(size_t(n) * 13);
    std::vector<int64_t> per_arc(set.size() * 13);
    for (int64_t a = 0; a < n; a++)
      for (int64_t b = a + 1; b < n; b++)
        for (int64_t c = b + 1; c < n; c++) {
          const int motif = motif_of(set, {a, b, c}, forms);
          if (motif == 0) continue;
          total[size_t(motif - 1)]++;
          for (const int64_t v : {a, b, c}) node[size_t(v * 13 + motif - 1)]++;
          size_t place = 0;
          for (const auto& [from, to] : set) {
            const bool inside =
                (from == a || from == b || from == c) && (to == a || to == b || to == c);
            per_arc[place++ * 13 + size_t(motif - 1)] += inside;
          }
        }
    const GraphHandle graph = graph_of(arcs);
    std::vector<int64_t> found(13), found_node(node.size()), found_arc(per_arc.size());
    auto options = sized<mgnn_census_options>();
    options.counting = "induced";
    auto counts = sized<mgnn_census_counts>();
    counts.total = found.data();
    counts.per_node = found_node.data();
    counts.per_arc = found_arc.data();
    ASSERT_OK(mgnn_census(nullptr, graph.get(), &options, &counts));
    EXPECT_EQ(found, total);
    EXPECT_EQ(found_node, node);
    EXPECT_EQ(found_arc, per_arc);
  }
}

TEST(CCensus, TriadsAddUpToAllTriples) {
  const GraphHandle graph = loaded_graph("karate");
  std::vector<int64_t> count(MGNN_TRIADS);
  ASSERT_OK(mgnn_triad_census(nullptr, graph.get(), count.data()));
  int64_t sum = 0;
  for (const int64_t c : count) sum += c;
  EXPECT_EQ(sum, 34 * 33 * 32 / 6);
  // networkx.triadic_census of the karate club as a directed graph
  EXPECT_EQ(count, (std::vector<int64_t>{3971, 0, 1575, 0, 0, 0, 0, 0, 0, 0, 393, 0, 0, 0, 0, 45}));
}

TEST(CCensus, SplitsASetByGraph) {
  const DatasetHandle set = loaded("triads");
  auto arrays = sized<mgnn_dataset_arrays>();
  ASSERT_OK(mgnn_dataset_get_arrays(set.get(), &arrays));
  const auto graph =
      made<GraphHandle>([&](mgnn_graph** g) { return mgnn_dataset_graph(set.get(), g); });
  std::vector<int64_t> start(arrays.graph_start, arrays.graph_start + arrays.num_graphs + 1);
  std::vector<int64_t> total(13), rows(size_t(arrays.num_graphs) * 13);
  auto options = sized<mgnn_census_options>();
  options.num_graphs = arrays.num_graphs;
  options.graph_start = start.data();
  auto counts = sized<mgnn_census_counts>();
  counts.total = total.data();
  counts.per_graph = rows.data();
  ASSERT_OK(mgnn_census(nullptr, graph.get(), &options, &counts));
  std::vector<int64_t> sum(13);
  for (size_t i = 0; i < rows.size(); i++) sum[i % 13] += rows[i];
  EXPECT_EQ(sum, total);
}

TEST(CCensus, NullModelHasMomentsAndDependsOnItsSeedAlone) {
  const GraphHandle graph = graph_of(random_arcs(60, 400, 7));
  const auto moments = [&](uint64_t seed, int64_t threads) {
    auto call = sized<mgnn_call>();
    call.threads = threads;
    std::vector<double> all(39);
    std::vector<int64_t> observed(13);
    auto counts = sized<mgnn_null_counts>();
    counts.observed = observed.data();
    counts.mean = all.data();
    counts.deviation = all.data() + 13;
    counts.z = all.data() + 26;
    EXPECT_OK(mgnn_null_model(&call, graph.get(), "induced", 10, seed, &counts));
    EXPECT_EQ(observed, totals(graph.get(), nullptr, "induced"));
    for (size_t k = 0; k < 13; k++) {
      if (all[13 + k] == 0) continue;
      EXPECT_DOUBLE_EQ(all[26 + k], (double(observed[k]) - all[k]) / all[13 + k]);
    }
    return all;
  };
  EXPECT_EQ(moments(3, 1), moments(3, 3));
  EXPECT_NE(moments(3, 1), moments(4, 1));
  EXPECT_EQ(mgnn_null_model(nullptr, graph.get(), "induced", 1, 0, nullptr), MGNN_USAGE);
}

TEST(CCensus, RefusesWhatItDoesNotCount) {
  const GraphHandle graph = graph_of({3, {0}, {1}});
  std::vector<int64_t> total(13);
  auto options = sized<mgnn_census_options>();
  auto counts = sized<mgnn_census_counts>();
  counts.total = total.data();
  options.counting = "inducd";
  EXPECT_EQ(mgnn_census(nullptr, graph.get(), &options, &counts), MGNN_USAGE);
  EXPECT_NE(std::string(last_error().message).find("induced"), std::string::npos);
  options.counting = nullptr;
  counts.per_graph = total.data();
  EXPECT_EQ(mgnn_census(nullptr, graph.get(), &options, &counts), MGNN_USAGE);
}

// ---- motif matrices

mgnn_motifs_info info_of(const mgnn_motifs* motifs) {
  auto info = sized<mgnn_motifs_info>();
  EXPECT_OK(mgnn_motifs_get_info(motifs, &info));
  return info;
}

TEST(CMotifs, SumToTheCensus) {
  const GraphHandle graph = graph_of(random_arcs(40, 300, 3));
  const auto motifs = made<MotifsHandle>(
      [&](mgnn_motifs** m) { return mgnn_motifs_new(nullptr, graph.get(), nullptr, m); });
  const mgnn_motifs_info info = info_of(motifs.get());
  EXPECT_EQ(info.num_nodes, 40);
  EXPECT_EQ(info.weighted, 0);
  const std::vector<int64_t> total = totals(graph.get());
  std::vector<int64_t> counts(size_t(info.entries));
  for (int32_t k = 1; k <= 13; k++) {
    ASSERT_OK(mgnn_motifs_counts(nullptr, motifs.get(), k, counts.data()));
    int64_t sum = 0;
    for (const int64_t c : counts) sum += c;
    EXPECT_EQ(sum, total[size_t(k - 1)] * (k <= 7 ? 6 : 4)) << "M" << k;  // joined pairs, twice
    if (info.array[k - 1] < 0) continue;
    const uint32_t* shared = nullptr;
    ASSERT_OK(mgnn_motifs_values(motifs.get(), info.array[k - 1], &shared));
    for (size_t e = 0; e < counts.size(); e++)
      EXPECT_EQ(counts[e], info.factor[k - 1] * int64_t(shared[e]));
  }
}

TEST(CMotifs, RowsAreNormalised) {
  const GraphHandle graph = loaded_graph("karate");
  auto options = sized<mgnn_motif_options>();
  options.motifs = "4,8";
  const auto motifs = made<MotifsHandle>(
      [&](mgnn_motifs** m) { return mgnn_motifs_new(nullptr, graph.get(), &options, m); });
  const mgnn_motifs_info info = info_of(motifs.get());
  EXPECT_EQ(info.array[0], MGNN_NOT_COUNTED);
  const int64_t* start = nullptr;
  const int32_t* index = nullptr;
  ASSERT_OK(mgnn_motifs_pattern(motifs.get(), &start, &index));
  std::vector<double> row(size_t(info.entries));
  ASSERT_OK(mgnn_motifs_normalised(nullptr, motifs.get(), 4, "row", row.data()));
  for (int64_t r = 0; r < info.num_nodes; r++) {
    double sum = 0;
    for (int64_t e = start[r]; e < start[r + 1]; e++) sum += row[size_t(e)];
    EXPECT_TRUE(std::abs(sum - 1) < 1e-12 || sum == 0) << r;
  }
  EXPECT_EQ(mgnn_motifs_normalised(nullptr, motifs.get(), 4, "centred", row.data()), MGNN_USAGE);
  const auto wider = made<MotifsHandle>(
      [&](mgnn_motifs** m) { return mgnn_motifs_with_diagonal(nullptr, motifs.get(), m); });
  std::vector<double> centred(size_t(info_of(wider.get()).entries));
  EXPECT_EQ(centred.size(), row.size() + 34);
  ASSERT_OK(mgnn_motifs_normalised(nullptr, wider.get(), 4, "centred", centred.data()));
  EXPECT_EQ(mgnn_motifs_counts(nullptr, motifs.get(), 1, nullptr), MGNN_USAGE);
  EXPECT_EQ(std::string(last_error().message), "motif 1 was not counted, only M4,M8");
}

TEST(CMotifs, WeighInstances) {
  const GraphHandle graph = graph_of(random_arcs(25, 150, 5));
  std::vector<float> ones(size_t(info_of(graph.get()).num_arcs), 1.f);
  auto options = sized<mgnn_motif_options>();
  const auto counted = made<MotifsHandle>(
      [&](mgnn_motifs** m) { return mgnn_motifs_new(nullptr, graph.get(), &options, m); });
  options.weights = "product";
  options.arc_weight = ones.data();
  const auto weighted = made<MotifsHandle>(
      [&](mgnn_motifs** m) { return mgnn_motifs_new(nullptr, graph.get(), &options, m); });
  const mgnn_motifs_info info = info_of(weighted.get());
  ASSERT_EQ(info.weighted, 1);
  std::vector<int64_t> counts(size_t(info.entries));
  for (int32_t k = 1; k <= 13; k++) {
    ASSERT_OK(mgnn_motifs_counts(nullptr, counted.get(), k, counts.data()));
    const double* values = nullptr;
    ASSERT_OK(mgnn_motifs_weights(weighted.get(), info.array[k - 1], &values));
    for (size_t e = 0; e < counts.size(); e++) EXPECT_EQ(values[e], double(counts[e]));
  }
  const uint32_t* none = nullptr;
  EXPECT_EQ(mgnn_motifs_values(weighted.get(), 0, &none), MGNN_USAGE);
  options.weights = nullptr;
  mgnn_motifs* refused = nullptr;
  EXPECT_EQ(mgnn_motifs_new(nullptr, graph.get(), &options, &refused), MGNN_USAGE);
}

}  // namespace
