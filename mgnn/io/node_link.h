// Node-link JSON, of NetworkX and D3.
#pragma once

#include "mgnn/io/attributed.h"

namespace mgnn {

// {"directed": …, "nodes": [{"id": …, …}], "links": [{"source": …, "target": …, …}]}, also with "edges". Without
// "directed" edges have no direction. Nodes without ids are counted from 0. Attributes that are lists or
// objects are not used, which is said. Throws Error with path:line.
AttributedGraph parse_node_link(std::string_view text, const std::string& path,
                                const AttributedOptions& options = {});

}  // namespace mgnn
