// Edge lists that are read by several ranks, each of which parses its own part of the file.
#pragma once

#include <optional>
#include <string>

#include "mgnn/cluster/rank_graph.h"
#include "mgnn/data/load.h"

namespace mgnn {

// Nodes have the numbers that load_dataset gives them. Nothing if the file must be read whole: `what` is
// not a plain edge list, is compressed, or options ask for more than its arcs. Called by all ranks.
// Throws Error on all of them, with path:line, if any finds its part wrong.
std::optional<RankGraph> read_edge_list_in_parts(Comm& comm, const std::string& what,
                                                 const LoadOptions& options);

}  // namespace mgnn
