#include "mgnn/io/matrix_market.h"

#include <algorithm>

#include "mgnn/base/memory.h"
#include "tests/io/pack.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::kPackings, testing::packed, testing::TempDir;

struct Case {
  const char* name;
  std::string text;
  NodeId nodes;
  Array<Edge> edges;
  Array<float> weight = {};
};
const Case kCases[] = {
    {"pattern",
     "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 1\n",
     3,
     {{0, 1}, {2, 0}}},
    {"real",
     "%%MatrixMarket matrix coordinate real general\n% c\n\n2 2 2\n1 2 0.5\n2 2 -1e2\n",
     2,
     {{0, 1}, {1, 1}},
     {0.5f, -100.f}},
    {"integer",
     "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 7\n",
     2,
     {{0, 1}},
     {7}},
    {"symmetric",
     "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 4\n3 3 5\n",
     3,
     {{1, 0}, {2, 2}, {0, 1}},
     {4, 5, 4}},
    {"symmetric pattern",
     "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n3 1\n",
     3,
     {{2, 0}, {0, 2}}},
    {"skew-symmetric",
     "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n",
     2,
     {{1, 0}, {0, 1}},
     {4, -4}},
    {"any case, CRLF",
     "%%matrixmarket MATRIX Coordinate Pattern General\r\n2 2 1\r\n 1  2 \r\n",
     2,
     {{0, 1}}},
    {"no last line end",
     "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2",
     2,
     {{0, 1}}},
    {"no entries", "%%MatrixMarket matrix coordinate real general\n4 4 0\n", 4, {}},
    {"nothing", "%%MatrixMarket matrix coordinate real symmetric\n0 0 0", 0, {}},
};

TEST(MatrixMarket, ReadsKnownTexts) {
  for (const Case& c : kCases) {
    const std::string problem = error_of([&] {
      const EdgeList list = parse_matrix_market(c.text, "m.mtx");
      EXPECT_EQ(list.num_nodes, c.nodes) << c.name;
      EXPECT_EQ(list.edges, c.edges) << c.name;
      EXPECT_EQ(list.weight, c.weight) << c.name;
      EXPECT_TRUE(list.ids.trivial()) << c.name;
    });
    EXPECT_EQ(problem, "") << c.name;
  }
}

const std::string kPattern = "%%MatrixMarket matrix coordinate pattern general\n";
const std::string kReal = "%%MatrixMarket matrix coordinate real general\n";

TEST(MatrixMarket, SaysWhatIsWrong) {
  const auto error = [](const std::string& text) {
    return error_of([&] { parse_matrix_market(text, "m"); });
  };
  EXPECT_EQ(error(""), "m: is empty; expected a Matrix Market file");
  EXPECT_EQ(error("1 2\n"), "m:1: expected a line that begins with %%MatrixMarket, got \"1 2\"");
  EXPECT_EQ(error("%%MatrixMarket matrix\n"),
            "m:1: expected \"%%MatrixMarket matrix coordinate real general\" or the like, got "
            "\"%%MatrixMarket matrix\"");
  EXPECT_EQ(error("%%MatrixMarket vector coordinate real general\n"),
            "m:1: \"vector\" matrices are not read, only matrix");
  EXPECT_EQ(error("%%MatrixMarket matrix array real general\n"),
            "m:1: \"array\" matrices are not read, only coordinate");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate complex general\n"),
            "m:1: \"complex\" matrices are not read, only pattern, integer or real");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real hermitian\n"),
            "m:1: \"hermitian\" matrices are not read, only general, symmetric or skew-symmetric");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate pattern skew-symmetric\n"),
            "m:1: a skew-symmetric matrix must have values");
  EXPECT_EQ(error(kPattern + "% c\n"), "m: ends before the line of sizes");
  EXPECT_EQ(error(kPattern + "2 2\n"),
            "m:2: expected the numbers of rows, columns and entries, got \"2 2\"");
  EXPECT_EQ(error(kPattern + "2 2 -1\n"),
            "m:2: expected the numbers of rows, columns and entries, got \"2 2 -1\"");
  EXPECT_EQ(error(kPattern + "2 2 99999999999999999999\n").substr(0, 12), "m:2: expecte");
  EXPECT_EQ(error(kPattern + "2 3 1\n1 2\n"),
            "m:2: the matrix is 2 x 3; only a square one is a graph");
  EXPECT_EQ(error(kPattern + "3000000000 3000000000 1\n1 2\n"),
            "m:2: 3,000,000,000 rows are declared, but at most 2,147,483,647 nodes can be handled");
  EXPECT_EQ(error(kPattern + "2 2 2\n1 2\n"),
            "m: declares 2 entries, but holds 1; it may be cut short");
  EXPECT_EQ(error(kPattern + "2 2 9000000000000\n1 2\n"),
            "m: declares 9000000000000 entries, but holds 1; it may be cut short");
  EXPECT_EQ(error(kPattern + "2 2 1\n1 2\n2 1\n"), "m: declares 1 entries, but holds 2");
  EXPECT_EQ(error(kPattern + "2 2 2\n\n1 2\n% c\n0 1\n"),
            "m:6: entry (0, 1) is outside the 2 x 2 matrix; Matrix Market counts from 1");
  EXPECT_EQ(error(kPattern + "2 2 1\n1 3\n"),
            "m:3: entry (1, 3) is outside the 2 x 2 matrix; Matrix Market counts from 1");
  EXPECT_EQ(error(kPattern + "2 2 1\n1 5000000000\n"),
            "m:3: entry (1, 5000000000) is outside the 2 x 2 matrix; Matrix Market counts from 1");
  EXPECT_EQ(error(kPattern + "2 2 1\n-1 2\n"),
            "m:3: expected a row and a column counted from 1, got \"-1 2\"");
  EXPECT_EQ(error(kPattern + "2 2 1\n1\n"),
            "m:3: expected a row and a column counted from 1, got \"1\"");
  EXPECT_EQ(error(kReal + "2 2 1\n1 2\n"),
            "m:3: expected a row and a column counted from 1, and a finite value, got \"1 2\"");
  EXPECT_EQ(error(kReal + "2 2 2\n1 2 nan\n1 2 inf\n"),
            "m:3: expected a row and a column counted from 1, and a finite value, got \"1 2 nan\" "
            "(1 more like this)");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 4\n"),
            "m:3: entry (2, 2) is on the diagonal of a skew-symmetric matrix");
  EXPECT_EQ(error("\xFE\xFF"), "m: is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)");
}

