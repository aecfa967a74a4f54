// Small folders in every layout, and what is wrong with broken ones.

#include "mgnn/data/dataset.h"
#include "mgnn/data/geom_gcn.h"
#include "mgnn/data/linqs.h"
#include "mgnn/data/load.h"
#include "mgnn/data/planetoid.h"
#include "mgnn/data/tu.h"
#include "mgnn/io/numpy.h"
#include "tests/data/damage.h"
#include "tests/data/files.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::damage_every_file, testing::data_dir, testing::error_of, testing::error_with,
    testing::Files, testing::TempDir, testing::write_files;
std::vector<std::vector<float>> dense(const Features& features) {
  std::vector<std::vector<float>> rows;
  if (const Matrix* m = std::get_if<Matrix>(&features))
    for (int64_t r = 0; r < m->rows; r++) rows.emplace_back(m->row(r).begin(), m->row(r).end());
  if (const SparseMatrix* s = std::get_if<SparseMatrix>(&features))
    for (NodeId r = 0; r < s->pattern.rows; r++) {
      rows.emplace_back(size_t(s->pattern.cols), 0.f);
      for (Offset e = s->pattern.start[r]; e < s->pattern.start[r + 1]; e++)
        rows.back()[size_t(s->pattern.index[size_t(e)])] = s->value[size_t(e)];
    }
  return rows;
}
using Rows = std::vector<std::vector<float>>;

// ---- TU

const Files kTu = {{"T_A.txt", "1, 2\n2, 1\n4, 5\n5, 4\n"},
                   {"T_graph_indicator.txt", "1\n1\n1\n3\n3\n"},
                   {"T_graph_labels.txt", "1\n-1\n1\n"},
                   {"T_node_labels.txt", "7, 0\n5, 1\n7, 0\n5, 0\n5, 0\n"},
                   {"T_node_attributes.txt", "0.5\n1\n-2e1\n0\n3\n"},
                   {"T_edge_labels.txt", "0\n0\n1\n1\n"}};
Dataset load_any_tu(const std::string& folder) { return load_tu(folder); }

TEST(Tu, ReadsEveryPart) {
  const TempDir dir;
  write_files(dir, kTu);
  const Dataset dataset = load_tu(dir.path());
  EXPECT_EQ(dataset.name, "T");
  EXPECT_EQ(dataset.graph_start, (std::vector<NodeId>{0, 3, 3, 5}));  // the second has no nodes
  EXPECT_EQ(dataset.label, (std::vector<int32_t>{1, 0, 1}));
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(dense(dataset.features), (Rows{{0.5, 0, 1, 1, 0},
                                           {1, 1, 0, 0, 1},
                                           {-20, 0, 1, 1, 0},
                                           {0, 1, 0, 1, 0},
                                           {3, 1, 0, 1, 0}}));
  ASSERT_EQ(dataset.relations.size(), 2u);
  EXPECT_EQ(dataset.relations[1].edges, (Array<Edge>{{3, 4}, {4, 3}}));
}

TEST(Tu, GraphAttributesAreTargets) {
  const TempDir dir;
  write_files(dir, kTu);
  dir.file("T_graph_attributes.txt", "0.5, 1\n-2, 3e2\n0, -1\n");
  EXPECT_EQ(load_tu(dir.path()).target, (std::vector<double>{0.5, -2, 0}));
  LoadOptions options;
  options.target_column = "2";
  EXPECT_EQ(load_dataset(dir.path(), options).target, (std::vector<double>{1, 300, -1}));
  EXPECT_EQ(
      error_of([&] { load_tu(dir.path(), "T", "3"); }),
      dir / "T_graph_attributes.txt" + ": there is no column \"3\"; they are numbered from 1 to 2");
  EXPECT_NE(error_of([&] { load_tu(dir.path(), "T", "energy"); }).find("no column \"energy\""),
            std::string::npos);
  dir.file("T_graph_attributes.txt", "0.5\n");
  EXPECT_NE(error_of([&] { load_tu(dir.path()); }).find("has 1 lines, but there are 3 graphs"),
            std::string::npos);
}

