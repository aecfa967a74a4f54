// Texts that an edge list could be mistaken for, and lines that are not like the others.
#include <gtest/gtest.h>

#include "mgnn/io/edge_list.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

std::string error(const std::string& text, const EdgeListOptions& options = {}) {
  return error_of([&] { parse_edge_list(text, "f", options); });
}
size_t count_edges(const std::string& text, const EdgeListOptions& options = {}) {
  return parse_edge_list(text, "f", options).edges.size();
}

TEST(OtherTables, AdjacencyListsAreRefused) {
  for (const char* text : {"0 1 2 3\n1 2\n2 3 4\n", "1,2\n2,3,4\n", "# adjacency\n0 1\n1 2 3\n"})
    EXPECT_NE(error(text).find("as those of adjacency lists"), std::string::npos) << text;
  EXPECT_EQ(
      error("0 1 2 3\n1 2\n"),
      "f: lines have 2 to 4 columns, as those of adjacency lists; if each line is one edge, the "
      "columns of its ends must be stated");
  // Whoever says what the columns are is believed.
  EXPECT_EQ(count_edges("0 1 2 3\n1 2\n", {.from_column = "1", .to_column = "2"}), 2u);
}

TEST(OtherTables, MatricesAreRefused) {
  for (const char* text : {"0,1,0\n1,0,1\n0,1,0\n", "0 1 1 0\n0 0 1 1\n0 0 0 1\n1 1 1 1\n",
                           "0;0.5;2\n0.5;0;1\n2;1;0\n"})
    EXPECT_NE(error(text).find("is a matrix of"), std::string::npos) << text << error(text);
  std::string large;  // beyond the lines that are looked at
  for (int i = 0; i < 40; i++) {
    for (int j = 0; j < 40; j++) large += std::to_string((i * 7 + j * 3) % 5 == 0) + " ";
    large += "\n";
  }
  EXPECT_NE(error(large).find("is a matrix of 40 rows"), std::string::npos);
  EXPECT_EQ(count_edges(large + large), 80u);  // not square
  EXPECT_EQ(count_edges("1 2 0.5\n2 3 0.7\n3 1 0.9\n"), 3u);
  EXPECT_EQ(count_edges("1 2 17 4\n2 3 18 5\n3 1 19 6\n4 1 20 7\n"), 4u);
}

// A cell with a comma that nobody quoted would shift the ends.
TEST(OtherTables, LinesWithMoreColumnsAreRefused) {
  EXPECT_EQ(error("from,to\na,b\nSmith,J,b\n"),
            "f:3: \"Smith,J,b\" has more than 2 columns, as many as the header names (are rows "
            "named, too?); quote cells that hold a separator");
  EXPECT_NE(error("\"from\" \"to\"\n\"1\" \"a\" \"b\"\n").find("are rows named, too?"),
            std::string::npos);  // as R writes them
  std::string names, numbers, triples;
  for (int i = 0; i < 30000; i++) {  // in several parts
    names += fmt::format("x{}\ty{}\n", i, i + 1);
    numbers += fmt::format("{} {}\n", i, i + 1);
    triples += fmt::format("{},{},{}\n", i, i + 1, i % 7);
  }
  EXPECT_EQ(count_edges(names) + count_edges(numbers) + count_edges(triples), 90000u);
  EXPECT_EQ(
      error(names + "a\tb\tc\n"),
      "f:30001: \"a\\x09b\\x09c\" has more than 2 columns, as many as the first lines have; quote "
      "cells that hold a separator");
  EXPECT_NE(
      error(numbers + "1 2 3\n4 5\n1 2 3 4\n").find("f:30001: \"1 2 3\" has more than 2 columns"),
      std::string::npos);
  // Cells without a text are none, and neither are comments and what NetworkX writes behind.
  EXPECT_EQ(count_edges("from,to\na,b,\nb,c,,\n"), 2u);
  EXPECT_EQ(count_edges("1 2 # the first\n2 3  \n3 4 #\n"), 3u);
  EXPECT_EQ(count_edges("1 2 {}\n2 3 {'weight': 0.5}\n"), 2u);
  EXPECT_EQ(count_edges("a b {}\nb c {'weight': 0.5, 'x': 1}\n"), 2u);
}

// Ids may begin with #.
TEST(OtherTables, CommentsThatMayBeEdgesAreSaid) {
  constexpr const char* kSaid =
      "lines that begin with # or % and have as many columns as an edge are comments; quote ids "
      "that "
      "begin so";
  const auto guess = [](const char* text) { return parse_edge_list(text, "f").guess; };
  EXPECT_EQ(guess("from,to\na,b\n#x,b\nb,c\n%y,a\n"), std::string("2 ") + kSaid);
  EXPECT_EQ(guess("a b\n#x b\n# two words\nb c\n"), std::string("1 ") + kSaid);
  EXPECT_EQ(guess("1 2\n#3 4\n2 3\n"), std::string("1 ") + kSaid);
  EXPECT_EQ(guess("from,to\na,b\n# a sentence\nb,c\n"), "");
  EXPECT_EQ(guess("# FromNodeId\tToNodeId\n1\t2\n"), "");
  EXPECT_EQ(guess("#x,y\n#v,w\na,b\nb,a\n"), std::string("2 ") + kSaid);
  EXPECT_EQ(guess("#k,w\na,b\nb,a\n"), "edges are from column 1 (\"k\") to 2 (\"w\")");
  EXPECT_EQ(count_edges("from,to\n\"#x\",b\nb,c\n"), 2u);
  EXPECT_EQ(
      error("#a,#b\n#b,#c\n"),
      "f: holds no edges, but lines that begin with # or %, which are comments; quote ids that "
      "begin so");
}

}  // namespace
}  // namespace mgnn
