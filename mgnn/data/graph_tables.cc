#include "mgnn/data/graph_tables.h"

#include <algorithm>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/rng.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/layout.h"
#include "mgnn/data/nodes_by_name.h"
#include "mgnn/data/table_columns.h"
#include "mgnn/data/table_features.h"

namespace mgnn {
namespace {

std::string table_path(const std::string& folder, const std::string& name) {
  const std::string csv = find_file(folder, name + ".csv");
  return csv.empty() ? find_file(folder, name + ".tsv") : csv;
}

Table need_table(const std::string& folder, const std::string& name) {
  const std::string path = table_path(folder, name);
  if (path.empty()) fail_data("{}: the table {}.csv is missing", folder, name);
  return read_table(path);
}

int64_t graph_column(const Table& table) {
  return first_usual_column(table, {"graph", "graph_id"});
}
int64_t node_column(const Table& table) {
  return first_usual_column(table, {"id", "node_id", "node"});
}

// A node is known by its graph and its name there.
struct NodeKey {
  NodeId graph;
  std::string_view name;
  bool operator==(const NodeKey&) const = default;
};
struct NodeKeyHash {
  size_t operator()(const NodeKey& key) const {
    return std::hash<std::string_view>()(key.name) ^
           size_t(mix_bits(uint64_t(uint32_t(key.graph)) + 0x9E3779B97F4A7C15ull));
  }
};
using NodesByKey = std::unordered_map<NodeKey, NodeId, NodeKeyHash>;

NodeIndex index_graphs(const Table& table, int64_t id) {
  NodeIndex graphs;
  graphs.reserve(size_t(table.num_rows()));
  for (int64_t r = 0; r < table.num_rows(); r++)
    if (!graphs.insert(trimmed(table.cell(r, id)), NodeId(r)))
      fail_at(table.path(), table.line(r), "graph {} was there before",
              in_quotes(trimmed(table.cell(r, id))));
  return graphs;
}

// The graph of every row.
std::vector<NodeId> graphs_of_rows(const Table& table, const NodeIndex& graphs) {
  const int64_t column = graph_column(table);
  std::vector<NodeId> graph_of(size_t(table.num_rows()));
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const std::string_view name = trimmed(table.cell(r, column));
    if ((graph_of[r] = graphs.find(name)) < 0)
      fail_at(table.path(), table.line(r), "graph {} is not in the table of graphs",
              in_quotes(name));
  }
  return graph_of;
}

// The node of every row: those of a graph follow each other, as in the table.
std::vector<NodeId> number_nodes(const std::vector<NodeId>& graph_of, int64_t num_graphs,
                                 std::vector<NodeId>& graph_start) {
  graph_start.assign(size_t(num_graphs) + 1, 0);
  for (const NodeId g : graph_of) graph_start[g + 1]++;
  for (size_t g = 0; g < size_t(num_graphs); g++) graph_start[g + 1] += graph_start[g];
  std::vector<NodeId> next(graph_start.begin(), graph_start.end() - 1), node_of;
  for (const NodeId g : graph_of) node_of.push_back(next[g]++);
  return node_of;
}

NodesByKey index_nodes(const Table& table, const std::vector<NodeId>& graph_of,
                       const std::vector<NodeId>& node_of) {
  const int64_t id = node_column(table);
  NodesByKey nodes;
  nodes.reserve(node_of.size());
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const std::string_view name = trimmed(table.cell(r, id));
    if (!nodes.emplace(NodeKey{graph_of[r], name}, node_of[r]).second)
      fail_at(table.path(), table.line(r), "node {} was there before in the same graph",
              in_quotes(name));
  }
  return nodes;
}

// Which columns nobody looks at.
void remark_unused(Dataset& dataset, const Table& table, const std::vector<int64_t>& used) {
  std::vector<std::string> names;
  for (int64_t c = 0; c < table.num_columns(); c++)
    if (std::find(used.begin(), used.end(), c) == used.end())
      names.push_back(in_quotes(table.columns()[c]));
  if (!names.empty())
    dataset.remarks.push_back(
        fmt::format("{}: columns not used: {}", table.path(), human_list(names, 8)));
}

