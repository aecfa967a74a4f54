#include "mgnn/io/edge_list.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>

#include "mgnn/base/parallel.h"
#include "tests/io/pack.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::data_dir, testing::error_of, testing::kPackings,
    testing::packed, testing::TempDir;
using Named = std::vector<std::pair<std::string, std::string>>;

// The edges as the file has them.
Named named(const EdgeList& list) {
  Named edges;
  for (const Edge& e : list.edges) edges.push_back({list.ids.name(e.from), list.ids.name(e.to)});
  return edges;
}

struct Case {
  const char* name;
  std::string text;
  Named edges;
  NodeId nodes;
  EdgeListOptions options = {};
};
const Case kCases[] = {
    {"blanks", "0 1\n1 2\n", {{"0", "1"}, {"1", "2"}}, 3},
    {"tabs", "0\t1\n1\t2", {{"0", "1"}, {"1", "2"}}, 3},
    {"commas", "7,9\n9,7\n", {{"7", "9"}, {"9", "7"}}, 2},
    {"semicolons", "7;9\n", {{"7", "9"}}, 2},
    {"commas and blanks", "2, 1\n 1 , 2 \n", {{"2", "1"}, {"1", "2"}}, 2},
    {"runs of blanks", "  1 \t 2  \n3\t4\n", {{"1", "2"}, {"3", "4"}}, 4},
    {"another separator", "1|2\n", {{"1", "2"}}, 2, {.separator = Separator::pipe}},
    {"loops and repetitions", "1 1\n1 1\n", {{"1", "1"}, {"1", "1"}}, 1},
    {"CRLF", "1 2\r\n3 4\r\n", {{"1", "2"}, {"3", "4"}}, 4},
    {"CRLF with tabs, no last end", "1\t2\r\n3\t4", {{"1", "2"}, {"3", "4"}}, 4},
    {"byte order mark",
     "\xEF\xBB\xBF"
     "1 2\n",
     {{"1", "2"}},
     2},
    {"comments", "# a\n% b\n\n1 2\n# c d\n \t\n3 4\n  # e\n", {{"1", "2"}, {"3", "4"}}, 4},
    {"more columns", "1 2 0.5 x\n3 4 1 y\n", {{"1", "2"}, {"3", "4"}}, 4},
    {"more columns in commas", "1,2,,\n3,4,x y,z\n", {{"1", "2"}, {"3", "4"}}, 4},
    {"leading zeros and plus", "007 +8\n7 8\n", {{"007", "+8"}, {"7", "8"}}, 4},
    {"eight and nine digits", "12345678 123456789\n", {{"12345678", "123456789"}}, 2},
    {"2^31 - 1", "2147483647 0\n", {{"2147483647", "0"}}, 2},
    {"2^31", "2147483648 0\n", {{"2147483648", "0"}}, 2},
    {"2^63 - 1",
     "9223372036854775807 1\n999999999999999999 5\n",
     {{"9223372036854775807", "1"}, {"999999999999999999", "5"}},
     4},
    {"quoted integers", "\"1\",\"2\"\n3,\"4\"\n", {{"1", "2"}, {"3", "4"}}, 4},
    {"names", "b a\na c\n", {{"b", "a"}, {"a", "c"}}, 3},
    {"names with blanks", "Li Po,Du Fu\n", {{"Li Po", "Du Fu"}}, 2},
    {"names in quotes",
     "\"a,b\",\"c \"\"d\"\"\"\nx,\"c \"\"d\"\"\"\n",
     {{"a,b", "c \"d\""}, {"x", "c \"d\""}},
     3},
    {"trimmed names", "a , b\nb,a\n", {{"a", "b"}, {"b", "a"}}, 2, {.trim = true}},
    {"names in UTF-8", "Åse Øystein\n", {{"Åse", "Øystein"}}, 2},
    {"integers as names", "007 7\n", {{"007", "7"}}, 2, {.ids = IdKind::string}},
    {"first line is not a pair of integers", "x 1\n2 3\n", {{"x", "1"}, {"2", "3"}}, 4},
    {"header", "node_id\tnode_id\n5\t6\n", {{"5", "6"}}, 2},
    {"known header", "# c\nSource,Target\nx,y\n", {{"x", "y"}}, 2},
    {"header in another order", "weight,to,from\n2,a,b\n", {{"b", "a"}}, 2},
    {"header that is asked for", "a,b\nx,y\n", {{"x", "y"}}, 2, {.header = HeaderLine::present}},
    {"no header",
     "from,to\nx,y\n",
     {{"from", "to"}, {"x", "y"}},
     4,
     {.header = HeaderLine::absent}},
    {"columns by number",
     "9 1 2\n9 3 4\n",
     {{"2", "1"}, {"4", "3"}},
     4,
     {.from_column = "3", .to_column = "2"}},
    {"columns by name", "k,a,b\n9,1,2\n", {{"2", "1"}}, 2, {.from_column = "b", .to_column = "a"}},
};

