// Labels of nodes and arcs as numbers, from where datasets keep them.
#pragma once

#include "mgnn/data/dataset.h"

namespace mgnn {

// (n) the node types, or the values of the node labels that a set of the TU collection holds as its
// last, one-hot features; empty if the dataset has neither.
std::vector<int32_t> node_categories(const Dataset& dataset);

// (arcs) in the order of graph.out, the relation of each (the last that lists it, -1 if none does);
// empty if there are none.
std::vector<int32_t> arc_categories(const Dataset& dataset);

}  // namespace mgnn
