// Bare edge lists as datasets, and datasets cut down to part of their nodes.
#pragma once

#include <string>

#include "mgnn/data/dataset.h"
#include "mgnn/io/edge_list.h"

namespace mgnn {

// The graph of an edge list, with its ids, relations and weights (summed over repeated edges). With
// `symmetrise`, an arc's weight is the sum over both directions.
Dataset dataset_of_edges(EdgeList list, const std::string& name, bool symmetrise = false);

// `dataset` after the options were applied to its graph: with reverse arcs, or only the nodes of
// the largest component, everything else being cut to fit. Throws Error (usage) if a component is
// asked for of a set of graphs.
Dataset rebuild(Dataset dataset, const BuildOptions& options);

}  // namespace mgnn
