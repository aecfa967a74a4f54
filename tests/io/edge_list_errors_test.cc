// What edge lists say when something is wrong with them, and that nothing worse happens.

#include "mgnn/base/interrupt.h"
#include "mgnn/io/edge_list.h"
#include "mgnn/io/edge_reader.h"
#include "mgnn/io/text.h"
#include "tests/io/pack.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

// What is wrong with an edge list, and the hint that comes with it.
std::string problem_of(std::string_view text, const EdgeListOptions& options = {}) {
  try {
    parse_edge_list(text, "f", options);
  } catch (const Error& error) {
    const char* hint = error.hint() == Hint::string_ids  ? " [string_ids]"
                       : error.hint() == Hint::separator ? " [separator]"
                       : error.hint() == Hint::trim      ? " [trim]"
                                                         : "";
    return error.what() + std::string(hint);
  }
  return "";
}

struct Case {
  const char* name;
  std::string text;
  std::string message;  // and the hint: [trim]
  EdgeListOptions options = {};
};

std::string with_nul(std::string text) {
  for (char& c : text)
    if (c == '@') c = '\0';
  return text;
}

const Case kCases[] = {
    {"empty", "", "f: holds no edges"},
    {"only comments", "# a\n\n% b\n",
     "f: holds no edges, but lines that begin with # or %, which are comments; quote ids that "
     "begin "
     "so"},
    {"only a header", "source,target\n", "f: holds no edges, only a header line"},
    {"a word among integers", "1 2\n\nx\n", "f:3: expected two node ids, got \"x\" [string_ids]"},
    {"a name among integers", "1 2\n3 x\n", "f:2: expected two node ids, got \"3 x\" [string_ids]"},
    {"a fraction among integers", "1 2\n3 4.5\n",
     "f:2: expected two node ids, got \"3 4.5\" [string_ids]"},
    {"one integer", "1\t2\n3\n",
     "f:2: expected two node ids, got \"3\"; columns are separated by tabs here [separator]"},
    {"one name", "a,b\nc\nd,e\nf\n",
     "f:2: expected two node ids, got \"c\"; columns are separated by commas here (1 more like "
     "this) "
     "[separator]"},
    {"wrong separator",
     "1;2\n",
     "f:1: expected two node ids, got \"1;2\"; columns are separated by commas here [separator]",
     {.separator = Separator::comma}},
    {"negative", "1 2\n3 -4\n-5 6\n",
     "f:2: node id \"-4\" is negative (1 more like this) [string_ids]"},
    {"negative at once", "-1 2\n", "f:1: node id \"-1\" is negative [string_ids]"},
    {"2^63",
     "1 9223372036854775808\n",
     "f:1: node id \"9223372036854775808\" is over 2^63 - 1 [string_ids]",
     {.ids = IdKind::integer}},
    {"very many digits",
     "1 2\n1 " + std::string(100, '9') + "\n",
     "f:2: node id \"9999999999999999999999999999999999999999…\" is over 2^63 - 1 [string_ids]",
     {.ids = IdKind::integer}},
    {"integers wanted",
     "a b\n",
     "f:1: expected two node ids, got \"a b\" [string_ids]",
     {.ids = IdKind::integer}},
    {"carriage return inside", "1 2\n3 4\r5 6\n",
     "f:2: expected two node ids, got \"3 4\\x0d5 6\" [string_ids]"},
    {"trailing blank", "a,b\nP53 ,c\nd, e\n",
     "f:2: node id \"P53 \" has a trailing blank (1 more like this) [trim]"},
    {"leading blank", "a,b\nc, d\n", "f:2: node id \" d\" has a leading blank [trim]"},
    {"empty name", "a,b\n,c\n", "f:2: a node id is empty in \",c\""},
    {"empty trimmed name", "a,b\n ,c\n", "f:2: a node id is empty in \" ,c\"", {.trim = true}},
    {"NUL in a name", with_nul("a b\nc d@\n"),
     "f:2: \"c d\\x00\" has a NUL byte; is this a text file?"},
    {"NUL among integers", with_nul("1 2\n3@ 4\n"),
     "f:2: \"3\\x00 4\" has a NUL byte; is this a text file?"},
    {"not UTF-8", "a b\nM\xFCller b\n", "f:2: \"M\\xfcller\" is not UTF-8; save the file as UTF-8"},
    {"not UTF-8 in a relation", "from to type\na b \xE9\n",
     "f:2: \"\\xe9\" is not UTF-8; save the file as UTF-8"},
    {"UTF-16",
     "\xFF\xFE"
     "1",
     "f: is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
    {"open quote", "a,b\n\"c,d\n", "f:2: a quote is opened but not closed in \"\"c,d\""},
    {"text behind a quote", "a,b\n\"c\"x,d\n",
     "f:2: there is text behind a closing quote in \"\"c\"x,d\""},
    {"no weight", "from,to,weight\na,b,1\na,b\n", "f:3: expected 3 columns, got 2"},
    {"weight is NaN", "from,to,weight\n1,2,nan\n", "f:2: weight \"nan\" is not a finite number"},
    {"weight is infinite", "from,to,weight\n1,2,-inf\n",
     "f:2: weight \"-inf\" is not a finite number"},
    {"weight is too large", "from,to,weight\n1,2,1e39\n",
     "f:2: weight \"1e39\" is not a finite number"},
    {"weight is a word", "from,to,weight\n1,2,x\n", "f:2: weight \"x\" is not a finite number"},
    {"weight is empty", "from,to,weight\n1,2,\n", "f:2: weight \"\" is not a finite number"},
    {"relation is empty", "from,to,type\n1,2, \n", "f:2: the relation is empty"},
    {"unknown column",
     "source,target\n1,2\n",
     "f:1: there is no column \"sorce\"; did you mean \"source\"? The columns are \"source\", "
     "\"target\"",
     {.from_column = "sorce"}},
    {"name without header",
     "1,2\n",
     "f: has no header line, so column \"source\" must be given by its number",
     {.header = HeaderLine::absent, .from_column = "source"}},
    {"column out of range",
     "1 2\n",
     "f:1: there is no column 3; the line has 2",
     {.weight_column = "3"}},
    {"column 0", "1 2\n", "f:1: there is no column 0; the line has 2", {.to_column = "0"}},
    {"one column twice",
     "1 2\n",
     "f: column 2 is asked for as both ends of an edge",
     {.from_column = "2"}},
    {"separator is named",
     "1 2\n",
     "f:1: expected two node ids, got \"1 2\"; columns are separated by pipes here [separator]",
     {.separator = Separator::pipe}},
    {"separator is a semicolon", "a;b\nc\n",
     "f:2: expected two node ids, got \"c\"; columns are separated by semicolons here [separator]"},
    {"separator is a blank", "a b\nc\n",
     "f:2: expected two node ids, got \"c\"; columns are separated by blanks here [separator]"},
};

TEST(EdgeListErrors, SayWhereWhatAndWhatToDo) {
  for (const Case& c : kCases) EXPECT_EQ(problem_of(c.text, c.options), c.message) << c.name;
}

TEST(EdgeListErrors, AreOfTheRightKind) {
  const auto kind = [](std::string_view text, const EdgeListOptions& options) {
    try {
      parse_edge_list(text, "f", options);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::failed;
  };
  EXPECT_EQ(kind("1 x\n2 y\n3\n", {}), ErrorKind::data);
  EXPECT_EQ(kind("", {}), ErrorKind::data);
  EXPECT_EQ(kind("1 2\n", {.weight_column = "w"}), ErrorKind::usage);
}

TEST(EdgeListErrors, CountLinesInLargeTexts) {
  std::string text = "# head\n";
  for (int i = 0; i < 900'000; i++) {
    if (i == 700'000 || i == 800'000) text += "7 -7\n";
    text += "12 345\n";
  }
  EXPECT_EQ(problem_of(text),
            "f:700002: node id \"-7\" is negative (1 more like this) [string_ids]");
  EXPECT_EQ(error_of([&] { parse_edge_list(text + "3\n", "f"); }).substr(0, 9), "f:700002:");
}

// An id that is written as names are, far below the lines that are looked at first.
TEST(EdgeListErrors, LeadingZerosAreNotDropped) {
  for (const char separator : {' ', ',', '\t'})
    for (const std::string& more :
         {std::string(), std::string("\r"), separator + std::string("x")}) {
      std::string numbers;
      for (int i = 1; i < 60; i++) numbers += fmt::format("{}{}{}{}\n", i, separator, i + 1, more);
      for (const char* id : {"007", "00", "+7", "000000000000000000007"}) {
        const std::string text = numbers + fmt::format("60{}{}{}\n", separator, id, more);
        const EdgeListOptions ends = {.from_column = "1", .to_column = "2"};
        EXPECT_EQ(problem_of(text, ends),
                  fmt::format("f:60: node id \"{}\" is written as names are, but ids above are "
                              "whole numbers [string_ids]",
                              id))
            << text.substr(text.size() - 20);
        EdgeListOptions integer = ends;
        integer.ids = IdKind::integer;
        EXPECT_EQ(parse_edge_list(text, "f", integer).edges.size(), 60u);
      }
      EXPECT_EQ(problem_of(numbers + fmt::format("0{}60{}\n", separator, more),
                           {.from_column = "1", .to_column = "2"}),
                "");
    }
}

TEST(EdgeListErrors, TooManyNodes) {
  EXPECT_EQ(node_count(2147483647, "f"), 2147483647);
  EXPECT_EQ(error_of([] { node_count(2147483648, "f"); }),
            "f: has 2,147,483,648 nodes, but at most 2,147,483,647 can be handled");
}

TEST(EdgeListErrors, TooLittleMemory) {
  EXPECT_EQ(error_of([] { check_memory(1000, "f"); }), "");
  const std::string message = error_of([] { check_memory(int64_t(1) << 50, "f"); });
  EXPECT_TRUE(message.starts_with("f: needs 1024 TiB of memory, but there is ")) << message;
  EXPECT_TRUE(message.ends_with("; use less data or a machine with more memory")) << message;
}

TEST(EdgeListErrors, CanBeInterrupted) {
  set_interrupted(true);
  EXPECT_EQ(error_of([] { parse_edge_list("1 2\n", "f"); }), "interrupted");
  set_interrupted(false);
}

// Damaged lists are read or refused, and nothing else; every place has its turn.
TEST(EdgeListErrors, SurviveDamage) {
  const std::string texts[] = {
      "# c\r\n1\t2\r\n3\t4\r\n12345678\t2147483648\r\n",
      "source,target,weight,type\n\"a \"\"b\"\"\",é,0.5,x\nc,d,1e-3,y\n",
      testing::edge_text(40, 1),
  };
  int refused = 0, read = 0;
  for (const std::string& text : texts)
    for (size_t size = 0; size <= text.size(); size++)
      for (uint64_t seed = 0; seed < 4; seed++) {
        Rng rng(seed + 10 * size);
        std::string damaged = text.substr(0, size);
        for (uint64_t i = seed; i > 0 && size > 0; i--)
          damaged[rng.below(size)] ^= char(1 << rng.below(8));
        // In its own piece of memory, so that a step outside is seen by the sanitizer.
        const std::vector<char> exact(damaged.begin(), damaged.end());
        const std::string message =
            error_of([&] { parse_edge_list(std::string_view(exact.data(), exact.size()), "f"); });
        EXPECT_TRUE(message.empty() || message.starts_with("f")) << message;
        (message.empty() ? read : refused)++;
      }
  EXPECT_GT(refused, 500);
  EXPECT_GT(read, 500);
}

}  // namespace
}  // namespace mgnn