TEST(EdgeList, ReadsKnownTexts) {
  for (const Case& c : kCases) {
    const std::string problem = error_of([&] {
      const EdgeList list = parse_edge_list(c.text, c.name, c.options);
      EXPECT_EQ(named(list), c.edges) << c.name;
      EXPECT_EQ(list.num_nodes, c.nodes) << c.name;
    });
    EXPECT_EQ(problem, "") << c.name;
  }
}

TEST(EdgeList, NumbersNodes) {
  EXPECT_EQ(parse_edge_list("30 5\n5 7\n", "x").edges, (Array<Edge>{{2, 0}, {0, 1}}));
  EXPECT_EQ(parse_edge_list("30 5\n5 7\n", "x").ids.number, (Array<int64_t>{5, 7, 30}));
  EXPECT_TRUE(parse_edge_list("2 0\n1 0\n", "x").ids.trivial());
  EXPECT_FALSE(parse_edge_list("2 1\n", "x").ids.trivial());
  EXPECT_EQ(parse_edge_list("z a\na b\n", "x").edges, (Array<Edge>{{0, 1}, {1, 2}}));
  EXPECT_TRUE(parse_edge_list("z a\na b\n", "x").ids.are_strings());
}

TEST(EdgeList, ReadsRelationsAndWeights) {
  const EdgeList list = parse_edge_list(
      "src\tdst\tmetaedge\tweight\n4\t8\tbinds\t0.5\n8\t4\ttreats\t-2e3\n4\t4\tbinds\t+1\n", "x");
  EXPECT_EQ(named(list), (Named{{"4", "8"}, {"8", "4"}, {"4", "4"}}));
  EXPECT_EQ(list.relation, (Array<int32_t>{0, 1, 0}));
  EXPECT_EQ(list.relation_names, (std::vector<std::string>{"binds", "treats"}));
  EXPECT_EQ(list.weight, (Array<float>{0.5f, -2000.f, 1.f}));
  const EdgeList asked =
      parse_edge_list("a b 1 r\nb c 2 s\n", "x", {.relation_column = "4", .weight_column = "3"});
  EXPECT_EQ(asked.weight, (Array<float>{1, 2}));
  EXPECT_EQ(asked.relation_names, (std::vector<std::string>{"r", "s"}));
  EXPECT_EQ(asked.num_nodes, 3);
}

// ---- against a plain reader, on random texts of every kind

struct PlainList {
  std::vector<std::pair<int64_t, int64_t>> edges;
};

PlainList plain_read(const std::string& text) {
  PlainList list;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#' || line[0] == '\r') continue;
    std::replace(line.begin(), line.end(), ',', ' ');
    char* rest;
    const int64_t a = std::strtoll(line.c_str(), &rest, 10);
    list.edges.push_back({a, std::strtoll(rest, nullptr, 10)});
  }
  return list;
}

void expect_same(const EdgeList& list, const PlainList& plain, const std::string& what) {
  std::vector<int64_t> ids;
  for (const auto& [a, b] : plain.edges) ids.insert(ids.end(), {a, b});
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  ASSERT_EQ(list.num_nodes, NodeId(ids.size())) << what;
  ASSERT_EQ(list.edges.size(), plain.edges.size()) << what;
  for (size_t e = 0; e < plain.edges.size(); e++) {
    const std::pair read(ids[size_t(list.edges[e].from)], ids[size_t(list.edges[e].to)]);
    if (read != plain.edges[e]) FAIL() << what << ": edge " << e << " differs";
  }
  if (list.ids.trivial())
    ASSERT_EQ(ids.back() + 1, int64_t(ids.size())) << what;
  else
    ASSERT_TRUE(std::equal(ids.begin(), ids.end(), list.ids.number.begin())) << what;
}

