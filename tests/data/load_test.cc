#include "mgnn/data/load.h"

#include <cmath>
#include <map>

#include "mgnn/base/sha256.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/embedded.h"
#include "mgnn/data/locate.h"
#include "mgnn/io/numpy.h"
#include "tests/data/archives.h"
#include "tests/data/http_server.h"
#include "tests/data/same_dataset.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::content_of, testing::error_of, testing::HttpRequest, testing::HttpResponse,
    testing::HttpServer, testing::TempDir;

// Sets a variable of the environment for one test.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  ~Setting() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

const std::string kCites = "1\t2\n", kContent = "1\t0\tA\n2\t1\tB\n";

void put_cora(const TempDir& dir, const std::string& below = "") {
  dir.file(below + "linqs/cora/cora.cites", kCites);
  dir.file(below + "linqs/cora/cora.content", kContent);
}

// ---- names

TEST(Load, LooksInOrder) {
  const TempDir first, second, cache;
  const Setting data("MGNN_DATA_DIR", second.path()), home("XDG_CACHE_HOME", cache.path());
  const DatasetEntry entry = *find_dataset_entry("cora-directed");
  const LoadOptions options = {.data_dir = first.path(), .download = false};
  EXPECT_EQ(data_folders(options),
            (std::vector<std::string>{first.path(), second.path(), cache / "mgnn"}));
  EXPECT_FALSE(dataset_folder(entry, options));
  EXPECT_EQ(error_of([&] { load_dataset("cora-directed", options); }),
            "cora-directed is not here: its files are not in " + first.path() + "/linqs/cora");
  put_cora(cache, "mgnn/");
  EXPECT_EQ(*dataset_folder(entry, options), cache / "mgnn/linqs/cora");
  put_cora(second);
  EXPECT_EQ(*dataset_folder(entry, options), second / "linqs/cora");
  put_cora(first);
  EXPECT_EQ(*dataset_folder(entry, options), first / "linqs/cora");
  const Dataset dataset = load_dataset("Cora-Directed", options);
  EXPECT_EQ(dataset.graph.num_arcs(), 1);
  EXPECT_EQ(dataset.name, "cora-directed");
}

TEST(Load, KnowsEmbeddedDatasets) {
  for (const std::string& name : embedded_names()) {
    testing::expect_same(load_dataset(name, {.seed = 4}), embedded_dataset(name, 4));
    EXPECT_EQ(*dataset_folder(*find_dataset_entry(name)), "");
  }
  EXPECT_NE(
      error_of([] { download_dataset(*find_dataset_entry("karate")); }).find("nothing to download"),
      std::string::npos);
}

TEST(Load, SuggestsNames) {
  EXPECT_EQ(error_of([] { load_dataset("coar"); }),
            "there is no dataset or file named \"coar\"; did you mean cora?");
  EXPECT_EQ(error_of([] { load_dataset("PROTEIN"); }),
            "there is no dataset or file named \"PROTEIN\"; did you mean PROTEINS?");
  EXPECT_EQ(error_of([] { load_dataset("zzzzzzzzzzz"); }),
            "there is no dataset or file named \"zzzzzzzzzzz\"");
  EXPECT_EQ(error_of([] { load_dataset("no/such.tsv"); }), "no/such.tsv: no such file or folder");
}

TEST(Load, FindsTuSetsOfAnyNameThatAreHere) {
  const TempDir dir;
  dir.file("tu/MINE_2/MINE_2_A.txt", "1, 2\n2, 1\n");
  dir.file("tu/MINE_2/MINE_2_graph_indicator.txt", "1\n1\n");
  const LoadOptions options = {.data_dir = dir.path(), .download = false};
  EXPECT_EQ(load_dataset("MINE_2", options).graph.num_arcs(), 2);
  EXPECT_EQ(load_dataset("tu:MINE_2", options).num_graphs(), 1);
}

