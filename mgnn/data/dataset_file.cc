#include "mgnn/data/dataset_file.h"

#include <algorithm>
#include <deque>
#include <functional>

#include "mgnn/base/error.h"
#include "mgnn/data/dataset_parts.h"
#include "mgnn/data/dataset_store.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/formats.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/memory.h"

namespace mgnn {
namespace {

// ---- writing

// Texts as bytes and where each begins.
struct FlatTexts {
  std::string bytes;
  std::vector<int64_t> start = {0};

  explicit FlatTexts(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      bytes += text;
      start.push_back(int64_t(bytes.size()));
    }
  }
};

template <class T>
SafeTensorView view_of(const std::string& name, std::span<const T> values,
                       std::vector<int64_t> shape) {
  return {name,
          std::string(kTensorType<T>),
          std::move(shape),
          {reinterpret_cast<const char*>(values.data()), values.size_bytes()}};
}

struct ViewMaker {
  SafeTensorViews& content;
  std::deque<FlatTexts>& texts;
  const DatasetPart& part;

  template <class T>
  void operator()(std::span<const T> values) {
    content.tensors.push_back(view_of(part.name, values, part.shape));
  }
  void operator()(const std::vector<std::string>& names) {
    const FlatTexts& flat = texts.emplace_back(names);
    content.tensors.push_back(view_of<char>(part.name, flat.bytes, {int64_t(flat.bytes.size())}));
    content.tensors.push_back(
        view_of<int64_t>(part.name + "_start", flat.start, {int64_t(flat.start.size())}));
  }
};

// ---- reading

Csr take_csr(DatasetStore& store, const std::string& name, int64_t columns) {
  Array<Offset> start = store.take<Offset>(name + "/start");
  Array<NodeId> index = store.take<NodeId>(name + "/index");
  const std::string where = store.where(name);
  check_starts(start, index.size(), where);
  const size_t rows = start.size() - 1;
  if (rows > size_t(INT32_MAX) || columns < 0 || columns > INT32_MAX)
    fail_data("{}: has {} rows and {} columns; there can be up to {}", where, rows, columns,
              INT32_MAX);
  Csr csr(NodeId(rows), NodeId(columns), std::move(start), std::move(index));
  for (NodeId r = 0; r < csr.rows; r++) {
    NodeId before = -1;
    for (const NodeId column : csr.row(r)) {
      if (column <= before || column >= csr.cols)
        fail_data("{}: the columns of row {} do not ascend within 0 to {}", where, r,
                  int64_t(csr.cols) - 1);
      before = column;
    }
  }
  return csr;
}

Graph take_graph(DatasetStore& store) {
  const std::string start = "graph/start";
  if (!store.has(start) || store.shape(start).size() != 1)
    fail_data("{}: is missing", store.where(start));
  Csr out = take_csr(store, "graph", store.shape(start)[0] - 1);
  for (NodeId u = 0; u < out.rows; u++)
    if (const auto row = out.row(u); std::binary_search(row.begin(), row.end(), u))
      fail_data("{}: has a loop at node {}", store.where("graph"), u);
  check_memory(int64_t(out.start.size() * sizeof(Offset) + out.index.size() * sizeof(NodeId)),
               store.where("graph"));
  Csr in = transpose(out);
  return {std::move(out), std::move(in)};
}

BuildStats take_build(DatasetStore& store) {
  const Array<int64_t> counts = store.take<int64_t>("build");
  if (!store.has("build")) return {};
  if (counts.size() != 4 || *std::min_element(counts.begin(), counts.end()) < 0 ||
      counts[3] > INT32_MAX)
    fail_data("{}: should be four counts", store.where("build"));
  return {counts[0], counts[1], counts[2], NodeId(counts[3])};
}

std::string_view id_text(const NodeIds& ids, size_t i) {
  return {ids.text.data() + ids.text_start[i], size_t(ids.text_start[i + 1] - ids.text_start[i])};
}

// Hashes first, since nearly always they show that all differ, and are sorted far faster.
bool has_equal_texts(const NodeIds& ids) {
  Array<size_t> hash(ids.text_start.size() - 1);
  for (size_t i = 0; i < hash.size(); i++) hash[i] = std::hash<std::string_view>()(id_text(ids, i));
  std::sort(hash.begin(), hash.end());
  if (std::adjacent_find(hash.begin(), hash.end()) == hash.end()) return false;
  Array<std::string_view> texts(hash.size());
  for (size_t i = 0; i < texts.size(); i++) texts[i] = id_text(ids, i);
  std::sort(texts.begin(), texts.end());
  return std::adjacent_find(texts.begin(), texts.end()) != texts.end();
}

bool has_equal_numbers(Array<int64_t> number) {
  if (!std::is_sorted(number.begin(), number.end())) std::sort(number.begin(), number.end());
  return std::adjacent_find(number.begin(), number.end()) != number.end();
}

// `name`: ids of nodes, or graph_ids.
NodeIds take_ids(DatasetStore& store, const std::string& name, int64_t count) {
  NodeIds ids;
  ids.number = store.take<int64_t>(name + "/number");
  ids.text = store.take<char>(name + "/text");
  ids.text_start = store.take<Offset>(name + "/text_start");
  const std::string where = store.where(name);
  if (ids.trivial() && ids.text.empty()) return ids;
  if (ids.are_strings() || !ids.text.empty()) check_starts(ids.text_start, ids.text.size(), where);
  if (ids.are_strings() && !ids.number.empty()) fail_data("{}: are numbers and texts", where);
  const size_t stored = ids.are_strings() ? ids.text_start.size() - 1 : ids.number.size();
  if (stored != size_t(count)) fail_data("{}: there are {} of them for {}", where, stored, count);
  check_memory(saturated_product(int64_t(stored), sizeof(std::string_view)), where);
  if (ids.are_strings() ? has_equal_texts(ids) : has_equal_numbers(ids.number))
    fail_data("{}: two of them are equal", where);
  return ids;
}

Features take_features(DatasetStore& store) {
  if (store.has("features/dense")) {
    Matrix dense;
    dense.data = store.take<float>("features/dense", 2);
    dense.rows = store.shape("features/dense")[0];
    dense.cols = store.shape("features/dense")[1];
    if (dense.rows > INT32_MAX || dense.cols > INT32_MAX)
      fail_data("{}: has {} rows and {} columns; there can be up to {}",
                store.where("features/dense"), dense.rows, dense.cols, INT32_MAX);
    return dense;
  }
  if (!store.has("features/start")) return {};
  Csr pattern = take_csr(store, "features", store.take_number("features/columns", -1));
  SparseMatrix sparse{std::move(pattern), store.take<float>("features/value")};
  if (sparse.value.size() != sparse.pattern.index.size())
    fail_data("{}: has {} places, but {} values", store.where("features"),
              sparse.pattern.index.size(), sparse.value.size());
  return sparse;
}

std::vector<Relation> take_relations(DatasetStore& store) {
  const std::vector<std::string> names = store.take_texts("relations/name");
  if (names.empty()) return {};
  const Array<Offset> start = store.take<Offset>("relations/start");
  const Array<NodeId> ends = store.take<NodeId>("relations/edge", 2);
  const std::string where = store.where("relations");
  if (store.has("relations/edge") && store.shape("relations/edge")[1] != 2)
    fail_data("{}: edges should have two ends", where);
  check_starts(start, ends.size() / 2, where);
  if (start.size() != names.size() + 1)
    fail_data("{}: has {} names for {} relations", where, names.size(), start.size() - 1);
  std::vector<Relation> relations;
  for (size_t r = 0; r < names.size(); r++) {
    Array<Edge>& edges = relations.emplace_back(Relation{names[r], {}}).edges;
    edges.resize(size_t(start[r + 1] - start[r]));
    for (size_t e = 0; e < edges.size(); e++) {
      const size_t at = 2 * (size_t(start[r]) + e);
      edges[e] = {ends[at], ends[at + 1]};
    }
  }
  return relations;
}

std::vector<std::vector<int32_t>> take_label_sets(DatasetStore& store, int64_t items) {
  if (!store.has("label_sets/start")) return {};
  const Array<Offset> start = store.take<Offset>("label_sets/start");
  const Array<int32_t> labels = store.take<int32_t>("label_sets/label");
  check_starts(start, labels.size(), store.where("label_sets"));
  if (int64_t(start.size()) != items + 1)
    fail_data("{}: there are {} of them for {}", store.where("label_sets"), start.size() - 1,
              items);
  check_memory(saturated_product(items, 2 * sizeof(std::vector<int32_t>)),
               store.where("label_sets"));
  std::vector<std::vector<int32_t>> sets(start.size() - 1);
  for (size_t i = 0; i < sets.size(); i++)
    sets[i].assign(labels.begin() + start[i], labels.begin() + start[i + 1]);
  return sets;
}

std::vector<Split> take_splits(DatasetStore& store) {
  const std::vector<std::string> names = store.take_texts("splits/name");
  if (names.empty()) return {};
  const Array<Offset> start = store.take<Offset>("splits/start");
  const Array<NodeId> item = store.take<NodeId>("splits/item");
  const std::string where = store.where("splits");
  check_starts(start, item.size(), where);
  if (start.size() != 3 * names.size() + 1)
    fail_data("{}: has {} parts, but each of {} splits has three", where, start.size() - 1,
              names.size());
  std::vector<Split> splits;
  for (size_t s = 0; s < names.size(); s++) {
    const auto part = [&](size_t p) {
      const Offset* begin = &start[3 * s + p];
      return std::vector<NodeId>(item.begin() + begin[0], item.begin() + begin[1]);
    };
    splits.push_back({names[s], part(0), part(1), part(2)});
  }
  return splits;
}

// All but the name. Its parts need not fit each other.
Dataset take_dataset(DatasetStore& store) {
  Dataset dataset;
  dataset.graph = take_graph(store);
  dataset.build = take_build(store);
  dataset.ids = take_ids(store, "ids", dataset.graph.num_nodes());
  dataset.graph_start = store.take<NodeId, std::vector<NodeId>>("graph_start");
  dataset.graph_ids = take_ids(store, "graph_ids", dataset.num_graphs());
  dataset.features = take_features(store);
  dataset.features_from = store.take_text("features_from");
  dataset.num_attributes = store.take_number("num_attributes", 0);
  dataset.feature_names = store.take_texts("feature_names");
  dataset.table_columns = store.take_texts("table_columns");
  dataset.label = store.take<int32_t, std::vector<int32_t>>("label");
  const NodeId items = dataset.is_set() ? dataset.num_graphs() : dataset.graph.num_nodes();
  dataset.label_set = take_label_sets(store, items);
  dataset.class_names = store.take_texts("class_names");
  dataset.target = store.take<double, std::vector<double>>("target");
  dataset.node_type = store.take<int32_t, std::vector<int32_t>>("node_type");
  dataset.node_type_names = store.take_texts("node_type_names");
  dataset.relations = take_relations(store);
  dataset.arc_weight = store.take<float>("arc_weight");
  dataset.splits = take_splits(store);
  dataset.remarks = store.take_texts("remarks");
  return dataset;
}

Dataset read_store(const GraphFile& file, const LoadOptions& options) {
  Dataset dataset = parse_dataset(file.bytes, file.title);
  return options.undirected ? symmetrised(std::move(dataset)) : dataset;
}

}  // namespace

