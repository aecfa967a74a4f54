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

int64_t id_column(const Table& table, const std::string& wanted) {
  return wanted.empty() ? first_usual_column(table, {"id", "node_id", "node"})
                        : table.column(wanted);
}

// Whether the column is named, need not be there, and is not.
bool is_left_out(const Table& table, const std::string& wanted, const NodeTableOptions& options) {
  const std::vector<std::string>& optional = options.optional_columns;
  return std::find(optional.begin(), optional.end(), wanted) != optional.end() &&
         table.find_column(wanted) < 0;
}

// -1 if the column is absent and need not be there, or is not named and its usual name is absent.
int64_t optional_column(const Table& table, const std::string& wanted, const char* usual,
                        const NodeTableOptions& options) {
  if (is_left_out(table, wanted, options)) return -1;
  return wanted.empty() ? usual_column(table, usual) : table.column(wanted);
}

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
              table.path(), in_quotes(table.columns()[size_t(column)]), in_quotes(unknown[0]),
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

// What every column is used as, for the line that says what was understood.
void describe(Dataset& dataset, const Table& table, int64_t id,
              std::initializer_list<std::pair<const char*, int64_t>> others) {
  const auto name = [&](int64_t column) { return in_quotes(table.columns()[size_t(column)]); };
  std::string text = fmt::format("{}: ids are {}", table.path(), name(id));
  for (const auto& [what, column] : others)
    if (column >= 0) text += fmt::format(", {} {}", what, name(column));
  std::vector<std::string> features;
  for (const std::string& column : dataset.table_columns)
    features.push_back(in_quotes(column.substr(0, column.rfind(':'))));
  if (!features.empty()) text += ", features " + human_list(features, 8);
  dataset.reading += (dataset.reading.empty() ? "" : "; ") + text;
}

}  // namespace

void join_node_table(Dataset& dataset, const std::string& path, const NodeTableOptions& options) {
  check(!dataset.is_set(), "{}: a node table can be joined to one graph, not to a set of graphs",
        path);
  const Table table = read_table(path);
  const int64_t id = id_column(table, options.id_column);
  const int64_t label = optional_column(table, options.label_column, "label", options);
  const int64_t type = optional_column(table, options.type_column, "type", options);
  const int64_t split = optional_column(table, options.split_column, "split", options);
  const int64_t target = is_left_out(table, options.target_column, options)
                             ? -1
                             : target_column(table, options.target_column);
  add_isolated(dataset, table, id);
  const std::vector<NodeId> node_of = match_rows(dataset, table, id);
  const NodeId num_nodes = dataset.graph.num_nodes();

  if (label >= 0 && label != target) set_labels(dataset, table, label, node_of);
  if (type >= 0) set_types(dataset, table, type, node_of);
  if (target >= 0) dataset.target = read_targets(table, target, node_of, num_nodes);
  std::vector<int64_t> taken = {id, label, split, target};
  if (options.feature_columns.empty()) taken.push_back(type);  // a feature only if it is asked for
  set_table_features(dataset, table, node_of, {.wanted = options.feature_columns, .taken = taken});
  if (split >= 0) dataset.splits.push_back(read_split(table, split, node_of));
  describe(dataset, table, id,
           {{"classes", label == target ? -1 : label},
            {"targets", target},
            {"types", type},
            {"the split", split}});
  if (const int64_t missing = num_nodes - table.num_rows(); missing > 0)
    dataset.remarks.push_back(fmt::format("{} of the {} nodes have no row in {}",
                                          human_count(missing), human_count(num_nodes), path));
}

}  // namespace mgnn
