// Graphs with attributes as datasets.
#pragma once

#include <string>
#include <string_view>

#include "mgnn/data/load.h"
#include "mgnn/io/attributed.h"

namespace mgnn {

// The dataset of a graph read from `path`, a file of `bytes` in the format `title`. Attributes of nodes are
// used as the columns of a node table (node_table.h), unless the options name a table of the user's own; then
// they are not, which is said.
Dataset dataset_of_attributed(AttributedGraph graph, std::string_view title,
                              const std::string& path, const std::string& name, int64_t bytes,
                              const LoadOptions& options);

// What options say of attributes of edges.
AttributedOptions attributed_options(const LoadOptions& options);

}  // namespace mgnn
