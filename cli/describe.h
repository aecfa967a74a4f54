// A dataset in words, numbers and tables.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "mgnn/data/dataset.h"
#include "mgnn/graph/graph.h"

namespace mgnn {

// Prints what `dataset` is: sizes, degrees, classes, types, relations, splits, remarks.
void print_dataset(const Dataset& dataset, const GraphSummary& summary);

// The same as one object. Its first nine keys are a contract: nodes, arcs, undirected_edges,
// reciprocal_pairs, self_loops_dropped, duplicates_dropped, features, classes, graphs.
nlohmann::ordered_json dataset_json(const Dataset& dataset, const GraphSummary& summary);

}  // namespace mgnn
