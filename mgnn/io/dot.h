// DOT, the language of Graphviz, as far as it states nodes and edges.
#pragma once

#include "mgnn/io/attributed.h"

namespace mgnn {

// Statements of nodes and edges (a -> b -> c, {a b} -> c), attributes in brackets, subgraphs (whose nodes and
// edges are the graph's). Ports and what only says how to draw are not used; `label` of a node is its
// name, if all differ. Throws Error with path:line.
AttributedGraph parse_dot(std::string_view text, const std::string& path,
                          const AttributedOptions& options = {});

}  // namespace mgnn
