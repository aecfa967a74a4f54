#include "mgnn/io/table.h"

#include "tests/io/pack.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::kPackings, testing::packed, testing::TempDir;
using Rows = std::vector<std::vector<std::string>>;

Table table_of(std::string_view text) {
  return parse_table(FileBytes(Array<char>(text.begin(), text.end())), "t.csv");
}

Rows rows_of(const Table& table) {
  Rows rows{table.columns()};
  for (int64_t r = 0; r < table.num_rows(); r++) {
    rows.emplace_back();
    for (int64_t c = 0; c < table.num_columns(); c++) rows.back().emplace_back(table.cell(r, c));
  }
  return rows;
}

struct Case {
  const char* name;
  std::string text;
  Rows rows;  // the header first
};
const Case kCases[] = {
    {"commas", "id,label\n1,a\n2,b\n", {{"id", "label"}, {"1", "a"}, {"2", "b"}}},
    {"tabs win over commas", "id\tx,y\n1\t2,3\n", {{"id", "x,y"}, {"1", "2,3"}}},
    {"semicolons", "a;b\n1,5;2,5\n", {{"a", "b"}, {"1,5", "2,5"}}},
    {"pipes", "id|label\n1|a b\n", {{"id", "label"}, {"1", "a b"}}},
    {"blanks", "id label\n1  a\n\n 2 b \n", {{"id", "label"}, {"1", "a"}, {"2", "b"}}},
    {"blanks and CRLF", "id  label\r\n1 a \r\n2\tb", {{"id", "label"}, {"1", "a"}, {"2", "b"}}},
    {"one column of blanks", "full name\nA B C\n", {{"full name"}, {"A B C"}}},
    {"one column", "id\n1\n\n2", {{"id"}, {"1"}, {"2"}}},
    {"header only", "id,label\n", {{"id", "label"}}},
    {"no end of line", "id,label\n1,a", {{"id", "label"}, {"1", "a"}}},
    {"CRLF and mark",
     "\xEF\xBB\xBFid,label\r\n1,a\r\n\r\n2,b\r\n",
     {{"id", "label"}, {"1", "a"}, {"2", "b"}}},
    {"empty cells", "a,b,c\n,,\n1,,\n", {{"a", "b", "c"}, {"", "", ""}, {"1", "", ""}}},
    {"blanks in the header", "id , label\n 1, a\n", {{"id", "label"}, {" 1", " a"}}},
    {"quotes",
     "id,\"the \"\"name\"\"\"\n1,\"a,b\"\n\"2\",\"\"\n",
     {{"id", "the \"name\""}, {"1", "a,b"}, {"2", ""}}},
    {"doubled quotes", "a,b\n\"x\"\"y\",\"\"\"\"\n", {{"a", "b"}, {"x\"y", "\""}}},
    {"quote inside", "a,b\n5\",6\"\n", {{"a", "b"}, {"5\"", "6\""}}},
    {"line end in quotes", "a,b\n\"1\n2\",3\n4,5\n", {{"a", "b"}, {"1\n2", "3"}, {"4", "5"}}},
    {"UTF-8", "a\nÅngström\n", {{"a"}, {"Ångström"}}},
};

TEST(Table, ReadsKnownTexts) {
  for (const Case& c : kCases) EXPECT_EQ(rows_of(table_of(c.text)), c.rows) << c.name;
}

TEST(Table, KnowsTheLines) {
  const Table table = table_of("a,b\r\n\r\n\"1\r\n2\",3\r\n4,5\r\n");
  ASSERT_EQ(table.num_rows(), 2);
  EXPECT_EQ(table.line(0), 3);
  EXPECT_EQ(table.line(1), 5);
}

TEST(Table, FindsColumns) {
  const Table table = table_of("id,label,split,twin,twin\n");
  EXPECT_EQ(table.column("label"), 1);
  EXPECT_EQ(table.find_column("lable"), -1);
  EXPECT_EQ(error_of([&] { table.column("lable"); }),
            "t.csv: there is no column \"lable\"; did you mean \"label\"? The columns are \"id\", "
            "\"label\", \"split\", \"twin\", \"twin\"");
  EXPECT_EQ(error_of([&] { table_of("a,b").column("weight"); }),
            "t.csv: there is no column \"weight\"; the columns are \"a\", \"b\"");
  EXPECT_EQ(error_of([&] { table.column("twin"); }),
            "t.csv: two columns are called \"twin\"; rename one");
  std::string wide = "c0";
  for (int i = 1; i < 40; i++) wide += ",c" + std::to_string(i);
  EXPECT_TRUE(error_of([&] { table_of(wide).column("weight"); }).ends_with("\"c29\" and 10 more"));
}