std::string random_text(uint64_t seed, int64_t edges) {
  Rng rng(seed);
  const uint64_t bound = uint64_t(1) << (2 + rng.below(61));
  const std::string separator = std::vector<std::string>{" ", "\t", ",", ", ", "  "}[rng.below(5)];
  const std::string end = rng.chance(0.3) ? "\r\n" : "\n";
  const double odd = rng.chance(0.5) ? 0 : 0.1;
  const bool more = rng.chance(0.3);
  const auto id = [&] {
    return std::to_string(rng.below(rng.chance(0.5) ? bound : 1 + bound / 1000));
  };
  std::string text;
  for (int64_t e = 0; e < edges; e++) {
    if (rng.chance(odd)) text += "# comment 1 2" + end;
    if (rng.chance(odd)) text += end;
    text += id() + separator + id();
    if (more) text += separator + "more";
    if (rng.chance(odd)) text += " ";
    text += end;
  }
  if (rng.chance(0.5)) text.resize(text.size() - end.size());
  return text;
}

TEST(EdgeList, AgreesWithAPlainReader) {
  for (uint64_t seed = 0; seed < 300; seed++) {
    const std::string text = random_text(seed, 1 + int64_t(seed * seed) % 700);
    expect_same(parse_edge_list(text, "x"), plain_read(text), "seed " + std::to_string(seed));
  }
}

