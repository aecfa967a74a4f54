// SIF, the simple interaction format of Cytoscape.
#pragma once

#include "mgnn/io/edge_list.h"

namespace mgnn {

// A line is "source relation target target …", an arc for each target, or a node alone. Cells are
// separated by tabs if there is one in the text, else by blanks. Ids are strings. Throws Error with
// path:line on a line of two cells or with an empty one.
EdgeList parse_sif(std::string_view text, const std::string& path);

}  // namespace mgnn
