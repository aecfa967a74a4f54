// The user's own table of nodes, joined to a graph by id.
#pragma once

#include <string>
#include <vector>

#include "mgnn/data/dataset.h"

namespace mgnn {

// A column that is named must be there, unless it is one of the optional; one left empty has a usual name
// and may be absent.
struct NodeTableOptions {
  std::string id_column = {};                      // empty: id, node_id or node
  std::string label_column = {};                   // empty: label, if there
  std::string type_column = {};                    // empty: type, if there
  std::string split_column = {};                   // empty: split, if there
  std::string target_column = {};                  // empty: target, if there and of numbers
  std::vector<std::string> feature_columns = {};   // empty: all others, as table_features.h says
  std::vector<std::string> optional_columns = {};  // as LoadOptions::optional_columns
};

// Sets label, node_type, target, features and a split named "table" from the CSV or TSV file `path`.
// Labels and types are numbered as `classes_of` says; cells that are missing (table_cells.h) are
// unknown. The split column holds train, val (valid, validation, dev), test, or nothing. A target is
// a number; its column is not a feature. Rows whose id is not in the graph become nodes without
// edges; nodes without a row have missing features, an unknown label and target and the type "".
// Remarks count both.
// Throws Error with path:line on an id that was there before, on what is not a finite number among
// numbers, on an unknown word in the split column, and (data) where no id is in the graph.
void join_node_table(Dataset& dataset, const std::string& path,
                     const NodeTableOptions& options = {});

}  // namespace mgnn
