// Pajek's .net files.
#pragma once

#include "mgnn/io/attributed.h"

namespace mgnn {

// *Vertices with labels, then *Arcs, *Edges, *Arcslist, *Edgeslist (perhaps of several relations) and *Matrix.
// Nodes are called by their labels, if all differ, else 1, 2, …; of two-mode networks the mode is the type.
// Positions and other parameters are not used. Throws Error with path:line.
AttributedGraph parse_pajek(std::string_view text, const std::string& path,
                            const AttributedOptions& options = {});

}  // namespace mgnn
