#include "mgnn/data/node_names.h"

#include <filesystem>

#include "mgnn/base/error.h"
#include "mgnn/data/nodes_by_name.h"
#include "mgnn/io/table.h"

namespace mgnn {
namespace {

// The column in which most cells are ids of the data; -1: none has any.
int64_t column_of_ids(const Table& table, const NodesByName& nodes, int64_t names) {
  int64_t best = -1, most = 0;
  for (int64_t c = 0; c < table.num_columns(); c++) {
    int64_t count = 0;
    for (int64_t r = 0; r < table.num_rows() && c != names; r++)
      count += nodes.find(std::string(table.cell(r, c))) >= 0;
    if (count > most) {
      most = count;
      best = c;
    }
  }
  return best;
}

}  // namespace

std::vector<std::string> node_names(const std::string& path, const Dataset& dataset) {
  const Table table = read_table(path);
  const int64_t name = table.column("name");
  const NodesByName nodes(dataset.ids, dataset.graph.num_nodes());
  const int64_t id = column_of_ids(table, nodes, name);
  if (id < 0) fail_data("{}: has no column with ids of {}", path, dataset.name);
  std::vector<std::string> names(size_t(dataset.graph.num_nodes()));
  for (int64_t r = 0; r < table.num_rows(); r++)
    if (const NodeId v = nodes.find(std::string(table.cell(r, id))); v >= 0)
      names[size_t(v)] = std::string(table.cell(r, name));
  return names;
}

std::string table_of_node_names(const std::string& folder) {
  const std::string path = folder + "/nodes.tsv";
  if (folder.empty() || !std::filesystem::is_regular_file(path)) return "";
  return read_table(path).find_column("name") >= 0 ? path : "";
}

}  // namespace mgnn
