// Pei et al. "Geom-GCN: Geometric Graph Convolutional Networks", ICLR 2020.
// Platonov et al. "A critical look at the evaluation of GNNs under heterophily", ICLR 2023.

#include "mgnn/data/geom_gcn.h"

#include <algorithm>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/base/sha256.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/layout.h"

namespace mgnn {
namespace {

constexpr const char* kEdges = "out1_graph_edges.txt";
constexpr const char* kNodes = "out1_node_feature_label.txt";
// Of texas/out1_node_feature_label.txt, which upstream also has under cornell/.
constexpr const char* kTexasNodes =
    "cf5a3ca346cdd1210b8342e22517fcbbdae658065b7a3145f59350e50e6236a3";

struct NodeRows {
  std::string path;
  FileBytes bytes;                        // the labels are views into it
  std::vector<NodeId> id;                 // of each line
  std::vector<std::string_view> label;    // of each line
  std::vector<std::vector<NodeId>> list;  // what stands in the feature column
  bool texas = false;
};

std::vector<NodeId> parse_list(const LineReader& reader, std::string_view text) {
  constexpr NodeId kMaxColumns = 1 << 24;
  std::vector<NodeId> list;
  std::string_view field;
  while (next_field(text, ',', field)) {
    NodeId value = 0;
    if (!parse_number(field, value) || value < 0 || value >= kMaxColumns)
      reader.fail("expected a feature, 0 or 1 or a column's number, got {}", in_quotes(field));
    list.push_back(value);
  }
  return list;
}

NodeRows read_node_rows(const std::string& path) {
  NodeRows rows;
  rows.path = path;
  rows.bytes = read_bytes(path);
  rows.texas = sha256_of(rows.bytes.view()) == kTexasNodes;
  LineReader reader(path, rows.bytes.view());
  std::string_view line, field;
  if (!reader.next(line)) fail_data("{}: is empty; a header line is expected", path);
  while (reader.next(line)) {
    if (line.empty()) continue;
    std::string_view fields[3] = {};
    int count = 0;
    while (next_field(line, '\t', field)) {
      if (count < 3) fields[count] = field;
      count++;
    }
    NodeId id = -1;
    if (count != 3) reader.fail("expected node, features and label in 3 columns, got {}", count);
    if (!parse_number(fields[0], id) || id < 0)
      reader.fail("expected a node id, got {}", in_quotes(fields[0]));
    if (fields[2].empty()) reader.fail("the label is missing");
    rows.id.push_back(id);
    rows.list.push_back(parse_list(reader, fields[1]));
    rows.label.push_back(fields[2]);
  }
  if (rows.id.empty()) fail_data("{}: has no nodes", path);
  return rows;
}

// Line of each node 0..n-1.
std::vector<NodeId> line_of_node(const NodeRows& rows) {
  std::vector<NodeId> line(rows.id.size(), -1);
  for (size_t r = 0; r < rows.id.size(); r++) {
    if (size_t(rows.id[r]) >= rows.id.size())
      fail_data("{}: node {} is outside 0 to {}, as there are {} nodes", rows.path, rows.id[r],
                rows.id.size() - 1, rows.id.size());
    if (line[rows.id[r]] >= 0) fail_data("{}: node {} is listed twice", rows.path, rows.id[r]);
    line[rows.id[r]] = NodeId(r);
  }
  return line;
}

// 0/1 vectors, all equally long, unless anything speaks against it.
bool are_vectors(const NodeRows& rows) {
  return std::all_of(rows.list.begin(), rows.list.end(), [&](const std::vector<NodeId>& list) {
    return list.size() == rows.list[0].size() &&
           std::all_of(list.begin(), list.end(), [](NodeId value) { return value <= 1; });
  });
}

SparseMatrix features_of(NodeRows& rows, const std::vector<NodeId>& line) {
  const bool vectors = are_vectors(rows);
  NodeId columns = vectors ? NodeId(rows.list[0].size()) : 0;
  SparseRows features;
  for (const NodeId r : line) {
    std::vector<NodeId>& list = rows.list[r];
    if (vectors) {
      for (size_t c = 0; c < list.size(); c++) features.push(NodeId(c), float(list[c]));
    } else {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      for (const NodeId column : list) features.push(column, 1);
      if (!list.empty()) columns = std::max(columns, list.back() + 1);
    }
    features.end_row();
  }
  return features.finish(columns);
}

Array<Edge> read_edges(const std::string& path, NodeId num_nodes) {
  TsvFile file(path, HeaderLine::present);
  std::vector<std::string_view> fields;
  Array<Edge> edges;
  while (file.next(fields)) {
    if (fields.size() != 2) file.fail("expected two node ids, got {} columns", fields.size());
    NodeId node[2];
    for (int i = 0; i < 2; i++)
      if (!parse_number(fields[i], node[i]) || node[i] < 0 || node[i] >= num_nodes)
        file.fail("{} is not a node: they are 0 to {}", in_quotes(fields[i]), num_nodes - 1);
    edges.push_back({node[0], node[1]});
  }
  return edges;
}

void set_graph(Dataset& dataset, NodeId num_nodes, Array<Edge> edges,
               const BuildOptions& options = {}) {
  BuiltGraph built = build_graph(num_nodes, std::move(edges), options);
  dataset.graph = std::move(built.graph);
  dataset.build = built.stats;
}

}  // namespace

bool is_geom_gcn_folder(const std::string& folder) {
  return !find_file(folder, kEdges).empty() && !find_file(folder, kNodes).empty();
}

Dataset load_geom_gcn(const std::string& folder) {
  NodeRows rows = read_node_rows(need_file(folder, kNodes));
  const std::vector<NodeId> line = line_of_node(rows);
  Dataset dataset;
  dataset.name = last_name(folder);
  set_graph(dataset, NodeId(line.size()),
            read_edges(need_file(folder, kEdges), NodeId(line.size())));
  dataset.features = features_of(rows, line);
  dataset.features_from = "bag of words";
  std::vector<std::string_view> labels;
  for (const NodeId r : line) labels.push_back(rows.label[r]);
  Classes classes = classes_of(labels);
  dataset.label = std::move(classes.label);
  dataset.class_names = std::move(classes.names);
  dataset.splits = read_geom_splits(folder + "/splits", dataset.graph.num_nodes());
  if (dataset.splits.empty()) dataset.splits = read_geom_splits(folder, dataset.graph.num_nodes());
  if (rows.texas && dataset.name.find("exas") == std::string::npos)
    dataset.remarks.push_back(
        "the features and labels are those of texas, not of this graph: upstream publishes the "
        "same "
        "file for both; cornell_platonov.npz has Cornell's own");
  return dataset;
}

// ---- Platonov's form

namespace {

const NumpyArray& need_array(const NumpyArchive& arrays, const std::string& name,
                             const std::string& path) {
  const auto found = arrays.find(name);
  if (found == arrays.end()) fail_data("{}: the array {} is missing", path, name);
  return found->second;
}

// Throws unless the array has `dimensions` dimensions, the last of size `last` (if >= 0).
void check_shape(const NumpyArray& array, size_t dimensions, int64_t last,
                 const std::string& what) {
  if (array.shape.size() != dimensions || (last >= 0 && array.shape.back() != last))
    fail_data("{}: has the wrong shape", what);
}

SparseMatrix sparse_features(const NumpyArray& array, const std::string& what) {
  check_shape(array, 2, -1, what);
  if (array.shape[1] > (1 << 24)) fail_data("{}: has too many columns", what);
  const Array<float> value = array.floats(what);
  SparseRows rows;
  for (int64_t u = 0; u < array.shape[0]; u++) {
    for (int64_t c = 0; c < array.shape[1]; c++)
      rows.push(NodeId(c), value[u * array.shape[1] + c]);
    rows.end_row();
  }
  return rows.finish(NodeId(array.shape[1]));
}

std::vector<Split> mask_splits(const NumpyArchive& arrays, NodeId num_nodes,
                               const std::string& path) {
  std::vector<Split> splits;
  if (!arrays.count("train_masks")) return splits;
  Array<int64_t> masks[3];
  int64_t count = -1;
  const char* names[3] = {"train_masks", "val_masks", "test_masks"};
  for (int i = 0; i < 3; i++) {
    const NumpyArray& array = need_array(arrays, names[i], path);
    const std::string what = path + ": " + names[i];
    check_shape(array, 2, num_nodes, what);
    if (count >= 0 && array.shape[0] != count) fail_data("{}: has the wrong shape", what);
    count = array.shape[0];
    masks[i] = array.integers(what);
  }
  const size_t n = size_t(num_nodes);
  for (size_t s = 0; s < size_t(count); s++) {
    const auto row = [&](int i) { return std::span<const int64_t>(masks[i]).subspan(s * n, n); };
    splits.push_back(
        split_of_masks(fmt::format("file {}", s), row(0), row(1), row(2), num_nodes, path));
  }
  return splits;
}

// Undirected graphs are stored with each edge once, directed ones arc by arc, and nothing else in a file
// tells them apart.
bool lists_both_ways(const Array<Edge>& edges) {
  const auto key = [](NodeId from, NodeId to) { return uint64_t(from) << 32 | uint64_t(to); };
  Array<uint64_t> keys;
  for (const Edge& edge : edges) keys.push_back(key(edge.from, edge.to));
  std::sort(keys.begin(), keys.end());
  return std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
    return edge.from != edge.to &&
           std::binary_search(keys.begin(), keys.end(), key(edge.to, edge.from));
  });
}

}  // namespace