TEST(Tu, OptionalFilesMayBeAbsentAndFoldersNested) {
  const TempDir dir;
  for (const char* name : {"T_A.txt", "T_graph_indicator.txt"})
    dir.file(std::string("T/raw/") + name, kTu.at(name));
  std::ofstream(dir / "T/raw/T_graph_indicator.txt") << "1\n1\n1\n2\n2\n";
  const Dataset dataset = load_tu(dir.path(), "T");
  EXPECT_EQ(dataset.num_graphs(), 2);
  EXPECT_TRUE(dataset.label.empty());
  EXPECT_EQ(num_features(dataset.features), 0);
  EXPECT_EQ(load_dataset(dir / "T").num_graphs(), 2);
}

TEST(Tu, SaysWhatIsWrong) {
  const auto error = [](const char* name, const char* content) {
    return error_with(kTu, name, content, load_any_tu);
  };
  EXPECT_EQ(error("T_A.txt", "1, 2\n1, 9\n"), "D/T_A.txt:2: node 9 is outside 1 to 5");
  EXPECT_EQ(error("T_A.txt", "0, 2\n"), "D/T_A.txt:1: node 0 is outside 1 to 5");
  EXPECT_EQ(error("T_A.txt", "1, 99999999999\n"),
            "D/T_A.txt:1: node 99999999999 is outside 1 to 5");
  EXPECT_EQ(error("T_A.txt", "1\n"), "D/T_A.txt:1: expected two node ids, got 1 numbers");
  EXPECT_EQ(error("T_A.txt", "1, x\n"), "D/T_A.txt:1: expected a whole number, got \"x\"");
  EXPECT_EQ(error("T_A.txt", "1, 4\n"),
            "D/T_A.txt:1: joins node 1 of graph 1 to node 4 of graph 3");
  EXPECT_EQ(error("T_A.txt", "1, 2\n\n2, 1\n"), "D/T_A.txt:2: the line is empty");
  EXPECT_EQ(error("T_A.txt", "1, 2\n"),
            "D/T_edge_labels.txt:2: there are more lines than the 1 edges");
  EXPECT_EQ(error("T_graph_indicator.txt", "1\n4\n"),
            "D/T_graph_indicator.txt:2: graph 4, but there are only 3 graph labels");
  EXPECT_EQ(error("T_graph_indicator.txt", "2\n1\n"),
            "D/T_graph_indicator.txt:2: a node of graph 1 follows one of graph 2");
  EXPECT_EQ(error("T_graph_indicator.txt", "0\n"),
            "D/T_graph_indicator.txt:1: graph ids begin at 1, got 0");
  EXPECT_EQ(error("T_graph_indicator.txt", "1 2\n"),
            "D/T_graph_indicator.txt:1: expected one graph id, got 2 numbers");
  EXPECT_EQ(error("T_graph_indicator.txt", ""),
            "D/T_graph_indicator.txt: is empty; a graph id for every node is expected");
  EXPECT_EQ(error("T_graph_indicator.txt", "(none)"),
            "D: the files NAME_A.txt and NAME_graph_indicator.txt are missing");
  EXPECT_EQ(error("T_graph_labels.txt", "1, 2\n1, 3\n1, 4\n"),
            "D/T_graph_labels.txt: has 2 labels for each graph; only sets with one can be read");
  EXPECT_EQ(error("T_node_attributes.txt", "1\n2\n"),
            "D/T_node_attributes.txt: has 2 lines, but there are 5 nodes");
  EXPECT_EQ(error("T_node_attributes.txt", "1\n2, 3\n"),
            "D/T_node_attributes.txt:2: the line has 2 numbers, but the first has 1");
  EXPECT_EQ(error("T_node_attributes.txt", "1\nnan\n"),
            "D/T_node_attributes.txt:2: \"nan\" is not a finite number");
  Files no_labels = kTu;
  no_labels.erase("T_graph_labels.txt");
  EXPECT_EQ(error_with(no_labels, "T_graph_indicator.txt", "1\n2000000000\n", load_any_tu),
            "D/T_graph_indicator.txt:2: graph 2000000000 follows graph 1; there is none between");
}

