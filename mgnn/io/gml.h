// GML, of NetworkX, igraph, Gephi and yEd.
#pragma once

#include "mgnn/io/attributed.h"

namespace mgnn {

// Nodes are called by their labels, if all differ. Lists within nodes and edges (graphics) are not used.
// Throws Error with path:line.
AttributedGraph parse_gml(std::string_view text, const std::string& path,
                          const AttributedOptions& options = {});

}  // namespace mgnn