TEST(Table, SaysWhatIsWrong) {
  const auto error = [](std::string_view text) { return error_of([&] { table_of(text); }); };
  EXPECT_EQ(error(""), "t.csv: is empty; expected a header line");
  EXPECT_EQ(error("\xEF\xBB\xBF\n\r\n"), "t.csv: is empty; expected a header line");
  EXPECT_EQ(error("a,b\n1,2\n1\n"), "t.csv:3: 1 cells separated by commas, but the header has 2");
  EXPECT_EQ(error("a\tb\n1\t2\t3\n"), "t.csv:2: 3 cells separated by tabs, but the header has 2");
  EXPECT_EQ(error("a,b\n1,\"2\n3,4\n"), "t.csv:2: a quote is opened but not closed");
  EXPECT_EQ(error("a,b\n\"1\"x,2\n"), "t.csv:2: there is text behind a closing quote");
  EXPECT_EQ(error(std::string("a,b\n1,\0\n", 8)), "t.csv:2: has a NUL byte; is this a text file?");
  EXPECT_EQ(error("a,b\n1,M\xFCller\n"),
            "t.csv:2: is not UTF-8 at \"\\xfc\"; save the file as UTF-8");
  EXPECT_EQ(error("a,b\n1,\xED\xA0\x80\n").substr(0, 23), "t.csv:2: is not UTF-8 a");
  EXPECT_EQ(error("\xFF\xFE"
                  "a"),
            "t.csv: is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)");
}

TEST(Table, ReadsCompressedFiles) {
  const TempDir dir;
  for (const auto& packing : kPackings) {
    const std::string path =
        dir.file(std::string("t.csv") + packing.suffix, packed("id,label\n1,a\n", packing));
    EXPECT_EQ(rows_of(read_table(path)), (Rows{{"id", "label"}, {"1", "a"}}));
  }
}

// Random cells, quoted where they must be or by chance, come back as they were.
TEST(Table, RandomTablesComeBack) {
  const char* const kPieces[] = {"a", "b", "\"", "\n", ",", ";", "\t", " ", "é"};
  for (uint64_t seed = 0; seed < 200; seed++) {
    Rng rng(seed);
    const char separator = ",\t;"[rng.below(3)];
    const size_t width = 2 + rng.below(4);
    Rows rows;
    std::string text;
    for (uint64_t r = 0; r < 1 + rng.below(20); r++) {
      rows.emplace_back();
      for (size_t c = 0; c < width; c++) {
        std::string cell;  // the header is plain, so that its separator can be found
        for (uint64_t i = 0; i < 1 + rng.below(6); i++)
          cell += r == 0 ? "k" : kPieces[rng.below(std::size(kPieces))];
        rows.back().push_back(cell);
        const bool must = cell.find_first_of("\"\n,;\t") != cell.npos;
        std::string written = cell;
        if (must || rng.chance(0.2)) {
          written = "\"";
          for (char ch : cell) written += ch == '"' ? std::string("\"\"") : std::string(1, ch);
          written += '"';
        }
        text += written + (c + 1 == width ? '\n' : separator);
      }
    }
    EXPECT_EQ(rows_of(table_of(text)), rows) << "seed " << seed;
  }
}

// Damaged tables are read or refused, and nothing else.
TEST(Table, SurvivesDamage) {
  const std::string text =
      "id,label,\"x,y\"\r\n1,\"a \"\"b\"\"\",0.5\r\n2,é,nan\r\n\"3\n4\",c,\r\n";
  int refused = 0;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    Rng rng(seed);
    std::string damaged = text.substr(0, text.size() - rng.below(text.size()));
    for (uint64_t i = rng.below(3); i > 0; i--)
      damaged[rng.below(damaged.size())] ^= char(1 << rng.below(8));
    refused += !error_of([&] { table_of(damaged); }).empty();
  }
  EXPECT_GT(refused, 500);
  EXPECT_LT(refused, 3000);
}

}  // namespace
}  // namespace mgnn