TEST(Load, ReadsAirportsAndArchivesByName) {
  const TempDir dir;
  dir.file("struc2vec/brazil-airports.edgelist", "10 20\n20 30\n30 10\n30 30\n");
  dir.file("struc2vec/labels-brazil-airports.txt", "node label\n10 1\n30 0\n20 1\n");
  const LoadOptions options = {.data_dir = dir.path(), .download = false};
  const Dataset airports = load_dataset("brazil-airports", options);
  EXPECT_EQ(airports.graph.num_arcs(), 6);
  EXPECT_EQ(airports.label, (std::vector<int32_t>{1, 1, 0}));
  dir.file("heterophilous/x", "");
  write_npz(dir / "heterophilous/minesweeper.npz",
            {{"edges", numpy_array<int64_t>(std::vector<int64_t>{0, 1, 1, 2}, {2, 2})},
             {"node_features", numpy_array<float>(std::vector<float>{1, 2, 3}, {3, 1})},
             {"node_labels", numpy_array<int64_t>(std::vector<int64_t>{0, 1, 0}, {3})}});
  const Dataset grid = load_dataset("minesweeper", options);
  EXPECT_EQ(grid.name, "minesweeper");
  EXPECT_EQ(grid.graph.num_arcs(), 4);
}

// ---- files

