// What is written for programs that draw graphs is read back as it was; tests/python/test_formats.py has
// NetworkX read it, too.
#include "mgnn/data/drawn_dataset.h"

#include <set>

#include "mgnn/data/load.h"
#include "tests/data/files.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::random_graph, testing::TempDir;

Dataset random_dataset(uint64_t seed, bool directed, bool relations) {
  Rng rng(seed);
  Dataset d;
  d.name = "d";
  const NodeId n = 12;
  d.graph = random_graph(n, 0.2, seed);
  if (!directed) d.graph = build_graph(n, arcs(d.graph), {.symmetrise = true}).graph;
  const char* const endings[] = {"",   " b", "<&\">", "é",  "|", ";",
                                 ",x", "'",  "]]>",   "\\", "#", "%"};
  for (NodeId u = 0; u < n; u++) {
    d.ids.push_back(fmt::format("node {}{}", u, endings[u]));
    d.label.push_back(int32_t(rng.below(3)) - (u > 8));
    d.target.push_back(double(rng.below(1000)) / 7);
    d.node_type.push_back(int32_t(u % 2));
  }
  d.label[0] = 0, d.label[1] = 0, d.label[2] = 1, d.label[3] = 2;
  d.class_names = {"blue & green", "red", "yellow"};
  d.node_type_names = {"drug", "gene"};
  Matrix features(n, 2);
  for (float& x : features.data) x = float(rng.below(1000)) / 3;
  d.features = std::move(features);
  d.feature_names = {"charge", "mass"};
  d.num_attributes = 2;
  Split split{.name = "table", .train = {0, 1, 2}, .validation = {3}, .test = {4, 5}};
  d.splits.push_back(split);
  if (relations) {
    d.relations = {{"r & s", {}}, {"t", {}}};
    for (const Edge& e : arcs(d.graph)) d.relations[rng.below(2)].edges.push_back(e);
  }
  for (const Edge& e : arcs(d.graph))
    d.arc_weight.push_back(float(1 + (std::min(e.from, e.to) * 31 + std::max(e.from, e.to))) / 8);
  return d;
}

std::set<std::string> arcs_of(const Dataset& d) {
  std::set<std::string> texts;
  Offset e = 0;
  for (const Edge& arc : arcs(d.graph)) {
    const float weight = d.arc_weight.empty() ? 1 : d.arc_weight[e];
    texts.insert(fmt::format("{} -> {}: {}", d.ids.name(arc.from), d.ids.name(arc.to), weight));
    e++;
  }
  return texts;
}

std::set<std::string> relations_of(const Dataset& d) {
  std::set<std::string> texts;
  for (const Relation& r : d.relations)
    for (const Edge& e : r.edges)
      texts.insert(fmt::format("{} {} {}", d.ids.name(e.from), r.name, d.ids.name(e.to)));
  return texts;
}

TEST(DrawnDataset, IsReadBackAsItWas) {
  const TempDir dir;
  for (const bool directed : {true, false})
    for (const bool relations : {true, false})
      for (const char* name : {"d.graphml", "d.gexf", "d.json", "e.graphml.gz"})
        for (uint64_t seed = 0; seed < 5; seed++) {
          SCOPED_TRACE(fmt::format("{} {} {} {}", name, directed, relations, seed));
          const Dataset d = random_dataset(seed, directed, relations);
          write_graph_file(dir / name, d);
          const Dataset read = read_graph_file(dir / name);
          ASSERT_EQ(read.graph.num_nodes(), d.graph.num_nodes());
          EXPECT_EQ(arcs_of(read), arcs_of(d));
          EXPECT_EQ(relations_of(read), relations_of(d));
          EXPECT_EQ(read.class_names, d.class_names);
          EXPECT_EQ(read.label, d.label);
          EXPECT_EQ(read.target, d.target);
          EXPECT_EQ(read.node_type, d.node_type);
          EXPECT_EQ(read.node_type_names, d.node_type_names);
          EXPECT_EQ(read.feature_names, d.feature_names);
          EXPECT_EQ(std::get<Matrix>(read.features).data, std::get<Matrix>(d.features).data);
          ASSERT_EQ(read.splits.size(), 1U);
          EXPECT_EQ(read.splits[0].train, d.splits[0].train);
          EXPECT_EQ(read.splits[0].test, d.splits[0].test);
        }
}

