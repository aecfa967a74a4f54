// Morris et al. "TUDataset: A collection of benchmark datasets for learning with graphs", 2020.

#include "mgnn/data/tu.h"

#include <algorithm>
#include <limits>
#include <map>

#include "mgnn/base/error.h"
#include "mgnn/data/feature_columns.h"
#include "mgnn/data/layout.h"

namespace mgnn {
namespace {

constexpr std::string_view kArcs = "_A.txt";

std::string set_name(const std::string& folder, const std::string& name) {
  for (const std::string& file : file_names(folder)) {
    if (!file.ends_with(kArcs) || file.size() == kArcs.size()) continue;
    const std::string found = file.substr(0, file.size() - kArcs.size());
    if (name.empty() || found == name) return found;
  }
  return "";
}

// Numbers of one line per item, all lines equally wide.
template <class T>
struct NumberTable {
  std::string path;
  int64_t rows = 0;
  size_t width = 0;
  Array<T> value;  // (rows, width)
  std::span<const T> row(int64_t r) const { return {value.data() + size_t(r) * width, width}; }
};

template <class T>
NumberTable<T> read_table_of(const std::string& path, int64_t expected, const char* items) {
  NumberTable<T> table;
  table.path = path;
  each_number_row<T>(path, [&](const LineReader& reader, std::span<const T> row) {
    if (table.rows == 0) table.width = row.size();
    if (row.size() != table.width)
      reader.fail("the line has {} numbers, but the first has {}", row.size(), table.width);
    if (expected >= 0 && table.rows == expected)
      reader.fail("there are more lines than the {} {}", expected, items);
    table.value.insert(table.value.end(), row.begin(), row.end());
    table.rows++;
  });
  if (expected >= 0 && table.rows != expected)
    fail_data("{}: has {} lines, but there are {} {}", path, table.rows, expected, items);
  return table;
}

// (graphs + 1) first node of each graph, from the graph of each node.
std::vector<NodeId> read_graph_starts(const std::string& path, int64_t num_graphs) {
  std::vector<NodeId> start = {0};
  NodeId node = 0;
  each_number_row<int64_t>(path, [&](const LineReader& reader, std::span<const int64_t> row) {
    if (row.size() != 1) reader.fail("expected one graph id, got {} numbers", row.size());
    const int64_t graph = row[0];
    if (node == std::numeric_limits<NodeId>::max()) reader.fail("there are too many nodes");
    if (graph < 1) reader.fail("graph ids begin at 1, got {}", graph);
    if (graph < int64_t(start.size()) - 1)
      reader.fail("a node of graph {} follows one of graph {}", graph, start.size() - 1);
    if (num_graphs >= 0 && graph > num_graphs)
      reader.fail("graph {}, but there are only {} graph labels", graph, num_graphs);
    if (num_graphs < 0 && graph > int64_t(start.size()))
      reader.fail("graph {} follows graph {}; there is none between", graph, start.size() - 1);
    while (int64_t(start.size()) - 1 < graph) start.push_back(node);
    start.back() = ++node;
  });
  if (node == 0) fail_data("{}: is empty; a graph id for every node is expected", path);
  while (int64_t(start.size()) - 1 < num_graphs) start.push_back(node);
  return start;
}

Array<Edge> read_arcs(const std::string& path, const std::vector<NodeId>& start) {
  const auto graph_of = [&](int64_t node) {
    return std::upper_bound(start.begin(), start.end(), NodeId(node)) - start.begin();
  };
  Array<Edge> edges;
  each_number_row<int64_t>(path, [&](const LineReader& reader, std::span<const int64_t> row) {
    if (row.size() != 2) reader.fail("expected two node ids, got {} numbers", row.size());
    for (const int64_t id : row)
      if (id < 1 || id > start.back()) reader.fail("node {} is outside 1 to {}", id, start.back());
    const Edge edge{NodeId(row[0] - 1), NodeId(row[1] - 1)};
    if (graph_of(edge.from) != graph_of(edge.to))
      reader.fail("joins node {} of graph {} to node {} of graph {}", row[0], graph_of(edge.from),
                  row[1], graph_of(edge.to));
    edges.push_back(edge);
  });
  return edges;
}

void set_graph_labels(Dataset& dataset, const NumberTable<int64_t>& labels) {
  if (labels.width > 1)
    fail_data("{}: has {} labels for each graph; only sets with one can be read", labels.path,
              labels.width);
  std::map<int64_t, int32_t> class_of;
  for (const int64_t value : labels.value) class_of.emplace(value, 0);
  for (auto& [value, number] : class_of) {
    number = int32_t(dataset.class_names.size());
    dataset.class_names.push_back(fmt::format("{}", value));
  }
  for (const int64_t value : labels.value) dataset.label.push_back(class_of.at(value));
}

// The values of every column of labels, ascending.
std::vector<LabelColumn> label_columns(const NumberTable<int64_t>& labels) {
  std::vector<LabelColumn> columns(labels.width);
  for (size_t c = 0; c < labels.width; c++) {
    LabelColumn& column = columns[c];
    column.name = labels.width == 1 ? "label" : fmt::format("label {}", c + 1);
    std::map<int64_t, int32_t> number_of;
    for (int64_t r = 0; r < labels.rows; r++) number_of.emplace(labels.row(r)[c], 0);
    for (auto& [value, number] : number_of) {
      number = int32_t(column.names.size());
      column.names.push_back(fmt::format("{}", value));
    }
    for (int64_t r = 0; r < labels.rows; r++)
      column.value.push_back(number_of.at(labels.row(r)[c]));
  }
  return columns;
}

void set_relations(Dataset& dataset, const Array<Edge>& edges, const NumberTable<int64_t>& labels) {
  std::map<std::vector<int64_t>, size_t> relation_of;
  for (int64_t e = 0; e < labels.rows; e++)
    relation_of.emplace(std::vector<int64_t>(labels.row(e).begin(), labels.row(e).end()), 0);
  for (auto& [values, number] : relation_of) {
    number = dataset.relations.size();
    std::string name = "edge label";
    for (const int64_t value : values) name += fmt::format(" {}", value);
    dataset.relations.push_back({name, {}});
  }
  for (int64_t e = 0; e < labels.rows; e++) {
    const std::vector<int64_t> values(labels.row(e).begin(), labels.row(e).end());
    dataset.relations[relation_of.at(values)].edges.push_back(edges[e]);
  }
}

void set_targets(Dataset& dataset, const NumberTable<double>& attributes,
                 const std::string& column) {
  int64_t number = 1;
  check(column.empty() ||
            (parse_number(column, number) && number >= 1 && number <= int64_t(attributes.width)),
        "{}: there is no column {}; they are numbered from 1 to {}", attributes.path,
        in_quotes(column), attributes.width);
  for (int64_t g = 0; g < attributes.rows; g++)
    dataset.target.push_back(attributes.row(g)[number - 1]);
}

}  // namespace

std::string find_tu_folder(const std::string& folder, const std::string& name) {
  std::vector<std::string> places = {folder, folder + "/raw"};
  if (!name.empty())
    places.insert(places.end(), {folder + "/" + name, folder + "/" + name + "/raw"});
  for (const std::string& place : places)
    if (const std::string found = set_name(place, name);
        !found.empty() && !find_file(place, found + "_graph_indicator.txt").empty())
      return place;
  return "";
}

Dataset load_tu(const std::string& given, const std::string& wanted,
                const std::string& target_column) {
  const std::string folder = find_tu_folder(given, wanted);
  if (folder.empty())
    fail_data("{}: the files {}_A.txt and {}_graph_indicator.txt are missing", given,
              wanted.empty() ? "NAME" : wanted, wanted.empty() ? "NAME" : wanted);
  const std::string name = set_name(folder, wanted);
  const auto path = [&](const char* part) { return find_file(folder, name + "_" + part); };

  Dataset dataset;
  dataset.name = name;
  if (const std::string labels = path("graph_labels.txt"); !labels.empty())
    set_graph_labels(dataset, read_table_of<int64_t>(labels, -1, "graphs"));
  dataset.graph_start = read_graph_starts(
      path("graph_indicator.txt"), dataset.label.empty() ? -1 : int64_t(dataset.label.size()));
  Array<Edge> edges = read_arcs(path("A.txt"), dataset.graph_start);
  const NodeId num_nodes = dataset.graph_start.back();
  if (const std::string labels = path("edge_labels.txt"); !labels.empty())
    set_relations(dataset, edges, read_table_of<int64_t>(labels, int64_t(edges.size()), "edges"));
  BuiltGraph built = build_graph(num_nodes, std::move(edges));
  dataset.graph = std::move(built.graph);
  dataset.build = built.stats;

  NumberTable<float> attributes;
  NumberTable<int64_t> labels;
  if (const std::string file = path("node_attributes.txt"); !file.empty())
    attributes = read_table_of<float>(file, num_nodes, "nodes");
  if (const std::string file = path("node_labels.txt"); !file.empty())
    labels = read_table_of<int64_t>(file, num_nodes, "nodes");
  Matrix measured(attributes.rows, int64_t(attributes.width));
  measured.data = std::move(attributes.value);
  std::vector<std::string> names;
  for (size_t c = 0; c < attributes.width; c++) names.push_back(fmt::format("attribute {}", c + 1));
  set_features(dataset, measured, names, label_columns(labels));
  if (const std::string file = path("graph_attributes.txt"); !file.empty())
    set_targets(dataset, read_table_of<double>(file, dataset.num_graphs(), "graphs"),
                target_column);
  return dataset;
}

}  // namespace mgnn
