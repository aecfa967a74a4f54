// GraphML, of NetworkX, igraph, Gephi, yEd and Neo4j, and GEXF, of Gephi.
#pragma once

#include "mgnn/io/attributed.h"

namespace mgnn {

// Nested graphs are part of the one around them; ports are not used; hyperedges are refused. Of elements
// that yEd puts into data, the text of a node's label is read. Throws Error with path:line.
AttributedGraph parse_graphml(std::string_view text, const std::string& path,
                              const AttributedOptions& options = {});

// Edges of type mutual are undirected. Positions, colours and sizes are not used, nor are times, which is
// said. Throws Error with path:line.
AttributedGraph parse_gexf(std::string_view text, const std::string& path,
                           const AttributedOptions& options = {});

}  // namespace mgnn
