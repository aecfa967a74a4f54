#include <filesystem>
#include <fstream>
#include <set>

#include "tests/c/support.h"

namespace {

TEST(CGraph, HoldsTheArcsThatWereGiven) {
  const Arcs arcs = random_arcs(50, 400, 1);
  std::set<std::pair<int64_t, int64_t>> expected;
  int64_t loops = 0;
  for (size_t i = 0; i < arcs.from.size(); i++) {
    if (arcs.from[i] == arcs.to[i])
      loops++;
    else
      expected.emplace(arcs.from[i], arcs.to[i]);
  }
  const GraphHandle graph = graph_of(arcs);
  const mgnn_graph_info info = info_of(graph.get());
  EXPECT_EQ(info.num_nodes, 50);
  EXPECT_EQ(info.num_arcs, int64_t(expected.size()));
  EXPECT_EQ(info.loops_dropped, loops);
  EXPECT_EQ(info.arcs_given, 400);
  EXPECT_EQ(info.undirected, 0);
  EXPECT_EQ(info.ids, MGNN_NO_IDS);
  const int64_t* start = nullptr;
  const int32_t* index = nullptr;
  std::set<std::pair<int64_t, int64_t>> out, in, listed;
  ASSERT_OK(mgnn_graph_out_rows(graph.get(), &start, &index));
  for (int64_t u = 0; u < 50; u++)
    for (int64_t e = start[u]; e < start[u + 1]; e++) out.emplace(u, index[e]);
  ASSERT_OK(mgnn_graph_in_rows(graph.get(), &start, &index));
  for (int64_t u = 0; u < 50; u++)
    for (int64_t e = start[u]; e < start[u + 1]; e++) in.emplace(index[e], u);
  std::vector<int64_t> source(expected.size()), target(expected.size());
  ASSERT_OK(mgnn_graph_arcs(graph.get(), source.data(), target.data()));
  for (size_t i = 0; i < source.size(); i++) listed.emplace(source[i], target[i]);
  EXPECT_EQ(out, expected);
  EXPECT_EQ(in, expected);
  EXPECT_EQ(listed, expected);
}

TEST(CGraph, IsTheSameFromEveryShape) {
  const Arcs arcs = random_arcs(40, 300, 2);
  const GraphHandle graph = graph_of(arcs);
  const uint64_t fingerprint = info_of(graph.get()).fingerprint;
  std::vector<int32_t> pairs;  // (E, 2)
  for (size_t i = 0; i < arcs.from.size(); i++)
    pairs.insert(pairs.end(), {int32_t(arcs.from[i]), int32_t(arcs.to[i])});
  const auto interleaved = made<GraphHandle>([&](mgnn_graph** g) {
    return mgnn_graph_from_arcs(nullptr, 40, 300, pairs.data(), pairs.data() + 1, 2, MGNN_INT32, 0,
                                g);
  });
  EXPECT_EQ(info_of(interleaved.get()).fingerprint, fingerprint);
  const int64_t* start = nullptr;
  const int32_t* index = nullptr;
  ASSERT_OK(mgnn_graph_out_rows(graph.get(), &start, &index));
  const auto from_rows = made<GraphHandle>([&](mgnn_graph** g) {
    return mgnn_graph_from_csr(nullptr, 40, start, MGNN_INT64, index, MGNN_INT32, 0, g);
  });
  EXPECT_EQ(info_of(from_rows.get()).fingerprint, fingerprint);
  const auto reversed = made<GraphHandle>(
      [&](mgnn_graph** g) { return mgnn_graph_reversed(nullptr, graph.get(), g); });
  EXPECT_NE(info_of(reversed.get()).fingerprint, fingerprint);
  const auto again = made<GraphHandle>(
      [&](mgnn_graph** g) { return mgnn_graph_reversed(nullptr, reversed.get(), g); });
  EXPECT_EQ(info_of(again.get()).fingerprint, fingerprint);
  const auto both = made<GraphHandle>(
      [&](mgnn_graph** g) { return mgnn_graph_undirected(nullptr, graph.get(), g); });
  EXPECT_EQ(info_of(both.get()).undirected, 1);
  const auto flagged = made<GraphHandle>([&](mgnn_graph** g) {
    return mgnn_graph_from_arcs(nullptr, -1, 300, arcs.from.data(), arcs.to.data(), 1, MGNN_INT64,
                                MGNN_UNDIRECTED, g);
  });
  EXPECT_EQ(info_of(flagged.get()).num_arcs, info_of(both.get()).num_arcs);
}

TEST(CGraph, KeepsNames) {
  const GraphHandle graph = graph_of({3, {0, 1}, {1, 2}});
  const char text[] = "annbobcat";
  const int64_t start[] = {0, 3, 6, 9};
  auto ids = sized<mgnn_ids>();
  ids.kind = MGNN_STRING_IDS;
  ids.count = 3;
  ids.text = text;
  ids.start = start;
  const auto named =
      made<GraphHandle>([&](mgnn_graph** g) { return mgnn_graph_with_ids(graph.get(), &ids, g); });
  const int64_t last[] = {1, 2};
  const auto part = made<GraphHandle>(
      [&](mgnn_graph** g) { return mgnn_graph_subgraph(nullptr, named.get(), last, 2, g); });
  auto kept = sized<mgnn_ids>();
  ASSERT_OK(mgnn_graph_get_ids(part.get(), &kept));
  EXPECT_EQ(kept.kind, MGNN_STRING_IDS);
  EXPECT_EQ(std::string(kept.text, kept.text + kept.start[2]), "bobcat");
  const int64_t same[] = {7, 7, 8};
  ids = sized<mgnn_ids>();
  ids.kind = MGNN_INTEGER_IDS;
  ids.count = 3;
  ids.number = same;
  mgnn_graph* none = nullptr;
  EXPECT_EQ(mgnn_graph_with_ids(graph.get(), &ids, &none), MGNN_USAGE);
  EXPECT_EQ(std::string(last_error().message), "two nodes are called \"7\"");
}

TEST(CGraph, RefusesWhatIsNoGraph) {
  mgnn_graph* graph = nullptr;
  const int64_t from[] = {0, 5}, to[] = {1, 1};
  EXPECT_EQ(mgnn_graph_from_arcs(nullptr, 3, 2, from, to, 1, MGNN_INT64, 0, &graph), MGNN_USAGE);
  EXPECT_EQ(std::string(last_error().message), "arc 1 joins 5 and 1, but nodes are 0 to 2");
  EXPECT_EQ(mgnn_graph_from_arcs(nullptr, 3, 2, from, to, 1, 3, 0, &graph), MGNN_USAGE);
  EXPECT_EQ(mgnn_graph_from_arcs(nullptr, 9, 2, from, to, 1, MGNN_INT64, 64, &graph), MGNN_USAGE);
  EXPECT_EQ(mgnn_graph_from_arcs(nullptr, 9, 2, nullptr, to, 1, MGNN_INT64, 0, &graph), MGNN_USAGE);
  EXPECT_EQ(mgnn_graph_from_arcs(nullptr, 9, -2, from, to, 1, MGNN_INT64, 0, &graph), MGNN_USAGE);
  EXPECT_EQ(mgnn_graph_from_arcs(nullptr, 9, 2, from, to, 1, MGNN_INT64, 0, nullptr), MGNN_USAGE);
  const int64_t descending[] = {0, 2, 1};
  EXPECT_EQ(mgnn_graph_from_csr(nullptr, 2, descending, MGNN_INT64, to, MGNN_INT64, 0, &graph),
            MGNN_USAGE);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(mgnn_graph_get_info(nullptr, nullptr), MGNN_USAGE);
}

TEST(CGraph, NamesFileAndLineOfWrongData) {
  const std::string path = ::testing::TempDir() + "c_graph_wrong.txt";
  std::ofstream(path) << "1 2\n2 3\n3 x\n";
  mgnn_graph* graph = nullptr;
  EXPECT_EQ(mgnn_graph_load(nullptr, path.c_str(), nullptr, &graph), MGNN_DATA);
  const mgnn_error_info error = last_error();
  EXPECT_EQ(error.kind, MGNN_DATA);
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(std::string(error.path), path);
  EXPECT_NE(std::string(error.message).find(path + ":3: "), std::string::npos) << error.message;
  std::filesystem::remove(path);
  EXPECT_EQ(mgnn_graph_load(nullptr, "karat", nullptr, &graph), MGNN_USAGE);
  EXPECT_NE(std::string(last_error().message).find("karate"), std::string::npos);
}

TEST(CGraph, SumsItselfUp) {
  const GraphHandle graph = graph_of({5, {0, 1, 1}, {1, 0, 2}});
  const auto json =
      json_of([&](mgnn_buffer** b) { return mgnn_graph_summary(nullptr, graph.get(), b); });
  EXPECT_EQ(json["nodes"], 5);
  EXPECT_EQ(json["reciprocal_pairs"], 1);
  EXPECT_EQ(json["isolated"], 2);
  EXPECT_EQ(json["components"], 3);
}

}  // namespace
