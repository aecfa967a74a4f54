#include "mgnn/base/lines.h"

#include <vector>

#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

std::vector<std::string> lines_of(std::string_view text) {
  LineReader reader("f", text);
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  EXPECT_EQ(reader.number(), int64_t(lines.size()));
  return lines;
}

using Words = std::vector<std::string>;

TEST(LineReader, KnowsAllEnds) {
  EXPECT_EQ(lines_of(""), Words{});
  EXPECT_EQ(lines_of("\n"), Words{""});
  EXPECT_EQ(lines_of("a"), Words{"a"});
  EXPECT_EQ(lines_of("a\nb\n"), (Words{"a", "b"}));
  EXPECT_EQ(lines_of("a\r\n\r\nb\r"), (Words{"a", "", "b"}));
  EXPECT_EQ(lines_of("\xEF\xBB\xBF"
                     "a\n"),
            Words{"a"});
  EXPECT_EQ(lines_of("a\n\xEF\xBB\xBF"
                     "b"),
            (Words{"a",
                   "\xEF\xBB\xBF"
                   "b"}));
}

TEST(LineReader, FailsWithFileAndLine) {
  LineReader reader("edges.txt", "a\nb\nc\n", 10);
  std::string_view line;
  reader.next(line);
  reader.next(line);
  EXPECT_EQ(error_of([&] { reader.fail("expected two ids, got {}", in_quotes(line)); }),
            "edges.txt:11: expected two ids, got \"b\"");
  EXPECT_EQ(reader.path(), "edges.txt");
}

Words fields_of(std::string_view line, char separator) {
  Words fields;
  for (std::string_view field; next_field(line, separator, field);) fields.emplace_back(field);
  return fields;
}

TEST(NextField, BySeparatorOrBlanks) {
  EXPECT_EQ(fields_of("1,2,,x", ','), (Words{"1", "2", "", "x"}));
  EXPECT_EQ(fields_of("1,2,", ','), (Words{"1", "2", ""}));
  EXPECT_EQ(fields_of(",", ','), (Words{"", ""}));
  EXPECT_EQ(fields_of("a b\tc", '\t'), (Words{"a b", "c"}));
  EXPECT_EQ(fields_of("  1 \t 2  ", ' '), (Words{"1", "2"}));
  EXPECT_EQ(fields_of("   ", ' '), Words{});
  EXPECT_EQ(fields_of("", ' '), Words{});
  EXPECT_EQ(fields_of("", ','), Words{""});
}

TEST(ParseNumber, WholeTextOrNothing) {
  int32_t i = 0;
  EXPECT_TRUE(parse_number("-2147483648", i));
  EXPECT_EQ(i, INT32_MIN);
  for (const char* wrong : {"", "-", "+1", " 1", "1 ", "1.0", "0x1", "2147483648", "1e3"})
    EXPECT_FALSE(parse_number(wrong, i)) << wrong;
  EXPECT_FALSE(parse_number(std::string_view(), i));
  double d = 0;
  EXPECT_TRUE(parse_number("-1.5e-3", d));
  EXPECT_EQ(d, -1.5e-3);
  EXPECT_FALSE(parse_number("1e999", d));
  EXPECT_FALSE(parse_number("1,5", d));
}

TEST(Trimmed, TakesBlanksOffBothEnds) {
  EXPECT_EQ(trimmed(" \ta b\t "), "a b");
  EXPECT_EQ(trimmed(" \t "), "");
}

}  // namespace
}  // namespace mgnn