// What the columns of graphs are used as, for the line that says what was understood.
void describe(Dataset& dataset, const Table& graphs, int64_t id, int64_t label, int64_t target,
              const std::vector<int64_t>& split) {
  std::vector<std::pair<const char*, int64_t>> uses = {
      {"ids are", id}, {"classes", label}, {"targets", target}};
  for (const int64_t column : split) uses.emplace_back("the split", column);
  dataset.reading = describe_columns(graphs, uses);
  if (!dataset.table_columns.empty()) dataset.reading += "; nodes: " + describe_features(dataset);
}

Array<Edge> read_edges(Dataset& dataset, const Table& table, const NodeIndex& graphs,
                       const NodesByKey& nodes) {
  const std::vector<NodeId> graph_of = graphs_of_rows(table, graphs);
  const int64_t graph = graph_column(table);
  const int64_t from = first_usual_column(table, {"from", "source"});
  const int64_t to = first_usual_column(table, {"to", "target"});
  remark_unused(dataset, table, {graph, from, to});
  Array<Edge> edges;
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const auto end = [&](int64_t column) {
      const std::string_view name = trimmed(table.cell(r, column));
      const auto found = nodes.find({graph_of[r], name});
      if (found == nodes.end())
        fail_at(table.path(), table.line(r), "node {} is not in the table of nodes of graph {}",
                in_quotes(name), in_quotes(trimmed(table.cell(r, graph))));
      return found->second;
    };
    edges.push_back({end(from), end(to)});
  }
  return edges;
}

std::vector<std::string_view> read_names(const Table& table, int64_t column) {
  std::vector<std::string_view> names;
  for (int64_t r = 0; r < table.num_rows(); r++) names.push_back(trimmed(table.cell(r, column)));
  return names;
}

}  // namespace

bool is_graph_tables_folder(const std::string& folder) {
  for (const char* name : {"graphs", "nodes", "edges"})
    if (table_path(folder, name).empty()) return false;
  return true;
}

Dataset load_graph_tables(const std::string& folder, const TableOptions& options) {
  const Table graph_table = need_table(folder, "graphs");
  const Table node_table = need_table(folder, "nodes");
  const Table edge_table = need_table(folder, "edges");
  for (const Table* table : {&graph_table, &node_table})
    if (table->num_rows() >= std::numeric_limits<NodeId>::max())
      fail_data("{}: has too many rows", table->path());
  const int64_t id = id_column(graph_table, options.id_column, {"id", "graph_id", "graph"});
  const NodeIndex graphs = index_graphs(graph_table, id);
  const std::vector<NodeId> graph_of = graphs_of_rows(node_table, graphs);

  Dataset dataset;
  dataset.name = last_name(folder);
  const std::vector<NodeId> node_of =
      number_nodes(graph_of, graph_table.num_rows(), dataset.graph_start);
  const NodesByKey nodes = index_nodes(node_table, graph_of, node_of);
  BuiltGraph built =
      build_graph(NodeId(node_of.size()), read_edges(dataset, edge_table, graphs, nodes));
  dataset.graph = std::move(built.graph);
  dataset.build = built.stats;
  set_table_features(dataset, node_table, node_of,
                     {.taken = {graph_column(node_table), node_column(node_table)},
                      .category = usual_column(node_table, "label")});

  std::vector<NodeId> in_order;
  for (int64_t g = 0; g < graph_table.num_rows(); g++) in_order.push_back(NodeId(g));
  dataset.graph_ids = node_ids_of(read_names(graph_table, id));
  const int64_t label = label_column(graph_table, options);
  const int64_t target = target_column(graph_table, options);
  const std::vector<int64_t> split = split_columns(dataset, graph_table, options);
  std::vector<int64_t> used = {id, label, target};
  used.insert(used.end(), split.begin(), split.end());
  remark_unused(dataset, graph_table, used);
  if (label >= 0 && label != target) set_labels(dataset, graph_table, label, in_order);
  if (target >= 0)
    dataset.target = read_targets(graph_table, target, in_order, dataset.num_graphs());
  if (!split.empty()) dataset.splits.push_back(read_split(graph_table, split, in_order));
  describe(dataset, graph_table, id, label == target ? -1 : label, target, split);
  return dataset;
}

}  // namespace mgnn