Dataset platonov_dataset(const NumpyArchive& arrays, const std::string& path) {
  const auto array = [&](const char* name) -> const NumpyArray& {
    return need_array(arrays, name, path);
  };
  Dataset dataset;
  dataset.name = without_compression_suffix(last_name(path));
  if (dataset.name.ends_with(".npz")) dataset.name.resize(dataset.name.size() - 4);

  check_shape(array("node_labels"), 1, -1, path + ": node_labels");
  const int64_t num_nodes = array("node_labels").shape[0];
  if (num_nodes > std::numeric_limits<NodeId>::max()) fail_data("{}: has too many nodes", path);
  check_shape(array("edges"), 2, 2, path + ": edges");
  const Array<int64_t> ends = array("edges").integers(path + ": edges");
  Array<Edge> edges;
  for (size_t e = 0; e + 1 < ends.size(); e += 2) {
    for (const int64_t end : {ends[e], ends[e + 1]})
      if (end < 0 || end >= num_nodes)
        fail_data("{}: edge {} names node {}, but the nodes are 0 to {}", path, e / 2, end,
                  num_nodes - 1);
    edges.push_back({NodeId(ends[e]), NodeId(ends[e + 1])});
  }
  const bool once = !lists_both_ways(edges);
  set_graph(dataset, NodeId(num_nodes), std::move(edges), {.symmetrise = once});
  dataset.features = sparse_features(array("node_features"), path + ": node_features");
  dataset.features_from = "node features of the file";
  std::vector<std::string> texts;
  for (const int64_t label : array("node_labels").integers(path + ": node_labels"))
    texts.push_back(label < 0 ? "" : fmt::format("{}", label));
  Classes classes = classes_of(std::vector<std::string_view>(texts.begin(), texts.end()));
  dataset.label = std::move(classes.label);
  dataset.class_names = std::move(classes.names);
  dataset.splits = mask_splits(arrays, dataset.graph.num_nodes(), path);
  return dataset;
}

}  // namespace mgnn
