#include "mgnn/data/dataset_file.h"

#include "mgnn/data/embedded.h"
#include "mgnn/data/load.h"
#include "mgnn/io/hdf5.h"
#include "tests/data/same_dataset.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::data_dir, testing::error_of, testing::expect_same,
    testing::TempDir;

TEST(DatasetFile, KeepsEmbeddedDatasets) {
  const TempDir dir;
  for (const std::string& name : embedded_names()) {
    SCOPED_TRACE(name);
    const Dataset dataset = embedded_dataset(name, 3);
    write_dataset_file(dir / "d.h5", dataset);
    expect_same(read_dataset_file(dir / "d.h5"), dataset);
  }
}

TEST(DatasetFile, KeepsRealDatasets) {
  MGNN_NEEDS_DATA();
  const TempDir dir;
  for (const std::string name : {"citeseer", "mutag", "enzymes", "texas", "wiki-vote"}) {
    SCOPED_TRACE(name);
    const Dataset dataset = load_dataset(name, {.data_dir = data_dir(), .download = false});
    write_graph_file(dir / "d.h5", dataset);
    expect_same(read_graph_file(dir / "d.h5"), dataset);
  }
}

TEST(DatasetFile, KeepsEmptyAndOddParts) {
  const TempDir dir;
  Dataset dataset;
  dataset.name = "odd";
  expect_same((write_dataset_file(dir / "d.h5", dataset), read_dataset_file(dir / "d.h5")),
              dataset);
  dataset.graph = make_graph(2, {{0, 1}});
  dataset.arc_weight = {2.5f};
  dataset.features = Matrix(2, 0);
  dataset.ids.push_back("ä b");
  dataset.ids.push_back("");
  dataset.label = {-1, 0};
  dataset.class_names = {"only\tone"};
  dataset.target = {0.1, std::nan("")};
  dataset.relations = {{"none", {}}, {"loop", {{1, 1}}}};
  dataset.splits = {{"empty", {}, {}, {}}, {"s", {1}, {}, {0}}};
  dataset.remarks = {"one", "two"};
  dataset.build = {5, 1, 2, 3};
  expect_same((write_dataset_file(dir / "d.h5", dataset), read_dataset_file(dir / "d.h5")),
              dataset);
}

// Files that are sound as HDF5, but not as datasets.
TEST(DatasetFile, RefusesPartsThatDoNotFit) {
  const TempDir dir;
  const std::string path = dir / "d.h5";
  const auto error = [&](const std::function<void(Hdf5Writer&)>& change, bool with_graph = true) {
    Hdf5Writer file(path);
    file.attribute("format", std::string("mgnn dataset"));
    file.attribute("version", int64_t(1));
    file.attribute("name", std::string("x"));
    file.attribute("features_from", std::string(""));
    if (with_graph) {
      file.attribute("graph_columns", int64_t(2));
      file.write<int64_t>("graph/start", std::vector<int64_t>{0, 1, 1});
      file.write<int32_t>("graph/index", std::vector<int32_t>{1});
    }
    file.write<int64_t>("build", std::vector<int64_t>{1, 0, 0, 0});
    file.write<int64_t>("relations/start", std::vector<int64_t>{0});
    file.write<int64_t>("splits/start", std::vector<int64_t>{0});
    change(file);
    file.commit();
    return error_of([&] { read_dataset_file(path); });
  };
  const auto graph = [&](int64_t columns, std::vector<int64_t> start, std::vector<int32_t> index) {
    return error(
        [&](Hdf5Writer& file) {
          file.attribute("graph_columns", columns);
          file.write<int64_t>("graph/start", start);
          file.write<int32_t>("graph/index", index);
        },
        false);
  };
  EXPECT_EQ(error([](Hdf5Writer&) {}), "");
  EXPECT_EQ(graph(2, {0, 2, 1}, {1, 0}), path + ": graph: the starts of its rows are wrong");
  EXPECT_EQ(graph(2, {0, 9, 1}, {1}), path + ": graph: the starts of its rows are wrong");
  EXPECT_EQ(graph(2, {0, 1, 1}, {5}),
            path + ": graph: the columns of row 0 do not ascend within 0 to 1");
  EXPECT_EQ(graph(3, {0, 1, 1}, {1}), path + ": the graph is not square");
  EXPECT_EQ(graph(2, {0, 1, 1}, {0}), path + ": the graph has a loop at node 0");
  EXPECT_EQ(graph(int64_t(1) << 40, {0, 1, 1}, {0}),
            path + ": graph: has 2 rows and 1099511627776 columns, which is too many");
  EXPECT_EQ(error([](Hdf5Writer& f) { f.write<int64_t>("ids/number", std::vector<int64_t>{1}); }),
            path + ": there are not as many ids as the 2 nodes");
  EXPECT_EQ(error([](Hdf5Writer& f) { f.write<int32_t>("label", std::vector<int32_t>{0}); }),
            "x: 1 labels for 2 nodes");
  EXPECT_EQ(error([](Hdf5Writer& f) {
              f.attribute("feature_rows", int64_t(1) << 62);
              f.attribute("feature_columns", int64_t(16));
            }),
            path + ": the features are not of the stated size");
  EXPECT_EQ(error([](Hdf5Writer& f) { f.write("splits/name", std::vector<std::string>{"a"}); }),
            path + ": the splits do not fit");
  EXPECT_EQ(error([](Hdf5Writer& f) { f.write("relations/name", std::vector<std::string>{"a"}); }),
            path + ": the relations do not fit each other");
}

TEST(DatasetFile, RefusesOtherFiles) {
  const TempDir dir;
  const std::string path = dir / "other.h5";
  {
    Hdf5Writer file(path);
    file.attribute("format", std::string("something else"));
    file.commit();
  }
  EXPECT_EQ(error_of([&] { read_dataset_file(path); }),
            path + ": is an HDF5 file, but not a dataset of mgnn");
  {
    Hdf5Writer file(path);
    file.attribute("format", std::string("mgnn dataset"));
    file.attribute("version", int64_t(99));
    file.commit();
  }
  EXPECT_EQ(error_of([&] { read_dataset_file(path); }),
            path + ": has version 99 of the format, this program reads 1");
  EXPECT_NE(error_of([&] { read_graph_file(dir.file("x.h5", "no such thing")); }), "");
}

TEST(DatasetFile, SurvivesDamage) {
  const TempDir dir;
  const std::string path = dir / "d.h5";
  write_dataset_file(path, embedded_dataset("karate", 0));
  const std::string whole = content_of(path);
  Rng rng(5);
  for (int i = 0; i < 60; i++) {
    std::string bad = whole;
    if (i % 2 == 0)
      bad[rng.below(bad.size())] = char(rng.next());
    else
      bad.resize(rng.below(bad.size()));
    dir.file("bad.h5", bad);
    if (bad != whole) {
      EXPECT_NE(error_of([&] { read_dataset_file(dir / "bad.h5"); }), "");
    }
  }
}

}  // namespace
}  // namespace mgnn
