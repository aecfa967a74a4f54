// The user's own table of nodes, joined to a graph by id.
#pragma once

#include <string>

#include "mgnn/data/table_columns.h"

namespace mgnn {

// Sets label, node_type, target, features and a split named "table" from the CSV or TSV file `path`.
// Labels and types are numbered as `classes_of` says; cells that are missing (table_cells.h) are
// unknown. The split is a column of words or three masks (table_columns.h). A target is
// a number; its column is not a feature. Rows whose id is not in the graph become nodes without
// edges; nodes without a row have missing features, an unknown label and target and the type "".
// Remarks count both.
// Throws Error with path:line on an id that was there before, on what is not a finite number among
// numbers, on an unknown word in the split column, and (data) where no id is in the graph.
void join_node_table(Dataset& dataset, const std::string& path, const TableOptions& options = {});

// The same of a table whose row r is of node_of[r]: no id is looked up. `id`: the column of ids, which is no
// feature, or -1.
void join_rows(Dataset& dataset, const Table& table, const std::vector<NodeId>& node_of, int64_t id,
               const TableOptions& options);

}  // namespace mgnn
