#include "mgnn/data/node_table.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/nodes_by_name.h"
#include "mgnn/data/table_columns.h"
#include "mgnn/data/table_features.h"

namespace mgnn {
namespace {

// Nodes of the table alone have no edges. A table none of whose ids is known is the wrong table, and
// where ids are numbers another word is a mistake.
void add_isolated(Dataset& dataset, const Table& table, int64_t column) {
  const NodesByName nodes(dataset.ids, dataset.graph.num_nodes());
  std::vector<std::string_view> unknown;
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const std::string_view name = table.cell(r, column);
    int64_t number = 0;
    const bool numbers = !dataset.ids.are_strings();
    const bool is_name = !parse_number(name, number) || name != std::to_string(number);
    if (!(numbers && is_name) && nodes.find(name) >= 0) continue;
    if (numbers && is_name)
      fail_at(
          table.path(), table.line(r),
          "node {} is not in the graph, whose ids are whole numbers; remove such rows, or add the "
          "nodes to the graph",
          in_quotes(name));
    if (trimmed(name).empty()) fail_at(table.path(), table.line(r), "the node has no id");
    unknown.push_back(name);
  }
  if (unknown.empty()) return;
  if (int64_t(unknown.size()) == table.num_rows())
    fail_data("{}: no id of column {}, such as {}, is a node of the graph, such as {}",
              table.path(), in_quotes(table.columns()[column]), in_quotes(unknown[0]),
              in_quotes(dataset.ids.name(0)));
  add_isolated_nodes(dataset, unknown);
  dataset.remarks.push_back(fmt::format("{} rows of {} have no edges: they are isolated nodes",
                                        human_count(int64_t(unknown.size())), table.path()));
}

// The node of every row.
std::vector<NodeId> match_rows(const Dataset& dataset, const Table& table, int64_t column) {
  const NodesByName nodes(dataset.ids, dataset.graph.num_nodes());
  std::vector<NodeId> node_of(size_t(table.num_rows()));
  std::vector<int64_t> row_of(size_t(dataset.graph.num_nodes()), -1);
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const NodeId node = node_of[r] = nodes.find(table.cell(r, column));
    if (row_of[node] >= 0)
      fail_at(table.path(), table.line(r), "node {} was there before, in line {}",
              in_quotes(table.cell(r, column)), table.line(row_of[node]));
    row_of[node] = r;
  }
  return node_of;
}

void set_types(Dataset& dataset, const Table& table, int64_t column,
               const std::vector<NodeId>& node_of) {
  Classes types = classes_of(read_texts(table, column, node_of, dataset.graph.num_nodes()));
  if (std::count(types.label.begin(), types.label.end(), -1) > 0) {
    std::replace(types.label.begin(), types.label.end(), -1, int32_t(types.names.size()));
    types.names.emplace_back("");
  }
  dataset.node_type = std::move(types.label);
  dataset.node_type_names = std::move(types.names);
}

}  // namespace

void join_rows(Dataset& dataset, const Table& table, const std::vector<NodeId>& node_of, int64_t id,
               const TableOptions& options) {
  const int64_t label = label_column(table, options);
  const int64_t type = optional_column(table, options.type_column, "type", options);
  const std::vector<int64_t> split = split_columns(dataset, table, options);
  const int64_t target = target_column(table, options);
  const NodeId num_nodes = dataset.graph.num_nodes();

  if (label >= 0 && label != target) set_labels(dataset, table, label, node_of);
  if (type >= 0) set_types(dataset, table, type, node_of);
  if (target >= 0) dataset.target = read_targets(table, target, node_of, num_nodes);
  std::vector<int64_t> taken = {id, label, target};
  taken.insert(taken.end(), split.begin(), split.end());
  if (options.feature_columns.empty()) taken.push_back(type);  // a feature only if it is asked for
  set_table_features(dataset, table, node_of, {.wanted = options.feature_columns, .taken = taken});
  if (!split.empty()) dataset.splits.push_back(read_split(table, split, node_of));
  std::vector<std::pair<const char*, int64_t>> uses = {{"ids are", id},
                                                       {"classes", label == target ? -1 : label},
                                                       {"targets", target},
                                                       {"types", type}};
  for (const int64_t column : split) uses.emplace_back("the split", column);
  const bool has_uses =
      std::any_of(uses.begin(), uses.end(), [](const auto& use) { return use.second >= 0; });
  const bool has_features = !dataset.table_columns.empty();
  if (!has_uses && !has_features) return;
  dataset.reading += (dataset.reading.empty() ? "" : "; ") + describe_columns(table, uses);
  if (has_features) dataset.reading += (has_uses ? ", " : "") + describe_features(dataset);
}

void join_node_table(Dataset& dataset, const std::string& path, const TableOptions& options) {
  check(!dataset.is_set(), "{}: a node table can be joined to one graph, not to a set of graphs",
        path);
  const Table table = read_table(path);
  const int64_t id = id_column(table, options.id_column, {"id", "node_id", "node"});
  add_isolated(dataset, table, id);
  join_rows(dataset, table, match_rows(dataset, table, id), id, options);
  const NodeId num_nodes = dataset.graph.num_nodes();
  if (const int64_t missing = num_nodes - table.num_rows(); missing > 0)
    dataset.remarks.push_back(fmt::format("{} of the {} nodes have no row in {}",
                                          human_count(missing), human_count(num_nodes), path));
}

}  // namespace mgnn
