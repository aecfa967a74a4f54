// Lists of lists are written as one array and its starts. Parts that are empty are left out.

#include "mgnn/data/dataset_file.h"

#include <algorithm>
#include <cstdint>

#include "mgnn/base/error.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/formats.h"
#include "mgnn/io/hdf5.h"

namespace mgnn {
namespace {

constexpr const char* kFormat = "mgnn dataset";
constexpr int64_t kVersion = 1;

// ---- writing

template <class Values>
void put(Hdf5Writer& file, const std::string& name, const Values& values) {
  using T = typename Values::value_type;
  if (!values.empty()) file.write(name, std::span<const T>(values));
}

void put_texts(Hdf5Writer& file, const std::string& name, const std::vector<std::string>& texts) {
  if (!texts.empty()) file.write(name, texts);
}

void put_csr(Hdf5Writer& file, const std::string& name, const Csr& csr) {
  file.attribute(name + "_columns", int64_t(csr.cols));
  put(file, name + "/start", csr.start);
  put(file, name + "/index", csr.index);
}

void put_features(Hdf5Writer& file, const Features& features) {
  if (const Matrix* dense = std::get_if<Matrix>(&features)) {
    file.attribute("feature_rows", dense->rows);
    file.attribute("feature_columns", dense->cols);
    if (!dense->data.empty())
      file.write("features/dense", std::span<const float>(dense->data), {dense->rows, dense->cols});
  } else if (const SparseMatrix* sparse = std::get_if<SparseMatrix>(&features)) {
    put_csr(file, "features/sparse", sparse->pattern);
    put(file, "features/sparse/value", sparse->value);
  }
}

void put_ids(Hdf5Writer& file, const std::string& name, const NodeIds& ids) {
  put(file, name + "/number", ids.number);
  put(file, name + "/text", ids.text);
  put(file, name + "/text_start", ids.text_start);
}

void put_relations(Hdf5Writer& file, const std::vector<Relation>& relations) {
  std::vector<std::string> names;
  Array<Offset> start = {0};
  Array<NodeId> from, to;
  for (const Relation& relation : relations) {
    names.push_back(relation.name);
    for (const Edge& edge : relation.edges) from.push_back(edge.from), to.push_back(edge.to);
    start.push_back(Offset(from.size()));
  }
  put_texts(file, "relations/name", names);
  put(file, "relations/start", start);
  put(file, "relations/from", from);
  put(file, "relations/to", to);
}

void put_label_sets(Hdf5Writer& file, const std::vector<std::vector<int32_t>>& sets) {
  if (sets.empty()) return;
  Array<Offset> start = {0};
  Array<int32_t> labels;
  for (const std::vector<int32_t>& set : sets) {
    labels.insert(labels.end(), set.begin(), set.end());
    start.push_back(Offset(labels.size()));
  }
  put(file, "label_sets/start", start);
  put(file, "label_sets/label", labels);
}

void put_splits(Hdf5Writer& file, const std::vector<Split>& splits) {
  std::vector<std::string> names;
  Array<Offset> start = {0};
  Array<NodeId> nodes;
  for (const Split& split : splits) {
    names.push_back(split.name);
    for (const auto* part : {&split.train, &split.validation, &split.test}) {
      nodes.insert(nodes.end(), part->begin(), part->end());
      start.push_back(Offset(nodes.size()));
    }
  }
  put_texts(file, "splits/name", names);
  put(file, "splits/start", start);
  put(file, "splits/node", nodes);
}

// ---- reading

// The array, or an empty one if it is not there.
template <class T>
Array<T> take(const Hdf5Reader& file, const std::string& name) {
  return file.has(name) ? file.read<T>(name) : Array<T>();
}

template <class T>
std::vector<T> take_vector(const Hdf5Reader& file, const std::string& name) {
  const Array<T> values = take<T>(file, name);
  return {values.begin(), values.end()};
}

std::vector<std::string> take_texts(const Hdf5Reader& file, const std::string& name) {
  return file.has(name) ? file.read_texts(name) : std::vector<std::string>();
}

// Throws unless `start` begins at 0, never falls, and ends at `end`.
void check_starts(std::span<const Offset> start, size_t end, const std::string& what) {
  if (start.empty() || start.front() != 0 || start.back() != Offset(end) ||
      !std::is_sorted(start.begin(), start.end()))
    fail_data("{}: the starts of its rows are wrong", what);
}

Csr take_csr(const Hdf5Reader& file, const std::string& path, const std::string& name) {
  Csr csr;
  csr.start = take<Offset>(file, name + "/start");
  csr.index = take<NodeId>(file, name + "/index");
  const std::string what = path + ": " + name;
  check_starts(csr.start, csr.index.size(), what);
  const int64_t columns = file.number_attribute(name + "_columns");
  const size_t rows = csr.start.size() - 1;
  if (rows > size_t(INT32_MAX) || columns < 0 || columns > INT32_MAX)
    fail_data("{}: has {} rows and {} columns, which is too many", what, rows, columns);
  csr.rows = NodeId(rows);
  csr.cols = NodeId(columns);
  for (NodeId r = 0; r < csr.rows; r++) {
    const auto row = csr.row(r);
    for (size_t i = 0; i < row.size(); i++)
      if (row[i] < 0 || row[i] >= csr.cols || (i > 0 && row[i] <= row[i - 1]))
        fail_data("{}: the columns of row {} do not ascend within 0 to {}", what, r, csr.cols - 1);
  }
  return csr;
}

Graph take_graph(const Hdf5Reader& file, const std::string& path) {
  Csr out = take_csr(file, path, "graph");
  if (out.rows != out.cols) fail_data("{}: the graph is not square", path);
  for (NodeId u = 0; u < out.rows; u++)
    if (const auto row = out.row(u); std::binary_search(row.begin(), row.end(), u))
      fail_data("{}: the graph has a loop at node {}", path, u);
  Csr in = transpose(out);
  return {std::move(out), std::move(in)};
}

// `name`: ids of nodes, or graph_ids.
NodeIds take_ids(const Hdf5Reader& file, const std::string& path, const std::string& name,
                 NodeId count) {
  NodeIds ids;
  ids.number = take<int64_t>(file, name + "/number");
  ids.text = take<char>(file, name + "/text");
  ids.text_start = take<Offset>(file, name + "/text_start");
  if (ids.are_strings()) check_starts(ids.text_start, ids.text.size(), path + ": " + name);
  const bool fits =
      ids.trivial() ||
      (ids.are_strings() && ids.number.empty() && ids.text_start.size() == size_t(count) + 1) ||
      (!ids.are_strings() && ids.number.size() == size_t(count));
  if (!fits)
    fail_data("{}: there are not as many {} as the {} {}", path, name, count,
              name == "ids" ? "nodes" : "graphs");
  return ids;
}

Features take_features(const Hdf5Reader& file, const std::string& path) {
  if (file.has_attribute("feature_columns")) {
    Matrix dense;
    dense.rows = file.number_attribute("feature_rows");
    dense.cols = file.number_attribute("feature_columns");
    dense.data = take<float>(file, "features/dense");
    const bool plain =
        dense.rows >= 0 && dense.cols >= 0 && dense.rows <= INT32_MAX && dense.cols <= INT32_MAX;
    if (!plain || dense.rows * dense.cols != int64_t(dense.data.size()))
      fail_data("{}: the features are not of the stated size", path);
    return dense;
  }
  if (!file.has("features/sparse/start")) return {};
  SparseMatrix sparse{take_csr(file, path, "features/sparse"),
                      take<float>(file, "features/sparse/value")};
  if (sparse.value.size() != sparse.pattern.index.size())
    fail_data("{}: the features have {} places, but {} values", path, sparse.pattern.index.size(),
              sparse.value.size());
  return sparse;
}

std::vector<Relation> take_relations(const Hdf5Reader& file, const std::string& path) {
  const std::vector<std::string> names = take_texts(file, "relations/name");
  const Array<Offset> start = take<Offset>(file, "relations/start");
  const Array<NodeId> from = take<NodeId>(file, "relations/from");
  const Array<NodeId> to = take<NodeId>(file, "relations/to");
  check_starts(start, from.size(), path + ": relations");
  if (start.size() != names.size() + 1 || from.size() != to.size())
    fail_data("{}: the relations do not fit each other", path);
  std::vector<Relation> relations;
  for (size_t r = 0; r < names.size(); r++) {
    relations.push_back({names[r], {}});
    for (Offset e = start[r]; e < start[r + 1]; e++)
      relations.back().edges.push_back({from[e], to[e]});
  }
  return relations;
}

std::vector<std::vector<int32_t>> take_label_sets(const Hdf5Reader& file, const std::string& path) {
  const Array<Offset> start = take<Offset>(file, "label_sets/start");
  const Array<int32_t> labels = take<int32_t>(file, "label_sets/label");
  if (start.empty()) return {};
  check_starts(start, labels.size(), path + ": label_sets");
  std::vector<std::vector<int32_t>> sets;
  for (size_t i = 0; i + 1 < start.size(); i++)
    sets.emplace_back(labels.begin() + start[i], labels.begin() + start[i + 1]);
  return sets;
}

std::vector<Split> take_splits(const Hdf5Reader& file, const std::string& path) {
  const std::vector<std::string> names = take_texts(file, "splits/name");
  const Array<Offset> start = take<Offset>(file, "splits/start");
  const Array<NodeId> node = take<NodeId>(file, "splits/node");
  check_starts(start, node.size(), path + ": splits");
  if (start.size() != 3 * names.size() + 1) fail_data("{}: the splits do not fit", path);
  std::vector<Split> splits;
  for (size_t s = 0; s < names.size(); s++) {
    const auto part = [&](size_t p) {
      return std::vector<NodeId>(node.begin() + start[3 * s + p],
                                 node.begin() + start[3 * s + p + 1]);
    };
    splits.push_back({names[s], part(0), part(1), part(2)});
  }
  return splits;
}

bool is_hdf5(std::string_view bytes, const std::string&) {
  return bytes.starts_with("mgnn hdf5") || bytes.starts_with("\x89HDF\r\n");
}

// Its parts need not fit each other.
Dataset parse_dataset_file(const std::string& path) {
  const Hdf5Reader file(path);
  if (!file.has_attribute("format") || file.text_attribute("format") != kFormat)
    fail_data("{}: is an HDF5 file, but not a dataset of mgnn", path);
  if (const int64_t version = file.number_attribute("version"); version != kVersion)
    fail_data("{}: has version {} of the format, this program reads {}", path, version, kVersion);
  Dataset dataset;
  dataset.name = file.text_attribute("name");
  dataset.features_from = file.text_attribute("features_from");
  dataset.graph = take_graph(file, path);
  const Array<int64_t> build = take<int64_t>(file, "build");
  if (build.size() != 4 || build[3] < 0 || build[3] > INT32_MAX)
    fail_data("{}: the numbers of what was dropped are wrong", path);
  dataset.build = {build[0], build[1], build[2], NodeId(build[3])};
  dataset.ids = take_ids(file, path, "ids", dataset.graph.num_nodes());
  dataset.graph_start = take_vector<NodeId>(file, "graph_start");
  if (dataset.is_set()) dataset.graph_ids = take_ids(file, path, "graph_ids", dataset.num_graphs());
  dataset.features = take_features(file, path);
  if (file.has_attribute("attributes"))
    dataset.num_attributes = file.number_attribute("attributes");
  dataset.feature_names = take_texts(file, "feature_names");
  dataset.label = take_vector<int32_t>(file, "label");
  dataset.class_names = take_texts(file, "class_names");
  dataset.label_set = take_label_sets(file, path);
  dataset.target = take_vector<double>(file, "target");
  dataset.node_type = take_vector<int32_t>(file, "node_type");
  dataset.node_type_names = take_texts(file, "node_type_names");
  dataset.relations = take_relations(file, path);
  dataset.arc_weight = take<float>(file, "arc_weight");
  dataset.splits = take_splits(file, path);
  dataset.remarks = take_texts(file, "remarks");
  return dataset;
}

Dataset read_hdf5(const GraphFile& file, const LoadOptions& options) {
  if (file.path == "-") fail_data("standard input: HDF5 files can only be read by their name");
  Dataset dataset = parse_dataset_file(file.path);
  return options.undirected ? symmetrised(std::move(dataset)) : dataset;
}

}  // namespace

void write_dataset_file(const std::string& path, const Dataset& dataset, bool overwrite) {
  Hdf5Writer file(path, overwrite);
  file.attribute("format", std::string(kFormat));
  file.attribute("version", kVersion);
  file.attribute("name", dataset.name);
  file.attribute("features_from", dataset.features_from);
  put_csr(file, "graph", dataset.graph.out);
  const BuildStats& b = dataset.build;
  put(file, "build",
      std::vector<int64_t>{b.arcs_given, b.loops_dropped, b.duplicates_dropped, b.nodes_dropped});
  put_ids(file, "ids", dataset.ids);
  put(file, "graph_start", dataset.graph_start);
  put_ids(file, "graph_ids", dataset.graph_ids);
  put_features(file, dataset.features);
  if (dataset.num_attributes > 0) file.attribute("attributes", dataset.num_attributes);
  put_texts(file, "feature_names", dataset.feature_names);
  put(file, "label", dataset.label);
  put_texts(file, "class_names", dataset.class_names);
  put_label_sets(file, dataset.label_set);
  put(file, "target", dataset.target);
  put(file, "node_type", dataset.node_type);
  put_texts(file, "node_type_names", dataset.node_type_names);
  put_relations(file, dataset.relations);
  put(file, "arc_weight", dataset.arc_weight);
  put_splits(file, dataset.splits);
  put_texts(file, "remarks", dataset.remarks);
  file.commit();
}

Dataset read_dataset_file(const std::string& path) {
  Dataset dataset = parse_dataset_file(path);
  validate(dataset);
  return dataset;
}

GraphFormat dataset_format() {
  return {.name = "h5",
          .title = "HDF5",
          .endings = {"h5", "hdf5"},
          .text = false,
          .parts = {.isolated_nodes = true, .ids = true, .weights = true, .dataset = true},
          .recognise = is_hdf5,
          .read = read_hdf5,
          .write = write_dataset_file};
}

}  // namespace mgnn