TEST(MatrixMarket, NodesThatOnlyTheHeaderClaims) {
  const auto parse = [](const std::string& sizes) {
    return [=] { parse_matrix_market(kPattern + sizes, "m"); };
  };
  EXPECT_EQ(error_of(parse("2000000000 2000000000 1\n1 2\n")),
            "m: claims 2,000,000,000 nodes, but has 1 entries; use --max-nodes 2000000000 if that "
            "is right");
  EXPECT_EQ(error_of(parse("4194304 4194304 1\n1 2\n")), "");
  set_max_claimed_nodes(10);
  EXPECT_EQ(error_of(parse("11 11 1\n1 2\n")),
            "m: claims 11 nodes, but has 1 entries; use --max-nodes 11 if that is right");
  EXPECT_EQ(error_of(parse("11 11 6\n1 2\n3 4\n5 6\n7 8\n9 10\n11 1\n")), "");  // named
  set_max_claimed_nodes(0);
}

TEST(MatrixMarket, ReadsCompressedFiles) {
  const TempDir dir;
  for (const auto& packing : kPackings) {
    const std::string path =
        dir.file(std::string("m.mtx") + packing.suffix, packed(kPattern + "2 2 1\n1 2\n", packing));
    EXPECT_EQ(read_matrix_market(path).edges, (Array<Edge>{{0, 1}})) << packing.suffix;
  }
}

TEST(MatrixMarket, WritesWhatItReads) {
  const TempDir dir;
  for (uint64_t seed = 0; seed < 20; seed++) {
    const Graph graph = testing::random_graph(25, 0.2, seed);
    Rng rng(seed);
    Array<float> value;
    Array<int64_t> count;
    for (Offset a = 0; a < graph.num_arcs(); a++) {
      value.push_back(float(rng.normal() * 1e-9));
      count.push_back(int64_t(rng.below(1 << 20)));
    }
    const std::string path = dir / "m.mtx";
    write_matrix_market(path, graph.out);
    EXPECT_EQ(read_matrix_market(path).edges, arcs(graph));
    EXPECT_EQ(read_matrix_market(path).num_nodes, 25);
    write_matrix_market(path, graph.out, value);
    EXPECT_EQ(read_matrix_market(path).edges, arcs(graph));
    EXPECT_EQ(read_matrix_market(path).weight, value);
    write_matrix_market(path, graph.out, std::span<const int64_t>(count));
    const Array<float> read = read_matrix_market(path).weight;
    EXPECT_TRUE(std::equal(read.begin(), read.end(), count.begin(), count.end(),
                           [](float a, int64_t b) { return a == float(b); }));
  }
}

TEST(MatrixMarket, WritesAnyShape) {
  const TempDir dir;
  const Csr pattern{2, 3, {0, 1, 2}, {2, 0}};
  write_matrix_market(dir / "m.mtx", pattern, std::span<const int64_t>(Array<int64_t>{5, 6}));
  EXPECT_EQ(content_of(dir / "m.mtx"),
            "%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 3 5\n2 1 6\n");
  EXPECT_EQ(error_of([&] { write_matrix_market(dir / "m.mtx", pattern, Array<float>{1}); }),
            (dir / "m.mtx") + ": 1 values for 2 entries");
  EXPECT_EQ(error_of([&] {
              write_matrix_market(dir / "m.mtx", pattern, std::span<const float>(), false);
            }),
            (dir / "m.mtx") + ": exists already");
}

TEST(MatrixMarket, SurvivesDamage) {
  const std::string text = kReal + "% c\n12 12 4\n1 2 0.5\r\n3 4 1\n12 12 1e-3\n5 6 7\n";
  int refused = 0;
  for (size_t size = 0; size <= text.size(); size++)
    for (uint64_t seed = 0; seed < 20; seed++) {
      Rng rng(seed + 100 * size);
      std::vector<char> damaged(text.begin(), text.end());
      damaged.resize(seed < 2 ? size : text.size());
      if (seed > 0 && !damaged.empty())
        damaged[rng.below(damaged.size())] ^= char(1 << rng.below(8));
      const std::string message = error_of(
          [&] { parse_matrix_market(std::string_view(damaged.data(), damaged.size()), "m"); });
      EXPECT_TRUE(message.empty() || message.starts_with("m:")) << message;
      refused += !message.empty();
    }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace mgnn
