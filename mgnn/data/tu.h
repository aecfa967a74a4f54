// The TU collection of graph sets: NAME_A.txt, NAME_graph_indicator.txt, …
#pragma once

#include <string>

#include "mgnn/data/dataset.h"

namespace mgnn {

// The folder that holds NAME_A.txt: `folder` itself, or raw, NAME or NAME/raw in it; "" if none.
// With an empty `name`, any NAME.
std::string find_tu_folder(const std::string& folder, const std::string& name = "");

// The set in `folder` (see find_tu_folder). Features: node attributes first, then every column of
// the node labels one-hot, its values ascending. Edge labels become relations. Graph labels become
// classes in ascending order; a set without them (for regression) has no labels. Targets: column
// `target_column` (a number from 1; empty: 1) of NAME_graph_attributes.txt, if there is such a file.
// Throws Error with path:line.
Dataset load_tu(const std::string& folder, const std::string& name = "",
                const std::string& target_column = "");

}  // namespace mgnn
