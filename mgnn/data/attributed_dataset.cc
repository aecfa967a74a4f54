#include "mgnn/data/attributed_dataset.h"

#include <numeric>

#include "mgnn/base/human.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/formats.h"
#include "mgnn/data/node_table.h"

namespace mgnn {
namespace {

void use_attributes(Dataset& dataset, const AttributedGraph& graph, const std::string& path,
                    int64_t bytes, const LoadOptions& options) {
  int64_t repeated = 0;
  const Table table = node_table(graph, path, bytes, repeated);
  TableOptions columns = table_options(options);
  columns.id_column.clear();
  const bool has_type = table.find_column(graph.type_attribute) >= 0;
  if (columns.type_column.empty() && has_type) columns.type_column = graph.type_attribute;
  std::vector<NodeId> node_of(graph.names.size());
  std::iota(node_of.begin(), node_of.end(), NodeId(0));
  if (table.num_columns() > 0 || !columns.label_column.empty() || !columns.type_column.empty() ||
      !columns.split_column.empty() || !columns.feature_columns.empty())
    join_rows(dataset, table, node_of, /*id=*/-1, columns);
  if (repeated > 0)
    dataset.remarks.push_back(
        fmt::format("{} values of attributes are not used: a node that has several keeps the first",
                    human_count(repeated)));
}

}  // namespace

AttributedOptions attributed_options(const LoadOptions& options) {
  return {.relation = options.edge_list.relation_column, .weight = options.edge_list.weight_column};
}

Dataset dataset_of_attributed(AttributedGraph graph, std::string_view title,
                              const std::string& path, const std::string& name, int64_t bytes,
                              const LoadOptions& options) {
  graph.list.ids = node_ids_of(graph.names);
  graph.list.reading = fmt::format("{}: {}", title, graph.list.reading);
  Dataset dataset =
      dataset_of_edges(std::move(graph.list), name, {.symmetrise = options.undirected});
  dataset.remarks.insert(dataset.remarks.end(), graph.remarks.begin(), graph.remarks.end());
  if (options.nodes.empty())
    use_attributes(dataset, graph, path, bytes, options);
  else if (!graph.nodes.values.empty())
    dataset.remarks.push_back(
        "attributes of nodes in the file are not used: there is a node table");
  return dataset;
}

}  // namespace mgnn