TEST(Load, ReadsGraphFilesByContentAndEnding) {
  const TempDir dir;
  EXPECT_EQ(load_dataset(dir.file("a.csv", "from,to\nx,y\ny,z\n")).graph.num_arcs(), 2);
  EXPECT_EQ(load_dataset(dir.file("a.csv", "from,to\nx,y\ny,z\n")).name, "a");
  EXPECT_EQ(
      load_dataset(dir.file("b", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 3\n"))
          .graph.num_nodes(),
      3);
  write_npz(dir / "c.npz",
            {{"edge_index", numpy_array<int64_t>(std::vector<int64_t>{0, 1, 1, 2}, {2, 2})},
             {"x", numpy_array<float>(std::vector<float>{1, 2, 3, 4}, {4, 1})},
             {"y", numpy_array<int64_t>(std::vector<int64_t>{0, 3, -1, 0}, {4})},
             {"train_mask", numpy_array<bool>(std::array{true, false, false, false}, {4})},
             {"edge_attr", numpy_array<int64_t>(std::array<int64_t, 2>{5, 6}, {2})},
             {"val_mask", numpy_array<bool>(std::array{false, true, false, false}, {4})},
             {"test_mask", numpy_array<bool>(std::array{false, false, false, true}, {4})}});
  const Dataset c = load_dataset(dir / "c.npz");
  EXPECT_NE(c.remarks.back().find("arrays that are not used: \"edge_attr\""), std::string::npos);
  EXPECT_EQ(c.graph.num_nodes(), 4);
  EXPECT_EQ(c.label, (std::vector<int32_t>{0, 1, -1, 0}));
  EXPECT_EQ(num_features(c.features), 1);
  ASSERT_EQ(c.splits.size(), 1u);
  EXPECT_EQ(c.splits[0].test, (std::vector<NodeId>{3}));
  write_npy(dir / "d.npy", numpy_array<int32_t>(std::vector<int32_t>{0, 1, 0, 2, 5, 0}, {3, 2}));
  EXPECT_EQ(load_dataset(dir / "d.npy").graph.num_arcs(), 3);
  EXPECT_NE(error_of([&] { load_dataset(dir.file("e.npz", "0 1\n")); }), "");
  EXPECT_NE(error_of([&] { load_dataset(dir.file("f.mtx", "0 1\n")); }), "");
  EXPECT_NE(error_of([&] { load_dataset(dir.path()); }).find("no dataset in a known layout"),
            std::string::npos);
}

// Masks (n, splits), and a mask (n) beside them that serves all.
TEST(Load, NumpyMasksOfSeveralSplits) {
  const TempDir dir;
  const auto edges = numpy_array<int64_t>(std::vector<int64_t>{0, 1, 1, 2}, {2, 2});
  const auto train = numpy_array<bool>(std::array{true, false, false, true, false, false}, {3, 2});
  const auto validation =
      numpy_array<bool>(std::array{false, true, true, false, false, false}, {3, 2});
  const auto test = numpy_array<bool>(std::array{false, false, true}, {3});
  const std::string path = dir / "m.npz";
  write_npz(path, {{"edge_index", edges},
                   {"train_mask", train},
                   {"val_mask", validation},
                   {"test_mask", test}});
  const Dataset d = load_dataset(path);
  ASSERT_EQ(d.splits.size(), 2u);
  EXPECT_EQ(d.splits[1].name, "file 1");
  for (size_t s = 0; s < 2; s++) {
    EXPECT_EQ(d.splits[s].train, (std::vector<NodeId>{NodeId(s)}));
    EXPECT_EQ(d.splits[s].validation, (std::vector<NodeId>{NodeId(1 - s)}));
    EXPECT_EQ(d.splits[s].test, (std::vector<NodeId>{2}));
  }
  EXPECT_EQ(d.reading, "NumPy archive with 2 splits");
  write_npz(path, {{"edge_index", edges},
                   {"train_mask", train},
                   {"val_mask", numpy_array<uint8_t>(std::vector<uint8_t>(9, 0), {3, 3})}});
  EXPECT_EQ(error_of([&] { load_dataset(path); }), path + ": masks have 2 and 3 splits");
}

// Whatever the file is, one line says what was found in it.
TEST(Load, EveryFileIsDescribed) {
  const TempDir dir;
  const Dataset d = load_dataset("toykg");
  for (const char* name : {"a.safetensors", "a.npz", "a.mtx", "a.tsv", "a.csv", "a.txt"}) {
    write_graph_file(dir / name, d);
    EXPECT_NE(load_dataset(dir / name).reading, "") << name;
  }
  EXPECT_EQ(load_dataset(dir / "a.npz").reading, "NumPy archive, arcs alone");
}

TEST(Load, AppliesBuildOptions) {
  const TempDir dir;
  const std::string path =
      dir.file("w.tsv",
               "from\tto\trelation\tweight\na\tb\tr\t2\nb\ta\ts\t3\nc\tc\tr\t1\n"
               "a\td\tr\t4\n");
  LoadOptions options;
  options.undirected = options.largest_component = true;
  const Dataset direct = load_dataset(path, options);
  EXPECT_EQ(direct.graph.num_nodes(), 3);  // without c
  EXPECT_EQ(direct.build.nodes_dropped, 1);
  EXPECT_EQ(arcs(direct.graph), (Array<Edge>{{0, 1}, {0, 2}, {1, 0}, {2, 0}}));
  EXPECT_EQ(direct.arc_weight, (Array<float>{5, 4, 5, 4}));
  ASSERT_EQ(direct.relations.size(), 2u);
  EXPECT_EQ(direct.relations[0].edges, (Array<Edge>{{0, 1}, {0, 2}}));
  EXPECT_EQ(direct.ids.name(2), "d");
  // By way of a dataset file the same.
  write_graph_file(dir / "w.safetensors", load_dataset(path));
  Dataset rebuilt = load_dataset(dir / "w.safetensors", options);
  EXPECT_EQ(rebuilt.arc_weight, direct.arc_weight);
  EXPECT_EQ(rebuilt.graph.out.index, direct.graph.out.index);
  EXPECT_NE(error_of([&] { load_dataset("triads", options); }).find("has many graphs"),
            std::string::npos);
}

// Everything is cut to fit: compared with a plain look-up by name.
TEST(Load, CutsAllPartsToTheLargestComponent) {
  const Dataset whole = embedded_dataset("toykg", 1);
  const Dataset part = largest_component(whole);
  validate(part);
  std::map<std::string, NodeId> old;
  for (NodeId u = 0; u < whole.graph.num_nodes(); u++) old[whole.ids.name(u)] = u;
  for (NodeId u = 0; u < part.graph.num_nodes(); u++) {
    const NodeId v = old.at(part.ids.name(u));
    EXPECT_EQ(part.node_type[size_t(u)], whole.node_type[size_t(v)]);
    EXPECT_EQ(part.graph.out.row_size(u), whole.graph.out.row_size(v));
  }
}

TEST(Load, KeepsTheLargestComponent) {
  Dataset whole;
  whole.graph = make_graph(7, {{0, 1}, {4, 2}, {2, 6}});
  const Dataset part = largest_component(whole);
  EXPECT_EQ(part.build.nodes_dropped, 4);
  EXPECT_EQ(arcs(part.graph), (Array<Edge>{{0, 2}, {1, 0}}));
  EXPECT_EQ(part.ids.name(1), "4");
  EXPECT_EQ(largest_component(Dataset()).graph.num_nodes(), 0);
  whole.graph = make_graph(3, {});
  EXPECT_EQ(largest_component(whole).graph.num_nodes(), 1);
}

TEST(Load, WritesWhatItReads) {
  const TempDir dir;
  const Dataset dataset =
      load_dataset(dir.file("w.tsv", "from\tto\tweight\nana\tbob\t2\nbob\tcy\t0.5\ncy\tana\t1\n"));
  for (const std::string name : {"o.tsv", "o.csv", "o.txt", "o.npz", "o.safetensors", "o.tsv.gz"}) {
    SCOPED_TRACE(name);
    write_graph_file(dir / name, dataset);
    LoadOptions options;
    options.edge_list.weight_column =
        name.ends_with("npz") || name.ends_with("safetensors") ? "" : "3";
    const Dataset back = load_dataset(dir / name, options);
    EXPECT_EQ(back.graph.out.index, dataset.graph.out.index);
    EXPECT_EQ(back.arc_weight, dataset.arc_weight);
    EXPECT_EQ(back.ids.name(1), "bob");
  }
  write_graph_file(dir / "o.mtx", dataset);
  EXPECT_EQ(load_dataset(dir / "o.mtx").arc_weight, dataset.arc_weight);
  write_graph_file(dir / "plain", dataset, {.format = "csv"});
  EXPECT_NE(content_of(dir / "plain").find("ana,bob"), std::string::npos);
  EXPECT_NE(error_of([&] { write_graph_file(dir / "o.xyz", dataset); }).find("is not a format"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              write_graph_file(dir / "o.safetensors.gz", dataset);
            }).find("plain files only"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              write_graph_file(dir / "o.tsv", dataset, {.overwrite = false});
            }).find("exists already"),
            std::string::npos);
}

