// METIS graphs, also of KaHIP, Scotch and NetworKit.
#pragma once

#include "mgnn/io/attributed.h"

namespace mgnn {

// A line of the numbers of nodes and edges, then one of each node with its neighbours, counted from 1; the
// third number tells whether nodes have sizes and weights, which are their attributes, and edges weights.
// Every edge stands in the lines of both ends. Throws Error with path:line.
AttributedGraph parse_metis(std::string_view text, const std::string& path);

}  // namespace mgnn
