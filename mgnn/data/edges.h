// Bare edge lists as datasets, and datasets cut down to part of their nodes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "mgnn/data/dataset.h"
#include "mgnn/io/edge_list.h"

namespace mgnn {

// The graph of an edge list, with its ids, relations and weights (summed over repeated edges). If
// symmetrised, an arc's weight is the sum over both directions.
Dataset dataset_of_edges(EdgeList list, const std::string& name, BuildOptions options = {});

// With the reverse of every arc; an arc's weight is the sum over both directions.
Dataset symmetrised(Dataset dataset);

// A dataset of the arcs of `part`, which are arcs of the dataset, with their weights and relations,
// and of nothing else but its name.
Dataset arcs_of_part(const Dataset& dataset, Graph part);

// Only the nodes of the largest weakly connected component (the one with the smallest node if
// several are as large), everything else cut to fit. Throws Error (usage) on a set of graphs.
Dataset largest_component(Dataset dataset);

// Adds nodes without edges behind the others; their labels and targets are unknown. Throws Error (data)
// if nodes have features or types, which the new ones lack.
// REQUIRES: names are whole numbers if those of the dataset are.
void add_isolated_nodes(Dataset& dataset, std::span<const std::string_view> names);

}  // namespace mgnn