// ---- downloads

DatasetEntry served_cora(const HttpServer& server, const std::string& file, bool archive,
                         const std::string& sum = "") {
  DatasetEntry entry = *find_dataset_entry("cora-directed");
  entry.files = {{file, server.url("/data/" + file), sum, archive}};
  return entry;
}

TEST(LoadDownload, FetchesAndUnpacksAnArchive) {
  const TempDir dir;
  testing::write_archive(dir / "a.tar.gz", {{.path = "cora/cora.cites", .content = kCites},
                                            {.path = "cora/cora.content", .content = kContent}});
  const std::string body = content_of(dir / "a.tar.gz");
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{.body = body}; });
  const LoadOptions options = {.data_dir = dir / "data"};
  const DatasetEntry entry = served_cora(server, "cora.tgz", true, sha256_of(body));
  EXPECT_EQ(download_dataset(entry, options), dir / "data/linqs/cora");
  EXPECT_EQ(entry.load(entry, dir / "data/linqs/cora", {}).graph.num_arcs(), 1);
  EXPECT_FALSE(file_exists(dir / "data/linqs/cora.tgz"));
  download_dataset(entry, options);
  EXPECT_EQ(server.requests().size(), 1u);  // it was there
  download_dataset(entry, options, true);
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST(LoadDownload, FetchesPlainFilesOnce) {
  const TempDir dir;
  const HttpServer server([&](const HttpRequest& request) {
    return HttpResponse{.body = request.path.ends_with("cites") ? kCites : kContent};
  });
  DatasetEntry entry = served_cora(server, "cora.cites", false);
  entry.files.push_back({"cora.content", server.url("/cora.content"), "", false});
  dir.file("linqs/cora/cora.cites", kCites);
  download_dataset(entry, {.data_dir = dir.path()});
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(content_of(dir / "linqs/cora/cora.content"), kContent);
}

