#include "mgnn/data/formats.h"

#include <fmt/ranges.h>

#include "mgnn/base/file.h"
#include "mgnn/base/lines.h"
#include "mgnn/data/edges.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::TempDir;

// ---- a toy format: "toy N", then the arcs as u>v

Dataset read_toy(const GraphFile& file, const LoadOptions& options) {
  LineReader reader(file.title, file.bytes);
  std::string_view line;
  EdgeList list;
  if (!reader.next(line) || !parse_number(line.substr(4), list.num_nodes))
    reader.fail("expected the number of nodes");
  while (reader.next(line)) {
    Edge edge;
    const size_t middle = line.find('>');
    if (middle == line.npos || !parse_number(line.substr(0, middle), edge.from) ||
        !parse_number(line.substr(middle + 1), edge.to))
      reader.fail("expected an arc");
    list.edges.push_back(edge);
  }
  return dataset_of_edges(std::move(list), file.name, {.symmetrise = options.undirected});
}

void write_toy(const std::string& path, const Dataset& dataset, bool overwrite) {
  std::string text = fmt::format("toy {}\n", dataset.graph.num_nodes());
  for (const Edge& arc : arcs(dataset.graph)) text += fmt::format("{}>{}\n", arc.from, arc.to);
  write_file(path, text, overwrite);
}

const GraphFormat kToy = {
    .name = "toy",
    .title = "toy",
    .endings = {"toy"},
    .parts = {.isolated_nodes = true},
    .recognise = [](std::string_view bytes,
                    const std::string&) { return bytes.starts_with("toy "); },
    .read = read_toy,
    .write = write_toy,
};

std::vector<GraphFormat> with_toy() {
  std::vector<GraphFormat> formats(graph_formats().begin(), graph_formats().end());
  formats.push_back(kToy);
  return formats;
}

TEST(Formats, ANewOneIsARow) {
  const TempDir dir;
  const std::vector<GraphFormat> formats = with_toy();
  Dataset dataset;
  dataset.graph = make_graph(4, {{0, 1}, {2, 1}});
  write_graph_file(dir / "a.toy", dataset, {}, formats);
  EXPECT_EQ(content_of(dir / "a.toy"), "toy 4\n0>1\n2>1\n");
  write_graph_file(dir / "b", dataset, {.format = "toy"}, formats);  // shows by its content
  LoadOptions options;
  options.undirected = true;
  options.nodes = dir.file("n.csv", "id,label\n1,x\n");
  for (const char* name : {"a.toy", "b"}) {
    const Dataset loaded = read_graph_file(dir / name, options, formats);
    EXPECT_EQ(loaded.name, std::string(name).substr(0, 1));
    EXPECT_EQ(loaded.graph.num_nodes(), 4);
    EXPECT_EQ(arcs(loaded.graph), (Array<Edge>{{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
    EXPECT_EQ(loaded.label[1], 0);
  }
  EXPECT_EQ(error_of([&] { read_graph_file(dir.file("c.toy", "toy 4\n1-2\n"), {}, formats); }),
            dir / "c.toy:2: expected an arc");
  EXPECT_EQ(
      error_of([&] { write_graph_file(dir / "x.y", dataset, {}, formats); }),
      dir /
          "x.y: \"y\" is not a format that can be written; use one of tsv, csv, txt, mtx, sif, "
          "graphml, gexf, json, npz, safetensors, h5, toy");
}

TEST(Formats, KnownOnesMayBeRefusedByName) {
  const TempDir dir;
  std::vector<GraphFormat> formats = with_toy();
  formats.back().read = nullptr;
  EXPECT_EQ(error_of([&] { read_graph_file(dir.file("a.csv", "toy 1\n"), {}, formats); }),
            dir / "a.csv: is a file of the kind toy, which is not read; ");
}

TEST(Formats, ContentCountsMoreThanTheEnding) {
  const auto name = [](std::string_view bytes, const char* path) {
    return std::string(recognise_format(graph_formats(), bytes, path).name);
  };
  EXPECT_EQ(name("1 2\n", "a.csv.gz"), "csv");
  EXPECT_EQ(name("1 2\n", "a.mtx"), "mtx");
  EXPECT_EQ(name("%%MatrixMarket", "a.csv"), "mtx");
  EXPECT_EQ(name("PK\x03\x04", "a.h5"), "npz");
  EXPECT_EQ(name("\x89HDF\r\n\x1a\n", "-"), "h5");
  EXPECT_EQ(name(std::string(2048, 'x') + "\x89HDF\r\n\x1a\n", "-"), "h5");
  EXPECT_EQ(name("1 2\n", "a.hdf5"), "h5");
  EXPECT_EQ(name(std::string("\x02\0\0\0\0\0\0\0{}", 10), "a.csv"), "safetensors");
  EXPECT_EQ(name("1 2\n", "a"), "tsv");
  EXPECT_EQ(name("1 2\n", "-"), "tsv");
}

TEST(Formats, EveryRowIsComplete) {
  std::vector<std::string_view> endings;
  for (const GraphFormat& format : graph_formats()) {
    EXPECT_FALSE(format.name.empty() || format.title.empty());
    EXPECT_NE(format.read == nullptr, format.advice.empty()) << format.name;  // read, or refused
    EXPECT_FALSE(format.endings.empty() && !format.recognise) << format.name;
    EXPECT_TRUE(format.read || format.write || format.recognise) << format.name;
    for (const std::string_view ending : format.endings) {
      EXPECT_EQ(std::count(endings.begin(), endings.end(), ending), 0) << ending;
      endings.push_back(ending);
    }
  }
  EXPECT_EQ(format_names(graph_formats()),
            "tsv, csv, txt, mtx, sif, graphml, gexf, json, npz, safetensors, h5");
  EXPECT_EQ(format_names(graph_formats(), {.isolated_nodes = true}),
            "mtx, sif, graphml, gexf, json, npz, safetensors, h5");
  EXPECT_EQ(format_names(graph_formats(), {.dataset = true}), "safetensors, h5");
  EXPECT_EQ(output_format(graph_formats(), "", "-").name, "tsv");
  EXPECT_EQ(output_format(graph_formats(), "edges", "-").name, "tsv");
}

}  // namespace
}  // namespace mgnn