Dataset parse_dataset(std::string_view bytes, const std::string& path) {
  DatasetStore store(bytes, path);
  Dataset dataset = take_dataset(store);
  std::string name = store.take_text("name");
  store.check_all_taken();
  dataset.name = path;  // for messages
  validate(dataset);
  dataset.name = std::move(name);
  return dataset;
}

Dataset read_dataset_file(const std::string& path) {
  return parse_dataset(read_bytes(path).view(), path);
}

void write_dataset_file(const std::string& path, const Dataset& dataset, bool overwrite) {
  const DatasetParts dataset_parts(dataset);
  SafeTensorViews content{
      {}, {{"format", std::string(kDatasetFormat)}, {"version", std::to_string(kDatasetVersion)}}};
  std::deque<FlatTexts> texts;
  for (const DatasetPart& part : dataset_parts.parts)
    std::visit(ViewMaker{content, texts, part}, part.values);
  write_tensor_views(path, content, overwrite);
}

GraphFormat dataset_format() {
  return {.name = "safetensors",
          .title = "dataset in safetensors",
          .endings = {"safetensors"},
          .text = false,
          .parts = {.isolated_nodes = true, .ids = true, .weights = true, .dataset = true},
          .recognise = [](std::string_view bytes,
                          const std::string&) { return looks_like_safetensors(bytes); },
          .read = read_store,
          .write = write_dataset_file};
}

}  // namespace mgnn