TEST(EdgeList, LargeTextsDoNotDependOnThreads) {
  for (const uint64_t seed : {1001, 1002, 1003}) {
    const std::string text = random_text(seed, 120'000);  // several parts
    const PlainList plain = plain_read(text);
    for (const int threads : {1, 2, 5}) {
      set_num_threads(threads);
      expect_same(parse_edge_list(text, "x"), plain, "seed " + std::to_string(seed));
    }
  }
  set_num_threads(0);
}

TEST(EdgeList, LargeTextsWithNamesDoNotDependOnThreads) {
  Rng rng(4);
  std::string text = "source,target,weight,type\n";
  std::map<std::string, NodeId> number;
  Array<Edge> edges;
  Array<float> weights;
  Array<int32_t> relations;
  for (int e = 0; e < 80'000; e++) {
    const auto node = [&](uint64_t i) {
      const std::string name = "node " + std::to_string(i * i);
      text += name + ",";
      return number.insert({name, NodeId(number.size())}).first->second;
    };
    const NodeId from = node(rng.below(30'000)), to = node(rng.below(30'000));
    edges.push_back({from, to});
    weights.push_back(float(rng.below(1000)) / 8);
    relations.push_back(e == 0 ? 0 : int32_t(rng.below(2)));
    text += std::to_string(weights.back()) + (relations.back() ? ",\"b \"\"c\"\"\"\n" : ",a\n");
  }
  for (const int threads : {1, 2, 5}) {
    set_num_threads(threads);
    const EdgeList list = parse_edge_list(text, "x");
    EXPECT_EQ(list.edges, edges);
    EXPECT_EQ(list.weight, weights);
    EXPECT_EQ(list.relation, relations);
    EXPECT_EQ(list.relation_names, (std::vector<std::string>{"a", "b \"c\""}));
    EXPECT_EQ(size_t(list.num_nodes), number.size());
    for (const auto& [name, node] : number) ASSERT_EQ(list.ids.name(node), name);
  }
  set_num_threads(0);
}

// ---- files

TEST(EdgeList, ReadsCompressedFiles) {
  const TempDir dir;
  for (const auto& packing : kPackings) {
    const std::string path =
        dir.file(std::string("e.txt") + packing.suffix, packed("1 2\n2 3\n", packing));
    EXPECT_EQ(named(read_edge_list(path)), (Named{{"1", "2"}, {"2", "3"}})) << packing.suffix;
  }
  EXPECT_EQ(error_of([&] { read_edge_list(dir / "none.txt"); }),
            (dir / "none.txt") + ": cannot open: No such file or directory");
}

TEST(EdgeList, ReadsWikiVote) {
  MGNN_NEEDS_DATA();
  const EdgeList list = read_edge_list(data_dir() + "/snap/wiki-Vote.txt");
  EXPECT_EQ(list.num_nodes, 7115);
  EXPECT_EQ(list.edges.size(), 103'689u);
  EXPECT_EQ(list.ids.number.back(), 8297);
  EXPECT_EQ(list.ids.name(list.edges[0].from), "30");
  EXPECT_EQ(list.ids.name(list.edges[0].to), "1412");
  expect_same(list, plain_read(content_of(data_dir() + "/snap/wiki-Vote.txt")), "wiki-Vote");
}

TEST(EdgeList, ReadsEpinions) {
  MGNN_NEEDS_DATA();
  const EdgeList list = read_edge_list(data_dir() + "/snap/soc-Epinions1.txt.gz");
  EXPECT_EQ(list.num_nodes, 75'879);
  EXPECT_EQ(list.edges.size(), 508'837u);
  EXPECT_EQ(list.ids.number.back(), 75'887);
}

TEST(EdgeList, ReadsHetionet) {
  MGNN_NEEDS_DATA();
  const EdgeList list = read_edge_list(data_dir() + "/hetionet/edges.tsv.gz");
  EXPECT_EQ(list.edges.size(), 1'002'666u);
  EXPECT_EQ(list.relation.size(), list.edges.size());
  EXPECT_EQ(list.relation_names[0], "AuG");
}

TEST(EdgeList, NodesMayBeCalledAsColumnsAre) {
  const testing::TempDir dir;
  const Graph graph = make_graph(3, {{0, 1}, {0, 2}, {1, 2}});
  NodeIds ids;
  for (const char* name : {"a", "source", "b"}) ids.push_back(name);
  write_edge_list(dir / "a.tsv", graph, ids);
  const EdgeList list = read_edge_list(dir / "a.tsv");
  EXPECT_EQ(list.edges.size(), 3u);
  ids = {};
  for (const char* name : {"to", "source", "b"}) ids.push_back(name);
  EXPECT_NE(
      testing::error_of([&] { write_edge_list(dir / "b.tsv", graph, ids); }).find("write .graphml"),
      std::string::npos);
}

TEST(EdgeList, WritesWhatItReads) {
  const TempDir dir;
  for (const char* name : {"e.tsv", "e.tsv.gz"}) {
    for (uint64_t seed = 0; seed < 10; seed++) {
      const Graph graph = testing::random_graph(20, 0.3, seed);
      Array<float> weight;
      Rng rng(seed);
      for (Offset a = 0; a < graph.num_arcs(); a++) weight.push_back(float(rng.normal()));
      write_edge_list(dir / name, graph, {}, weight);
      const EdgeList list = read_edge_list(dir / name, {.weight_column = "3"});
      Array<Edge> back = list.edges;
      for (Edge& e : back)
        if (!list.ids.trivial())
          e = {NodeId(list.ids.number[size_t(e.from)]), NodeId(list.ids.number[size_t(e.to)])};
      EXPECT_EQ(back, arcs(graph));
      EXPECT_EQ(list.weight, weight);
    }
  }
}

TEST(EdgeList, WritesNames) {
  const TempDir dir;
  NodeIds ids;
  for (const char* name : {"a\tb", "#c", "d \"e\"", "f,g", "h"}) ids.push_back(name);
  const Graph graph = make_graph(5, {{1, 0}, {0, 2}, {2, 3}, {3, 4}, {4, 1}});
  for (const Separator separator : {Separator::tab, Separator::comma, Separator::semicolon,
                                    Separator::blank, Separator::pipe}) {
    write_edge_list(dir / "e.txt", graph, ids, {}, separator);
    const EdgeList list = read_edge_list(dir / "e.txt", {.separator = separator});
    EXPECT_EQ(
        named(list),
        (Named{
            {"a\tb", "d \"e\""}, {"#c", "a\tb"}, {"d \"e\"", "f,g"}, {"f,g", "h"}, {"h", "#c"}}));
  }
  NodeIds numbers;
  numbers.number = {10, 20};
  write_edge_list(dir / "e.txt", make_graph(2, {{0, 1}}), numbers);
  EXPECT_EQ(content_of(dir / "e.txt"), "10\t20\n");
}

TEST(EdgeList, RefusesToWriteWhatCannotBe) {
  const TempDir dir;
  const std::string path = dir.file("e.txt", "old");
  NodeIds ids;
  ids.push_back("a\nb");
  ids.push_back("c");
  const Graph graph = make_graph(2, {{0, 1}});
  EXPECT_EQ(
      error_of([&] { write_edge_list(path, graph, ids); }),
      path + ": node id \"a\\x0ab\" has a line end or NUL byte, which text files cannot hold");
  EXPECT_EQ(error_of([&] { write_edge_list(path, graph, {}, std::vector<float>(3)); }),
            path + ": 3 weights for 1 arcs");
  EXPECT_EQ(error_of([&] { write_edge_list(path, graph, {}, {}, Separator::tab, false); }),
            path + ": exists already");
  EXPECT_EQ(content_of(path), "old");
}

}  // namespace
}  // namespace mgnn