TEST(LoadDownload, RefusesHostileArchives) {
  const TempDir dir;
  testing::write_archive(dir / "a.zip", {{.path = "../../evil", .content = "x"}});
  const std::string body = content_of(dir / "a.zip");
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{.body = body}; });
  const std::string error = error_of(
      [&] { download_dataset(served_cora(server, "cora.zip", true), {.data_dir = dir / "data"}); });
  EXPECT_NE(error.find("would leave the folder"), std::string::npos) << error;
  EXPECT_TRUE(std::filesystem::is_empty(dir / "data/linqs"));
  EXPECT_FALSE(file_exists(dir / "evil"));
}

TEST(LoadDownload, SaysWhatToDoByHand) {
  const TempDir dir;
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{.status = 404}; });
  const DatasetEntry entry = served_cora(server, "cora.tgz", true);
  EXPECT_EQ(error_of([&] { download_dataset(entry, {.data_dir = dir.path()}); }),
            server.url("/data/cora.tgz") +
                ": cannot be downloaded: the server says 404; if it cannot be downloaded, put the "
                "content of cora.tgz (from " +
                server.url("/data/") + ") into " + dir.path() + "/linqs/cora");
  const Setting offline("MGNN_OFFLINE", "1");
  const Setting data("MGNN_DATA_DIR", dir / "none");
  const std::string error = error_of([&] { load_dataset("texas", {.data_dir = dir.path()}); });
  EXPECT_EQ(error.find("texas is not here, and MGNN_OFFLINE forbids to download it; put "), 0u)
      << error;
  EXPECT_NE(error.find("out1_graph_edges.txt, out1_node_feature_label.txt (from https://"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("10 files (from https://"), std::string::npos) << error;
  EXPECT_NE(error.find("into " + dir.path() + "/geom-gcn/texas"), std::string::npos) << error;
}

TEST(LoadDownload, SaysIfFilesAreMissingAfterwards) {
  const TempDir dir;
  testing::write_archive(dir / "a.zip", {{.path = "other", .content = "x"}});
  const std::string body = content_of(dir / "a.zip");
  const HttpServer server([&](const HttpRequest&) { return HttpResponse{.body = body}; });
  EXPECT_NE(error_of([&] {
              download_dataset(served_cora(server, "cora.zip", true), {.data_dir = dir / "data"});
            }).find("was downloaded, but files are missing"),
            std::string::npos);
}

TEST(LoadDataset, NanInNumpyFilesIsRefusedAsInTables) {
  const TempDir dir;
  const std::vector<int64_t> ends = {0, 1, 1, 2};
  write_npz(dir / "g.npz",
            {{"edge_index", numpy_array<int64_t>(ends, {2, 2})},
             {"x", numpy_array<float>(std::vector<float>{1, 2, 3, NAN, 5, 6}, {3, 2})}});
  EXPECT_EQ(error_of([&] { load_dataset(dir / "g.npz", {}); }),
            dir /
                "g.npz: x: row 1, column 1 (counted from 0) is not a finite number; fill it or "
                "leave it out");
}

}  // namespace
}  // namespace mgnn