TEST(Tu, SurvivesDamage) {
  const TempDir dir;
  write_files(dir, kTu);
  EXPECT_GT(damage_every_file(dir.path(), 10, 40, [&] { return load_tu(dir.path()); }), 50);
}

// ---- geom-gcn

std::string mask_file(const TempDir& dir, const std::string& name, std::vector<int64_t> train,
                      std::vector<int64_t> validation, std::vector<int64_t> test) {
  const auto mask = [](const std::vector<int64_t>& values) {
    std::vector<uint8_t> bytes(values.begin(), values.end());
    return numpy_array<uint8_t>(bytes, {int64_t(bytes.size())});
  };
  std::filesystem::create_directories(dir / "splits");
  write_npz(
      dir / ("splits/" + name),
      {{"train_mask", mask(train)}, {"val_mask", mask(validation)}, {"test_mask", mask(test)}});
  return dir / ("splits/" + name);
}

const Files kGeom = {{"out1_graph_edges.txt", "node_id\tnode_id\n0\t1\n1\t1\n2\t0\n"},
                     {"out1_node_feature_label.txt",
                      "node_id\tfeature\tlabel\n1\t0,1,0\t0\n0\t1,0,1\t4\n2\t0,0,0\t4\n"}};

TEST(GeomGcn, ReadsVectorsAndSplits) {
  const TempDir dir;
  write_files(dir, kGeom);
  mask_file(dir, "x_split_0.6_0.2_10.npz", {0, 0, 1}, {0, 1, 0}, {1, 0, 0});
  mask_file(dir, "x_split_0.6_0.2_2.npz", {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  const Dataset dataset = load_geom_gcn(dir.path());
  EXPECT_EQ(arcs(dataset.graph), (Array<Edge>{{0, 1}, {2, 0}}));
  EXPECT_EQ(dataset.build.loops_dropped, 1);
  EXPECT_EQ(dense(dataset.features), (Rows{{1, 0, 1}, {0, 1, 0}, {0, 0, 0}}));
  EXPECT_EQ(dataset.label, (std::vector<int32_t>{1, 0, 1}));
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"0", "4"}));
  ASSERT_EQ(dataset.splits.size(), 2u);
  EXPECT_EQ(dataset.splits[0].name, "geom-gcn 2");  // by number, not by alphabet
  EXPECT_EQ(dataset.splits[1].train, (std::vector<NodeId>{2}));
  EXPECT_TRUE(dataset.remarks.empty());
}

TEST(GeomGcn, ReadsListsOfColumnsAsFilmHas) {
  const TempDir dir;
  write_files(dir, kGeom);
  dir.file("out1_node_feature_label.txt",
           "id\tfeature\tlabel\n0\t1,0,931\t0\n1\t0,1\t1\n2\t5\t0\n");
  const Dataset dataset = load_geom_gcn(dir.path());
  EXPECT_EQ(num_features(dataset.features), 932);
  const Csr& pattern = std::get<SparseMatrix>(dataset.features).pattern;
  EXPECT_EQ(pattern.index, (Array<NodeId>{0, 1, 931, 0, 1, 5}));
}

