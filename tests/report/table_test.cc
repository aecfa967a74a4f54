#include "mgnn/report/table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "mgnn/report/text.h"
#include "tests/util.h"

namespace mgnn {
namespace {

const TextTable kTable{
    .columns = {{"name"}, {"arcs", Align::right}, {"mean", Align::decimal, 1, "mean_degree"}},
    .rows = {{"karate", int64_t(156), 4.59}, {"a|b,\"c\"", int64_t(1002666), 13.0}, {{}, {}, {}}}};

TEST(Table, AlignsText) {
  EXPECT_EQ(text_of(kTable),
            "name          arcs  mean\n"
            "────────────────────────\n"
            "karate         156   4.6\n"
            "a|b,\"c\"  1,002,666  13.0\n"
            "-                -   -\n");
}

TEST(Table, PointsStandBelowEachOther) {
  const TextTable table{.columns = {{"x", Align::decimal}},
                        .rows = {{"1.25"}, {"10"}, {"100.5"}, {".125"}}};
  EXPECT_EQ(text_of(table), "      x\n───────\n  1.25\n 10\n100.5\n   .125\n");
}

TEST(Table, LeavesOutEmptyTitles) {
  const TextTable table{.columns = {{""}, {"", Align::right}},
                        .rows = {{"nodes", int64_t(34)}, {"arcs", int64_t(1560)}}};
  EXPECT_EQ(text_of(table), "nodes     34\narcs   1,560\n");
}

TEST(Table, CountsColumnsOfTheTerminal) {
  EXPECT_EQ(display_width("Zürich"), 6);
  EXPECT_EQ(display_width("e\u0301"), 1);  // e and a combining accent
  EXPECT_EQ(display_width("日本"), 4);
  EXPECT_EQ(display_width("\xFF\xFE"), 2);  // not UTF-8: one column a byte
  EXPECT_EQ(display_width("\xC0\x80"), 2);  // overlong
  EXPECT_EQ(display_width("\xE2\x82"), 2);  // cut short
  const TextTable table{.columns = {{"a"}, {"b"}}, .rows = {{"日本", "x"}, {"ab", "y"}}};
  EXPECT_EQ(text_of(table), "a     b\n───────\n日本  x\nab    y\n");
}

TEST(Table, OverlongFormsAndSurrogatesAreNotText) {
  const std::string bad = "\xEF\xBF\xBD";                 // U+FFFD
  EXPECT_EQ(printable("\xE0\x80\xBC"), bad + bad + bad);  // < in three bytes
  EXPECT_EQ(xml_escaped("\xC0\xBCscript"), bad + bad + "script");
  EXPECT_EQ(printable("\xED\xA0\x80"), bad + bad + bad);            // a surrogate
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), bad + bad + bad + bad);  // beyond U+10FFFF
  EXPECT_EQ(printable("Å\xF0\x9F\x98\x80"), "Å\xF0\x9F\x98\x80");
}

TEST(Table, DataCannotDriveTheTerminal) {
  const TextTable table{.columns = {{""}}, .rows = {{"\033[2Jgone\xFF\n"}}};
  EXPECT_EQ(text_of(table), "\uFFFD[2Jgone\uFFFD\uFFFD\n");
}

TEST(Table, ColoursTitlesOnly) {
  const TextTable table{.columns = {{"a"}}, .rows = {{"b"}}};
  EXPECT_EQ(text_of(table, true), "\033[1ma\033[0m\n\033[2m─\033[0m\nb\n");
}

TEST(Table, WritesLatex) {
  EXPECT_EQ(latex_of(kTable),
            "\\begin{tabular}{lrr}\n\\toprule\nname & arcs & mean \\\\\n\\midrule\n"
            "karate & 156 & 4.6 \\\\\na|b,\"c\" & 1,002,666 & 13.0 \\\\\n- & - & - \\\\\n"
            "\\bottomrule\n\\end{tabular}\n");
  const TextTable table{.columns = {{"50%"}}, .rows = {{"a_b & {c} \\ ~ ^ # $ ±"}}};
  EXPECT_NE(latex_of(table).find("50\\%"), std::string::npos);
  EXPECT_NE(latex_of(table).find("a\\_b \\& \\{c\\} \\textbackslash{} \\textasciitilde{} "
                                 "\\textasciicircum{} \\# \\$ $\\pm$"),
            std::string::npos);
}

TEST(Table, WritesMarkdown) {
  EXPECT_EQ(markdown_of(kTable),
            "| name | arcs | mean |\n"
            "|---|---:|---:|\n"
            "| karate | 156 | 4.6 |\n"
            "| a\\|b,\"c\" | 1,002,666 | 13.0 |\n"
            "| - | - | - |\n");
}

TEST(Table, WritesCsv) {
  EXPECT_EQ(csv_of(kTable),
            "name,arcs,mean_degree\nkarate,156,4.59\n\"a|b,\"\"c\"\"\",1002666,13\n,,\n");
}

TEST(Table, WritesJsonThatParses) {
  const auto rows = nlohmann::json::parse(json_of(kTable));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0], nlohmann::json({{"name", "karate"}, {"arcs", 156}, {"mean_degree", 4.59}}));
  EXPECT_TRUE(rows[2]["arcs"].is_null());
  const TextTable broken{.columns = {{"a"}}, .rows = {{"\xFF"}}};
  EXPECT_EQ(nlohmann::json::parse(json_of(broken))[0]["a"], "\uFFFD");
}

TEST(Table, RefusesARowOfAnotherWidth) {
  const TextTable table{.columns = {{"a"}, {"b"}}, .rows = {{"only one"}}};
  EXPECT_EQ(testing::error_of([&] { text_of(table); }), "a table of 2 columns has a row of 1");
}

TEST(Table, ColourIsForTerminalsOnly) {
  std::FILE* file = std::tmpfile();
  EXPECT_FALSE(wants_colour(file));
  std::fclose(file);
}

}  // namespace
}  // namespace mgnn
