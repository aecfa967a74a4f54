#include "mgnn/cluster/read_parts.h"

#include "tests/cluster/ranks.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::ranks, testing::TempDir;

void expect_as_whole(const std::string& path, const LoadOptions& options = {}) {
  const Dataset whole = load_dataset(path, options);
  const std::optional<RankGraph> part = read_edge_list_in_parts(ranks(), path, options);
  ASSERT_TRUE(part) << path;
  EXPECT_EQ(part->num_nodes, whole.graph.num_nodes());
  EXPECT_EQ(part->num_arcs, whole.graph.num_arcs());
  EXPECT_EQ(part->fingerprint, fingerprint(whole.graph));
  const NodeIds ids = gather_ids(ranks(), *part);
  if (ranks().rank() != 0) return;
  EXPECT_EQ(ids.trivial(), whole.ids.trivial());
  for (NodeId u = 0; u < whole.graph.num_nodes() && !ids.trivial(); u++)
    ASSERT_EQ(ids.name(u), whole.ids.name(u));
}

std::string lines(int64_t count, uint64_t seed, const std::function<std::string(uint64_t)>& id) {
  Rng rng(seed);
  std::string text;
  for (int64_t i = 0; i < count; i++) {
    text += id(rng.below(400)) + "\t" + id(rng.below(400)) + "\n";
    if (rng.chance(0.02)) text += "# a comment\n\n";
  }
  return text;
}

TEST(ReadParts, NumbersNodesAsOneProcessDoes) {
  const TempDir dir;
  const auto plain = [](uint64_t i) { return std::to_string(i); };
  const auto gaps = [](uint64_t i) { return std::to_string(i * i * 1'000'003); };
  const auto wide = [](uint64_t i) { return std::to_string(i * 10'000'000'000); };
  const auto names = [](uint64_t i) {
    return "gene " + std::string(i % 7, 'x') + std::to_string(i);
  };
  uint64_t seed = 0;
  for (const auto& id : std::vector<std::function<std::string(uint64_t)>>{plain, gaps, wide, names})
    for (const int64_t count : {1, 2, 3, 7, 1000, 20000})
      expect_as_whole(dir.file("edges.tsv", lines(count, seed++, id)));
}

TEST(ReadParts, TakesHeadersOptionsAndUndirectedFiles) {
  const TempDir dir;
  const auto id = [](uint64_t i) { return "n" + std::to_string(i); };
  const std::string body = lines(500, 3, id);
  expect_as_whole(dir.file("a.tsv", "source\ttarget\n" + body));
  expect_as_whole(dir.file("a.tsv", body), {.undirected = true});
  expect_as_whole(dir.file("k.txt", "% sym unweighted\n1 2\n2 3\n3 1\n4 1\n"));
  std::string weighted = "from,to,weight\n";
  for (int i = 0; i < 300; i++) weighted += fmt::format("{},{},0.5\n", i % 17, i * 7 % 31);
  expect_as_whole(dir.file("w.csv", weighted));
  expect_as_whole(dir.file("end.txt", "1 2\n2 3"));  // no newline at the end
}

TEST(ReadParts, LeavesOtherFilesToOneProcess) {
  const TempDir dir;
  const std::string path = dir.file("a.tsv", "1\t2\n2\t3\n");
  EXPECT_FALSE(read_edge_list_in_parts(ranks(), path, {.largest_component = true}));
  EXPECT_FALSE(read_edge_list_in_parts(ranks(), path, {.nodes = "nodes.csv"}));
  EXPECT_FALSE(read_edge_list_in_parts(ranks(), "karate", {}));
  EXPECT_FALSE(read_edge_list_in_parts(
      ranks(), dir.file("m.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"),
      {}));
}

TEST(ReadParts, NamesTheLineThatIsWrong) {
  const TempDir dir;
  std::string text;
  for (int i = 1; i <= 2000; i++) text += i == 1717 ? "17\n" : fmt::format("{} {}\n", i, i + 1);
  const std::string path = dir.file("wrong.txt", text);
  const std::string whole = error_of([&] { load_dataset(path); });
  EXPECT_NE(whole.find(":1717: "), whole.npos);
  const std::string part = error_of([&] { read_edge_list_in_parts(ranks(), path, {}); });
  EXPECT_EQ(part.substr(part.find(":1717")), whole.substr(whole.find(":1717")));
}

}  // namespace
}  // namespace mgnn