TEST(GeomGcn, SaysWhatIsWrong) {
  const std::string nodes = "out1_node_feature_label.txt", edges = "out1_graph_edges.txt";
  const auto error = [](const std::string& name, const std::string& content) {
    return error_with(kGeom, name, content, load_geom_gcn);
  };
  const std::string head = "node_id\tfeature\tlabel\n";
  EXPECT_EQ(error(nodes, ""), "D/" + nodes + ": is empty; a header line is expected");
  EXPECT_EQ(error(nodes, head), "D/" + nodes + ": has no nodes");
  EXPECT_EQ(error(nodes, head + "0\t1,0\n"),
            "D/" + nodes + ":2: expected node, features and label in 3 columns, got 2");
  EXPECT_EQ(error(nodes, head + "x\t1,0\t1\n"), "D/" + nodes + ":2: expected a node id, got \"x\"");
  EXPECT_EQ(error(nodes, head + "0\t1,?\t1\n"),
            "D/" + nodes + ":2: expected a feature, 0 or 1 or a column's number, got \"?\"");
  EXPECT_EQ(error(nodes, head + "0\t1,99999999\t1\n"),
            "D/" + nodes + ":2: expected a feature, 0 or 1 or a column's number, got \"99999999\"");
  EXPECT_EQ(error(nodes, head + "0\t1,0\t\n"), "D/" + nodes + ":2: the label is missing");
  EXPECT_EQ(error(nodes, head + "7\t1,0\t1\n"),
            "D/" + nodes + ": node 7 is outside 0 to 0, as there are 1 nodes");
  EXPECT_EQ(error(nodes, head + "0\t1,0\t1\n0\t1,0\t1\n"),
            "D/" + nodes + ": node 0 is listed twice");
  EXPECT_EQ(error(edges, "a\tb\n0\t3\n"),
            "D/" + edges + ":2: \"3\" is not a node: they are 0 to 2");
  EXPECT_EQ(error(edges, "a\tb\n0\t-1\n"),
            "D/" + edges + ":2: \"-1\" is not a node: they are 0 to 2");
  EXPECT_EQ(error(edges, "a\tb\n0\n"),
            "D/" + edges + ":2: the line has 1 columns, but the first has 2");
  EXPECT_EQ(error(edges, "a\n0\n"), "D/" + edges + ":2: expected two node ids, got 1 columns");
  EXPECT_EQ(error(edges, "(none)"), "D: the file out1_graph_edges.txt is missing");
}

TEST(GeomGcn, RefusesSplitsThatDoNotFit) {
  const TempDir dir;
  write_files(dir, kGeom);
  const std::string path = mask_file(dir, "x_split_0.6_0.2_0.npz", {1, 0}, {0, 1}, {0, 0});
  EXPECT_EQ(error_of([&] { load_geom_gcn(dir.path()); }),
            path + ": a mask has 2 entries, but there are 3 nodes");
  mask_file(dir, "x_split_0.6_0.2_0.npz", {1, 0, 0}, {1, 1, 0}, {0, 0, 1});
  EXPECT_NE(error_of([&] { load_dataset(dir.path()); }).find("uses item 0 twice"),
            std::string::npos);
  write_npz(path, {{"train_mask", numpy_array<uint8_t>(std::vector<uint8_t>{1, 0, 0}, {3})}});
  EXPECT_EQ(error_of([&] { load_geom_gcn(dir.path()); }), path + ": the array val_mask is missing");
}

