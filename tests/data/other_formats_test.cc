#include <gtest/gtest.h>

#include "mgnn/base/file.h"
#include "mgnn/data/load.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::TempDir;

struct Case {
  const char* name;
  std::string content;
  const char* kind;
};

// As the programs that people use write them.
const Case kRefused[] = {
    {"page.csv", "<!DOCTYPE html>\n<html><body>404</body></html>\n", "HTML"},
    {"a.xml", "<?xml version=\"1.0\"?>\n<edges/>\n", "XML"},
    {"a.ttl", "@prefix x: <http://x/> .\nx:a x:p x:b .\n", "Turtle"},
    {"a.gaf", "!gaf-version: 2.2\nUniProtKB\tA\n", "GAF (annotations)"},
    {"a.parquet", std::string("PAR1\x15\x04\x15", 7), "Parquet"},
    {"a.feather", std::string("ARROW1\0\0", 8), "Arrow"},
    {"a.pkl", std::string("\x80\x04\x95\x0a\x00", 5), "Python pickle"},
    {"a.pt", std::string("PK\x03\x04\0\0archive/data.pkl", 22), "Python pickle"},
    {"a.xlsx", std::string("PK\x03\x04\0\0[Content_Types].xml", 25), "Excel"},
    {"a.db", std::string("SQLite format 3\0", 16), "SQLite"},
    {"a.mat", "MATLAB 5.0 MAT-file, Platform: GLNXA64", "MATLAB"},
};

TEST(OtherFormats, AreRefusedByName) {
  const TempDir dir;
  for (const Case& c : kRefused) {
    const std::string path = dir / c.name;
    write_file(path, c.content);
    const std::string error = error_of([&] { read_graph_file(path); });
    EXPECT_TRUE(error.starts_with(
        fmt::format("{}: is a file of the kind {}, which is not read; ", path, c.kind)))
        << c.name << ": " << error;
  }
}

// What only looks like one of them is an edge list.
TEST(OtherFormats, EdgeListsAreRead) {
  const TempDir dir;
  const std::pair<const char*, const char*> files[] = {
      {"a.txt", "graph node\nnode edge\n"}, {"b.txt", "digraph strict\nstrict graph\n"},
      {"c.graph", "1 2\n2 3\n3 1\n"},       {"d.txt", "*a *b\n*b *c\n"},
      {"e.csv", "[a],[b]\n[b],[c]\n"},      {"f.txt", "creator version\nversion 1\n"},
      {"g.txt", "<a> <b>\n<b> <c>\n"},      {"h.txt", "prefix:a prefix:b\nprefix:b prefix:c\n"}};
  for (const auto& [name, content] : files) {
    write_file(dir / name, content);
    const Dataset data = read_graph_file(dir / name);
    EXPECT_GE(data.graph.num_arcs(), 2) << name;
    EXPECT_EQ(data.graph.num_nodes(), 3) << name;
  }
}

}  // namespace
}  // namespace mgnn
