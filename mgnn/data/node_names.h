// Names for people beside the ids of nodes.
#pragma once

#include "mgnn/data/dataset.h"

namespace mgnn {

// The column `name` of a CSV or TSV table whose other columns have the data's ids in one of them; of nodes
// that are not in the table, "". Throws Error (data) if there is no such column, or no ids of the data.
std::vector<std::string> node_names(const std::string& path, const Dataset& dataset);
// Where the data's own files may have them (a folder with nodes.tsv and a column `name`): else "".
std::string table_of_node_names(const std::string& folder);

}  // namespace mgnn