TEST(GeomGcn, SurvivesDamage) {
  const TempDir dir;
  write_files(dir, kGeom);
  mask_file(dir, "x_split_0.6_0.2_0.npz", {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  EXPECT_GT(damage_every_file(dir.path(), 20, 60, [&] { return load_geom_gcn(dir.path()); }), 50);
}

// ---- Platonov

NumpyArchive platonov_arrays() {
  NumpyArchive arrays;
  arrays["node_features"] = numpy_array<float>(std::vector<float>{1, 0, 0, 0.5, 0, 0}, {3, 2});
  arrays["node_labels"] = numpy_array<int64_t>(std::vector<int64_t>{0, 1, 0}, {3});
  arrays["edges"] = numpy_array<int64_t>(std::vector<int64_t>{0, 1, 1, 2}, {2, 2});
  for (const char* name : {"train_masks", "val_masks", "test_masks"})
    arrays[name] = numpy_array<uint8_t>(std::vector<uint8_t>(6, 0), {2, 3});
  return arrays;
}

// Their directed graphs have the same keys, and list some edges both ways.
TEST(Platonov, ReadsArcsThatAreListedBothWays) {
  NumpyArchive arrays = platonov_arrays();
  arrays["edges"] = numpy_array<int64_t>(std::vector<int64_t>{0, 1, 1, 2, 2, 1, 2, 2}, {4, 2});
  EXPECT_EQ(platonov_dataset(arrays, "p.npz").graph.num_arcs(), 3);
  arrays["edges"] = numpy_array<int64_t>(std::vector<int64_t>{0, 1, 0, 1, 1, 2, 2, 2}, {4, 2});
  EXPECT_EQ(platonov_dataset(arrays, "p.npz").graph.num_arcs(), 4);
}

TEST(Platonov, ReadsAndRefuses) {
  const Dataset dataset = platonov_dataset(platonov_arrays(), "p.npz");
  EXPECT_EQ(dataset.graph.num_arcs(), 4);
  EXPECT_EQ(dense(dataset.features), (Rows{{1, 0}, {0, 0.5}, {0, 0}}));
  EXPECT_EQ(dataset.splits.size(), 2u);
  EXPECT_EQ(split_name(dataset, {}), "file");
  const auto error = [](const char* name, NumpyArray array) {
    NumpyArchive arrays = platonov_arrays();
    arrays[name] = std::move(array);
    return error_of([&] { validate(platonov_dataset(arrays, "p.npz")); });
  };
  EXPECT_EQ(error("edges", numpy_array<int64_t>(std::vector<int64_t>{0, 5}, {1, 2})),
            "p.npz: edge 0 names node 5, but the nodes are 0 to 2");
  EXPECT_EQ(error("edges", numpy_array<int64_t>(std::vector<int64_t>{0, 1, 2}, {1, 3})),
            "p.npz: edges: has the wrong shape");
  EXPECT_EQ(error("val_masks", numpy_array<uint8_t>(std::vector<uint8_t>(4, 0), {2, 2})),
            "p.npz: val_masks: has the wrong shape");
  EXPECT_EQ(error("node_features", numpy_array<float>(std::vector<float>{1}, {1, 1})),
            "p: 1 rows of features for 3 nodes");
  NumpyArchive arrays = platonov_arrays();
  arrays.erase("node_labels");
  EXPECT_EQ(error_of([&] { platonov_dataset(arrays, "p.npz"); }),
            "p.npz: the array node_labels is missing");
}

// ---- LINQS

const Files kLinqs = {{"c.cites", "p1\tp2\np2\t7\np1\tgone\n"},
                      {"c.content", "7\t0\t1\tTheory\np1\t1\t1\tAgents\np2\t0\t0\tTheory\n"}};

TEST(Linqs, ReadsCitations) {
  const TempDir dir;
  write_files(dir, kLinqs);
  const Dataset dataset = load_linqs(dir.path());
  EXPECT_EQ(arcs(dataset.graph), (Array<Edge>{{0, 2}, {2, 1}}));  // citing -> cited
  EXPECT_EQ(dataset.ids.name(1), "p1");
  EXPECT_EQ(dense(dataset.features), (Rows{{0, 1}, {1, 1}, {0, 0}}));
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"Agents", "Theory"}));
  ASSERT_EQ(dataset.remarks.size(), 1u);
  EXPECT_EQ(dataset.remarks[0], "1 citations name papers without content and are left out");
}

TEST(Linqs, SaysWhatIsWrong) {
  const auto error = [](const char* name, const char* content) {
    return error_with(kLinqs, name, content, load_linqs);
  };
  EXPECT_EQ(error("c.content", "7\t0\t2\tA\n"),
            "D/c.content:1: column 3 should be 0 or 1, not \"2\"");
  EXPECT_EQ(error("c.content", "7\t0\t1\tA\n7\t0\t1\tA\n"),
            "D/c.content:2: paper \"7\" is listed twice");
  EXPECT_EQ(error("c.content", "7\tA\n"),
            "D/c.content:1: expected an id, words and a class, got 2");
  EXPECT_EQ(error("c.content", "7\t0\t1\t\n"), "D/c.content:1: the class is missing");
  EXPECT_EQ(error("c.content", "7\t0\t1\tA\n8\t0\tA\n"),
            "D/c.content:2: the line has 3 columns, but the first has 4");
  EXPECT_EQ(error("c.cites", "a\tb\tc\n"),
            "D/c.cites:1: expected a cited and a citing paper, got 3");
  EXPECT_EQ(error("c.content", "(none)"), "D: the files NAME.cites and NAME.content are missing");
  EXPECT_NE(error("c.content", "").find("there are no papers"), std::string::npos);
}

