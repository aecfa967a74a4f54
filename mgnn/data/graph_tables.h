// The user's own set of graphs as three tables.
#pragma once

#include <string>

#include "mgnn/data/table_columns.h"

namespace mgnn {

// Whether `folder` holds graphs.csv, nodes.csv and edges.csv (or .tsv; compressed or not).
bool is_graph_tables_folder(const std::string& folder);

// The set of graphs in `folder`:
//   graphs  id, label (the class; may be empty: unknown), split (train, val or test; may be absent),
//           target (a number to predict; may be empty: unknown), or as the options call them
//   nodes   graph, id, label (one-hot; may be absent), and attributes: every other column that
//           begins with a number (a remark names those left out)
//   edges   graph, from, to
// Node ids count within their graph. Graphs are in the order of the table of graphs, nodes in that
// of theirs. Throws Error with path:line on ids that are unknown or there twice, and on attributes
// or targets that are not finite numbers.
Dataset load_graph_tables(const std::string& folder, const TableOptions& options = {});

}  // namespace mgnn
