// The user's own table of nodes, joined to a graph by id.
#pragma once

#include <string>
#include <vector>

#include "mgnn/data/dataset.h"

namespace mgnn {

// A column that is named must be there; one left empty has a usual name and may be absent.
struct NodeTableOptions {
  std::string id_column = {};                     // empty: id, node_id or node
  std::string label_column = {};                  // empty: label, if there
  std::string type_column = {};                   // empty: type, if there
  std::string split_column = {};                  // empty: split, if there
  std::string target_column = {};                 // empty: target, if there and of numbers
  std::vector<std::string> feature_columns = {};  // empty: every other column that begins with a
                                                  // number
};

// Sets label, node_type, target, features and a split named "table" from the CSV or TSV file `path`.
// Labels and types are numbered as `classes_of` says; an empty label is unknown. The split column
// holds train, val (valid, validation), test, or nothing. A target is a number or, where
// unknown, nothing; its column is not a feature. Nodes without a row have zero features, an unknown
// label and target and the type "", and a remark counts them.
// Throws Error with path:line on an id that is not in the graph or was there before, on a feature
// or target that is not a finite number, and on an unknown word in the split column.
void join_node_table(Dataset& dataset, const std::string& path,
                     const NodeTableOptions& options = {});

}  // namespace mgnn