TEST(Linqs, SurvivesDamage) {
  const TempDir dir;
  write_files(dir, kLinqs);
  EXPECT_GT(damage_every_file(dir.path(), 20, 100, [&] { return load_linqs(dir.path()); }), 30);
}

// ---- Planetoid, from the real files

TEST(Planetoid, SurvivesDamage) {
  MGNN_NEEDS_DATA();
  const TempDir dir;
  std::filesystem::copy(data_dir() + "/planetoid/Cora", dir / "Cora");
  std::filesystem::permissions(dir / "Cora", std::filesystem::perms::owner_all);
  for (const auto& entry : std::filesystem::directory_iterator(dir / "Cora"))
    std::filesystem::permissions(entry.path(), std::filesystem::perms(0644));
  EXPECT_EQ(load_planetoid(dir / "Cora").graph.num_arcs(), 10556);
  EXPECT_GT(damage_every_file(dir.path(), 6, 8, [&] { return load_planetoid(dir / "Cora"); }), 40);
}

TEST(Planetoid, SaysWhatIsWrong) {
  MGNN_NEEDS_DATA();
  const TempDir dir;
  for (const auto& entry : std::filesystem::directory_iterator(data_dir() + "/planetoid/Cora"))
    if (entry.is_regular_file())
      std::filesystem::create_symlink(std::filesystem::absolute(entry.path()),
                                      dir / entry.path().filename().string());
  const auto error = [&](const std::string& name, const std::string& content) {
    const std::string path = dir / name;
    const auto target = std::filesystem::read_symlink(path);
    std::filesystem::remove(path);
    if (content != "(none)") std::ofstream(path) << content;
    const std::string message = error_of([&] { load_planetoid(dir.path()); });
    std::filesystem::remove(path);
    std::filesystem::create_symlink(target, path);
    return message;
  };
  const auto other = [](const std::string& part) {
    return testing::content_of(data_dir() + "/planetoid/CiteSeer/ind.citeseer." + part);
  };
  const std::string index = dir / "ind.cora.test.index";
  EXPECT_EQ(error("ind.cora.ty", "(none)"), dir.path() + ": the file ind.cora.ty is missing");
  EXPECT_EQ(error("ind.cora.graph", "(none)"),
            dir.path() + ": the file ind.<name>.graph is missing");
  EXPECT_EQ(error("ind.cora.test.index", "1708\n1708\n"),
            index + ":2: test node 1708 is listed twice");
  EXPECT_EQ(error("ind.cora.test.index", "1708\n"),
            index + ": lists 1 test nodes, but tx has 1000 rows");
  EXPECT_EQ(error("ind.cora.test.index", "5\n"),
            index + ":1: test node 5 is outside 1708 to 3708, where 1000 test rows can belong");
  EXPECT_EQ(error("ind.cora.test.index", "9223372036854775807\n"),
            index +
                ":1: test node 9223372036854775807 is outside 1708 to 3708, where 1000 test rows "
                "can belong");
  EXPECT_EQ(error("ind.cora.test.index", "1708 1709\n"),
            index + ":1: expected one node id, got 2 numbers");
  EXPECT_EQ(error("ind.cora.tx", other("tx")),
            dir.path() + ": x, tx and allx have 1433, 3703 and 1433 columns");
  EXPECT_EQ(error("ind.cora.ally", other("ally")),
            dir / "ind.cora.ty" + ": has 7 classes, but another file has 6");
  EXPECT_EQ(error("ind.cora.y", testing::content_of(data_dir() + "/planetoid/Cora/ind.cora.ty")),
            dir.path() + ": x has 140 rows, but y has 1000");
  EXPECT_NE(error("ind.cora.graph", other("graph")).find("but the nodes are 0 to 2707"),
            std::string::npos);
}

}  // namespace
}  // namespace mgnn
