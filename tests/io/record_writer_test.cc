#include "mgnn/io/record_writer.h"

#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::TempDir;

void write_rows(RecordWriter& writer) {
  writer.text("a \"b\", c");
  writer.number(0.1f);
  writer.nothing();
  writer.text("x");
  writer.number(-2.5);
  writer.text("tab\there");
  writer.commit();
}

void write(const std::string& path, const std::vector<std::string>& columns) {
  RecordWriter writer(path, columns);
  write_rows(writer);
}

TEST(RecordWriter, WritesTheFormatOfTheName) {
  const TempDir dir;
  const std::vector<std::string> columns = {"id", "p(x, y)", "label"};
  write(dir / "r.csv", columns);
  EXPECT_EQ(content_of(dir / "r.csv"),
            "id,\"p(x, y)\",label\n\"a \"\"b\"\", c\",0.1,\nx,-2.5,tab\there\n");
  write(dir / "r.tsv", columns);
  EXPECT_EQ(content_of(dir / "r.tsv"),
            "id\tp(x, y)\tlabel\n\"a \"\"b\"\", c\"\t0.1\t\nx\t-2.5\t\"tab\there\"\n");
  const std::string lines =
      "{\"id\": \"a \\\"b\\\", c\", \"p(x, y)\": 0.1, \"label\": null}\n"
      "{\"id\": \"x\", \"p(x, y)\": -2.5, \"label\": \"tab\\there\"}\n";
  write(dir / "r.jsonl", columns);
  EXPECT_EQ(content_of(dir / "r.jsonl"), lines);
  std::string text;
  RecordWriter writer(text, columns);
  write_rows(writer);
  EXPECT_EQ(text, lines);
}

}  // namespace
}  // namespace mgnn
