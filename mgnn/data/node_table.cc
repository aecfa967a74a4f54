#include "mgnn/data/node_table.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/nodes_by_name.h"
#include "mgnn/data/table_columns.h"

namespace mgnn {
namespace {

int64_t id_column(const Table& table, const std::string& wanted) {
  if (!wanted.empty()) return table.column(wanted);
  for (const char* name : {"id", "node_id", "node"})
    if (table.find_column(name) >= 0) return table.find_column(name);
  return table.column("id");  // throws, and lists the columns there are
}

// -1 if the column is not named and its usual name is absent.
int64_t optional_column(const Table& table, const std::string& wanted, const char* usual) {
  return wanted.empty() ? table.find_column(usual) : table.column(wanted);
}

std::vector<int64_t> feature_columns(const Table& table, const std::vector<std::string>& wanted,
                                     const std::vector<int64_t>& taken) {
  std::vector<int64_t> columns;
  for (const std::string& name : wanted) columns.push_back(table.column(name));
  return wanted.empty() ? number_columns(table, taken) : columns;
}

// The node of every row.
std::vector<NodeId> match_rows(const Dataset& dataset, const Table& table, int64_t column) {
  const NodesByName nodes(dataset.ids, dataset.graph.num_nodes());
  std::vector<NodeId> node_of(size_t(table.num_rows()));
  std::vector<int64_t> row_of(size_t(dataset.graph.num_nodes()), -1);
  int64_t unknown = 0, first_unknown = -1;
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const NodeId node = node_of[r] = nodes.find(table.cell(r, column));
    if (node < 0) {
      if (unknown++ == 0) first_unknown = r;
      continue;
    }
    if (row_of[node] >= 0)
      fail_at(table.path(), table.line(r), "node {} was there before, in line {}",
              in_quotes(table.cell(r, column)), table.line(row_of[node]));
    row_of[node] = r;
  }
  if (unknown > 0)
    fail_at(table.path(), table.line(first_unknown),
            "node {} is not in the graph{}; remove such rows, or add the nodes to the graph",
            in_quotes(table.cell(first_unknown, column)),
            unknown > 1 ? fmt::format(" ({} more like this)", unknown - 1) : "");
  return node_of;
}

Classes read_classes(const Table& table, int64_t column, const std::vector<NodeId>& node_of,
                     NodeId num_nodes) {
  std::vector<std::string_view> texts(static_cast<size_t>(num_nodes));
  for (int64_t r = 0; r < table.num_rows(); r++) texts[node_of[r]] = trimmed(table.cell(r, column));
  return classes_of(texts);
}

}  // namespace

void join_node_table(Dataset& dataset, const std::string& path, const NodeTableOptions& options) {
  check(!dataset.is_set(), "{}: a node table can be joined to one graph, not to a set of graphs",
        path);
  const Table table = read_table(path);
  const NodeId num_nodes = dataset.graph.num_nodes();
  const int64_t id = id_column(table, options.id_column);
  const int64_t label = optional_column(table, options.label_column, "label");
  const int64_t type = optional_column(table, options.type_column, "type");
  const int64_t split = optional_column(table, options.split_column, "split");
  const int64_t target = target_column(table, options.target_column);
  const std::vector<int64_t> features =
      feature_columns(table, options.feature_columns, {id, label, type, split, target});
  const std::vector<NodeId> node_of = match_rows(dataset, table, id);

  if (label >= 0) {
    Classes classes = read_classes(table, label, node_of, num_nodes);
    dataset.label = std::move(classes.label);
    dataset.class_names = std::move(classes.names);
  }
  if (type >= 0) {
    Classes types = read_classes(table, type, node_of, num_nodes);
    if (std::count(types.label.begin(), types.label.end(), -1) > 0) {
      for (int32_t& t : types.label)
        if (t < 0) t = int32_t(types.names.size());
      types.names.emplace_back("");
    }
    dataset.node_type = std::move(types.label);
    dataset.node_type_names = std::move(types.names);
  }
  if (target >= 0) dataset.target = read_targets(table, target, node_of, num_nodes);
  if (!features.empty()) {
    dataset.features = read_numbers(table, features, node_of, num_nodes);
    dataset.num_attributes = int64_t(features.size());
    dataset.feature_names.clear();
    for (const int64_t c : features) dataset.feature_names.push_back(table.columns()[c]);
    dataset.features_from = fmt::format("{} columns of {}", features.size(), path);
  }
  if (split >= 0) dataset.splits.push_back(read_split(table, split, node_of));
  if (const int64_t missing = num_nodes - table.num_rows(); missing > 0)
    dataset.remarks.push_back(fmt::format("{} of the {} nodes have no row in {}",
                                          human_count(missing), human_count(num_nodes), path));
}

}  // namespace mgnn
