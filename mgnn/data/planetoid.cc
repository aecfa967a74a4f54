// Rows of allx and ally are nodes 0, 1, …; row k of tx and ty is node test.index[k]. Test ids begin
// where allx ends and may have gaps.
//
// Yang, Cohen, Salakhutdinov. "Revisiting Semi-Supervised Learning with Graph Embeddings", ICML
// 2016.

#include "mgnn/data/planetoid.h"

#include <algorithm>
#include <numeric>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/data/layout.h"
#include "mgnn/io/pickle.h"

namespace mgnn {
namespace {

constexpr NodeId kPublicValidation = 500;

struct PlanetoidFiles {
  std::string base;  // folder/ind.<name>.
  SparseMatrix tx, allx;
  std::vector<int32_t> y, ty, ally;  // -1 where a row has no class
  int num_classes = 0;
  std::vector<NodeId> test;  // node of each row of tx
  NodeId num_nodes = 0;
};

SparseMatrix read_features(const std::string& path) {
  const FileBytes bytes = read_bytes(path);
  return parse_pickled_csr_matrix(bytes.view(), path);
}

// One-hot rows -> classes.
std::vector<int32_t> read_labels(const std::string& path, int& num_classes) {
  const FileBytes bytes = read_bytes(path);
  const NumpyArray array = parse_pickled_array(bytes.view(), path);
  if (array.shape.size() != 2)
    fail_data("{}: the labels should be a matrix of rows and classes", path);
  const int64_t rows = array.shape[0], classes = array.shape[1];
  if (num_classes != 0 && classes != num_classes)
    fail_data("{}: has {} classes, but another file has {}", path, classes, num_classes);
  if (classes < 1 || classes > 100'000) fail_data("{}: has {} classes", path, classes);
  num_classes = int(classes);
  const Array<int64_t> value = array.integers(path);
  std::vector<int32_t> label(size_t(rows), -1);
  for (int64_t r = 0; r < rows; r++)
    for (int64_t c = 0; c < classes; c++) {
      const int64_t v = value[r * classes + c];
      if (v == 0) continue;
      if (v != 1 || label[r] != -1)
        fail_data("{}: row {} is not the code of one class (a single 1)", path, r);
      label[r] = int32_t(c);
    }
  return label;
}

std::vector<NodeId> read_test_index(const std::string& path, NodeId first, NodeId rows) {
  std::vector<NodeId> test;
  // Ids may have gaps, but no more than there are rows: a wild one must not cost memory.
  const int64_t bound = int64_t(first) + 2 * int64_t(rows) + 1;
  std::vector<bool> seen(size_t(bound - first), false);
  each_number_row<int64_t>(path, [&](const LineReader& reader, std::span<const int64_t> row) {
    if (row.size() != 1) reader.fail("expected one node id, got {} numbers", row.size());
    if (row[0] < first || row[0] >= bound)
      reader.fail("test node {} is outside {} to {}, where {} test rows can belong", row[0], first,
                  bound - 1, rows);
    if (seen[row[0] - first]) reader.fail("test node {} is listed twice", row[0]);
    seen[row[0] - first] = true;
    test.push_back(NodeId(row[0]));
  });
  if (int64_t(test.size()) != rows)
    fail_data("{}: lists {} test nodes, but tx has {} rows", path, test.size(), rows);
  return test;
}

PlanetoidFiles read_files(const std::string& folder, const std::string& name) {
  PlanetoidFiles files;
  files.base = "ind." + name + ".";
  const auto path = [&](const char* part) { return need_file(folder, files.base + part); };
  files.allx = read_features(path("allx"));
  files.tx = read_features(path("tx"));
  const SparseMatrix x = read_features(path("x"));
  files.ally = read_labels(path("ally"), files.num_classes);
  files.ty = read_labels(path("ty"), files.num_classes);
  files.y = read_labels(path("y"), files.num_classes);
  const auto fit = [&](const char* a, int64_t rows_a, const char* b, int64_t rows_b) {
    if (rows_a != rows_b)
      fail_data("{}: {} has {} rows, but {} has {}", folder, a, rows_a, b, rows_b);
  };
  fit("allx", files.allx.pattern.rows, "ally", int64_t(files.ally.size()));
  fit("tx", files.tx.pattern.rows, "ty", int64_t(files.ty.size()));
  fit("x", x.pattern.rows, "y", int64_t(files.y.size()));
  if (files.tx.pattern.cols != files.allx.pattern.cols || x.pattern.cols != files.allx.pattern.cols)
    fail_data("{}: x, tx and allx have {}, {} and {} columns", folder, x.pattern.cols,
              files.tx.pattern.cols, files.allx.pattern.cols);
  if (x.pattern.rows > files.allx.pattern.rows)
    fail_data("{}: x has more rows than allx, whose beginning it should be", folder);
  files.test = read_test_index(path("test.index"), files.allx.pattern.rows, files.tx.pattern.rows);
  files.num_nodes = files.allx.pattern.rows;
  for (const NodeId node : files.test) files.num_nodes = std::max(files.num_nodes, node + 1);
  return files;
}

// For every node its row of tx, or -1.
std::vector<NodeId> test_rows(const PlanetoidFiles& files) {
  std::vector<NodeId> row(size_t(files.num_nodes), -1);
  for (size_t k = 0; k < files.test.size(); k++) row[files.test[k]] = NodeId(k);
  return row;
}

SparseMatrix stack_features(const PlanetoidFiles& files, const std::vector<NodeId>& test_row) {
  SparseRows rows;
  const auto append = [&](const SparseMatrix& from, NodeId r) {
    for (Offset e = from.pattern.start[r]; e < from.pattern.start[r + 1]; e++)
      rows.push(from.pattern.index[e], from.value[e]);
  };
  for (NodeId u = 0; u < files.num_nodes; u++) {
    if (u < files.allx.pattern.rows)
      append(files.allx, u);
    else if (test_row[u] >= 0)
      append(files.tx, test_row[u]);
    rows.end_row();
  }
  return rows.finish(files.allx.pattern.cols);
}

Split public_split(const PlanetoidFiles& files) {
  Split split{.name = "public", .train = {}, .validation = {}, .test = files.test};
  const NodeId train = NodeId(files.y.size());
  const NodeId end = std::min(train + kPublicValidation, files.allx.pattern.rows);
  for (NodeId u = 0; u < end; u++) (u < train ? split.train : split.validation).push_back(u);
  std::sort(split.test.begin(), split.test.end());
  return split;
}

Array<Edge> read_arcs(const std::string& path, NodeId num_nodes) {
  const FileBytes bytes = read_bytes(path);
  Array<Edge> edges = parse_pickled_adjacency(bytes.view(), path);
  for (const Edge& e : edges)
    if (e.from < 0 || e.to < 0 || e.from >= num_nodes || e.to >= num_nodes)
      fail_data("{}: lists {} -> {}, but the nodes are 0 to {}", path, e.from, e.to, num_nodes - 1);
  return edges;
}

}  // namespace

std::string planetoid_name(const std::string& folder) {
  for (const std::string& name : file_names(folder))
    if (name.starts_with("ind.") && name.ends_with(".graph") && name.size() > 10)
      return name.substr(4, name.size() - 10);
  return "";
}

Dataset load_planetoid(const std::string& folder) {
  const std::string name = planetoid_name(folder);
  if (name.empty()) fail_data("{}: the file ind.<name>.graph is missing", folder);
  const PlanetoidFiles files = read_files(folder, name);
  const std::vector<NodeId> test_row = test_rows(files);

  Dataset dataset;
  dataset.name = name;
  BuiltGraph built = build_graph(
      files.num_nodes, read_arcs(need_file(folder, files.base + "graph"), files.num_nodes));
  dataset.graph = std::move(built.graph);
  dataset.build = built.stats;
  dataset.features = stack_features(files, test_row);
  dataset.features_from = "bag of words";
  dataset.label = files.ally;
  for (NodeId u = files.allx.pattern.rows; u < files.num_nodes; u++)
    dataset.label.push_back(test_row[u] < 0 ? -1 : files.ty[test_row[u]]);
  for (int c = 0; c < files.num_classes; c++) dataset.class_names.push_back(fmt::format("{}", c));

  dataset.splits = {public_split(files)};
  for (Split& split : read_geom_splits(folder + "/geom_splits", files.num_nodes))
    dataset.splits.push_back(std::move(split));
  const int64_t missing = files.num_nodes - files.allx.pattern.rows - int64_t(files.test.size());
  if (missing > 0)
    dataset.remarks.push_back(fmt::format(
        "{} of the {} nodes have no row in the files: their features are zero, their label unknown",
        missing, human_count(files.num_nodes)));
  return dataset;
}

}  // namespace mgnn