TEST(DrawnDataset, SifHoldsRelationsAndLoneNodes) {
  const TempDir dir;
  Dataset d;
  d.graph = make_graph(4, {{0, 1}, {1, 0}, {2, 1}});
  write_graph_file(dir / "a.sif", d);
  EXPECT_EQ(content_of(dir / "a.sif"), "0\tto\t1\n1\tto\t0\n2\tto\t1\n3\n");
  for (const char* name : {"a", "b", "c", "d"}) d.ids.push_back(name);
  d.relations = {{"pp", {{0, 1}, {1, 0}}}, {"pd", {{0, 1}}}};
  write_graph_file(dir / "b.sif", d);
  EXPECT_EQ(content_of(dir / "b.sif"), "a\tpp\tb\nb\tpp\ta\na\tpd\tb\nc\tto\tb\nd\n");
  d.ids = {};
  for (const char* name : {"a\tb", "b", "c", "d"}) d.ids.push_back(name);
  EXPECT_EQ(
      error_of([&] { write_graph_file(dir / "c.sif", d); }),
      dir / "c.sif" + std::string(": node id \"a\\x09b\" has a control character, which the format "
                                  "cannot hold"));
  d.ids = {};
  for (const char* name : {"a ", "b", "c", "d"}) d.ids.push_back(name);
  EXPECT_EQ(
      error_of([&] { write_graph_file(dir / "c.sif", d); }),
      "\"a \" cannot stand in a SIF file: it is empty, has a tab, a blank at an end, or a byte "
      "order mark");
}

TEST(DrawnDataset, NamesThatCannotComeBackAreRefused) {
  const TempDir dir;
  Dataset d;
  d.graph = make_graph(2, {{0, 1}});
  const auto refused = [&](const char* name, const char* file) {
    d.ids = {};
    for (const char* id : {"a", name}) d.ids.push_back(id);
    return error_of([&] { write_graph_file(dir / file, d); });
  };
  for (const char* file : {"a.graphml", "a.gexf", "a.json", "a.sif"}) {
    const std::string path = dir / file;
    EXPECT_EQ(refused("", file), path + ": a node has an empty name, which edges cannot refer to");
    EXPECT_EQ(refused("b\x1b", file),
              path + ": node id \"b\\x1b\" has a control character, which the format cannot hold");
    EXPECT_EQ(refused("<b> & c", file), "");
    EXPECT_EQ(read_graph_file(path).ids.name(1), "<b> & c");
  }
}

TEST(DrawnDataset, SifWithoutEdgesHasNoTabs) {
  const TempDir dir;
  Dataset d;
  d.graph = make_graph(1, {});
  d.ids.push_back("a b");
  EXPECT_EQ(error_of([&] { write_graph_file(dir / "a.sif", d); }),
            "\"a b\" cannot stand in a SIF file without edges: it has a blank");
}

TEST(DrawnDataset, OneWeightOfSeveralRelationsIsRefused) {
  const TempDir dir;
  Dataset d;
  d.name = "d";
  d.graph = make_graph(2, {{0, 1}});
  d.relations = {{"pp", {{0, 1}}}, {"pd", {{0, 1}}}};
  write_graph_file(dir / "a.graphml", d);
  EXPECT_EQ(read_graph_file(dir / "a.graphml").relations.size(), 2U);
  d.arc_weight = {2};
  EXPECT_EQ(error_of([&] { write_graph_file(dir / "b.graphml", d); }),
            "d: an arc of several relations has one weight, which cannot be written; leave the "
            "weights out");
}

}  // namespace
}  // namespace mgnn
