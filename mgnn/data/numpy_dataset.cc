// Datasets in NumPy files: a graph, and what may stand beside it.

#include <algorithm>
#include <cmath>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/formats.h"
#include "mgnn/data/geom_gcn.h"
#include "mgnn/data/layout.h"
#include "mgnn/io/numpy_graph.h"

namespace mgnn {
namespace {

void set_features(Dataset& dataset, const NumpyArray& x, const std::string& what) {
  if (x.shape.size() != 2) fail_data("{}: features should be a matrix (n, d)", what);
  Matrix features;
  features.rows = x.shape[0];
  features.cols = x.shape[1];
  features.data = x.floats(what);
  for (size_t i = 0; i < features.data.size(); i++)
    if (!std::isfinite(features.data[i]))
      fail_data(
          "{}: row {}, column {} (counted from 0) is not a finite number; fill it or leave it out",
          what, i / size_t(features.cols), i % size_t(features.cols));
  dataset.features = std::move(features);
  dataset.features_from = "x of the file";
}

void set_labels(Dataset& dataset, const NumpyArray& y, const std::string& what) {
  std::vector<std::string> texts;
  for (const int64_t label : y.integers(what))
    texts.push_back(label < 0 ? "" : fmt::format("{}", label));
  Classes classes = classes_of(std::vector<std::string_view>(texts.begin(), texts.end()));
  dataset.label = std::move(classes.label);
  dataset.class_names = std::move(classes.names);
}

// A graph as io/numpy_graph.h knows it.
Dataset read_array(const GraphFile& file, const LoadOptions& options) {
  return dataset_of_edges(parse_numpy_graph(file.bytes, file.title), file.name,
                          {.symmetrise = options.undirected});
}

// The columns of a mask (n) or (n, splits), as PyTorch Geometric has them.
std::vector<Array<int64_t>> mask_columns(const NumpyArchive& arrays, const char* name,
                                         NodeId num_nodes, const std::string& path) {
  const auto place = arrays.find(name);
  if (place == arrays.end()) return {Array<int64_t>(size_t(num_nodes), 0)};
  const NumpyArray& array = place->second;
  const std::string what = fmt::format("{}: {}", path, name);
  const Array<int64_t> values = array.integers(what);
  if (array.shape.size() != 2 || array.shape[0] != num_nodes) return {values};
  std::vector<Array<int64_t>> columns(size_t(array.shape[1]), Array<int64_t>(size_t(num_nodes)));
  for (size_t u = 0; u < size_t(num_nodes); u++)
    for (size_t s = 0; s < columns.size(); s++) columns[s][u] = values[u * columns.size() + s];
  return columns;
}

// train_mask and, where they are there, val_mask and test_mask; a mask of one split serves all.
void set_masks(Dataset& dataset, const NumpyArchive& arrays, const std::string& path) {
  if (arrays.count("train_mask") > 0) {
    const NodeId n = dataset.graph.num_nodes();
    const auto train = mask_columns(arrays, "train_mask", n, path);
    const auto validation = mask_columns(arrays, "val_mask", n, path);
    const auto test = mask_columns(arrays, "test_mask", n, path);
    for (const auto* masks : {&validation, &test})
      if (masks->size() != 1 && masks->size() != train.size())
        fail_data("{}: masks have {} and {} splits", path, train.size(), masks->size());
    for (size_t s = 0; s < train.size(); s++)
      dataset.splits.push_back(split_of_masks(
          train.size() == 1 ? "file" : fmt::format("file {}", s), train[s],
          validation[validation.size() == 1 ? 0 : s], test[test.size() == 1 ? 0 : s], n, path));
  } else if (arrays.count("val_mask") + arrays.count("test_mask") > 0) {
    dataset.remarks.push_back(path + ": masks are not used, since there is no train_mask");
  }
}

// What nothing was made of.
void remark_on_others(Dataset& dataset, const NumpyArchive& arrays, const std::string& path) {
  constexpr std::string_view kKnown[] = {
      "format", "data",       "indptr", "indices",     "shape",     "row",
      "col",    "edge_index", "edges",  "edge_weight", "num_nodes", "edge_type",
      "ids",    "x",          "y",      "train_mask",  "val_mask",  "test_mask"};
  std::vector<std::string> others;
  for (const auto& [name, array] : arrays)
    if (arrays.size() > 1 &&
        std::find(std::begin(kKnown), std::end(kKnown), name) == std::end(kKnown))
      others.push_back(in_quotes(name));
  if (!others.empty())
    dataset.remarks.push_back(
        fmt::format("{}: arrays that are not used: {}", path, human_list(others, 8)));
}

// Platonov's layout (geom_gcn.h), or a graph as io/numpy_graph.h knows it, beside which x (n, d)
// are features, y (n) labels (negative: unknown) and train_mask, val_mask, test_mask (n) or (n, splits) splits.
Dataset read_archive(const GraphFile& file, const LoadOptions& options) {
  const std::string& path = file.title;
  const NumpyArchive arrays = parse_npz(file.bytes, path);
  const auto has = [&](const char* name) { return arrays.count(name) > 0; };
  if (has("node_features") && has("node_labels") && has("edges"))
    return platonov_dataset(arrays, path);
  EdgeList list = numpy_graph(arrays, path);
  if (has("x") && !has("num_nodes") && !arrays.at("x").shape.empty() && list.ids.trivial() &&
      arrays.at("x").shape[0] <= int64_t(1) << 30)  // nodes without edges have rows, too
    list.num_nodes = std::max(list.num_nodes, NodeId(arrays.at("x").shape[0]));
  Dataset dataset =
      dataset_of_edges(std::move(list), file.name, {.symmetrise = options.undirected});
  if (has("x")) set_features(dataset, arrays.at("x"), path + ": x");
  if (has("y")) set_labels(dataset, arrays.at("y"), path + ": y");
  set_masks(dataset, arrays, path);
  remark_on_others(dataset, arrays, path);
  return dataset;
}

void write_archive(const std::string& path, const Dataset& dataset, bool overwrite) {
  write_graph_npz(path, dataset.graph, dataset.ids, dataset.arc_weight, overwrite);
}

}  // namespace

GraphFormat npz_format() {
  return {.name = "npz",
          .title = "NumPy archive",
          .endings = {"npz"},
          .text = false,
          .parts = {.isolated_nodes = true, .ids = true, .weights = true},
          .recognise = [](std::string_view bytes,
                          const std::string&) { return bytes.starts_with("PK\x03\x04"); },
          .read = read_archive,
          .write = write_archive};
}

GraphFormat npy_format() {
  return {
      .name = "npy",
      .title = "NumPy array",
      .endings = {"npy"},
      .text = false,
      .recognise = [](std::string_view bytes, const std::string&) { return looks_like_npy(bytes); },
      .read = read_array};
}

}  // namespace mgnn
