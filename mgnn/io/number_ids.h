// From the ids of a file to node numbers 0..n-1 in ascending order of id.
#pragma once

#include "mgnn/io/edge_rows.h"

namespace mgnn {

// Fills num_nodes, edges and ids of an edge list from integer rows. `ids` stays trivial if the ids
// are 0..n-1 already. Parallel.
void number_ids(EdgeRows& rows, const std::string& path, EdgeList& list);

// `distinct` as a number of nodes; throws Error (data) if it is over 2^31 - 1.
NodeId node_count(int64_t distinct, const std::string& path);

}  // namespace mgnn
