// Planetoid's files: ind.<name>.{x,tx,allx,y,ty,ally,graph,test.index}.
#pragma once

#include <string>

#include "mgnn/data/dataset.h"

namespace mgnn {

// The <name> of the ind.<name>.graph in `folder`, or "".
std::string planetoid_name(const std::string& folder);

// Nodes in the order of the graph file. Test nodes whose row is missing (15 in CiteSeer) have zero
// features and an unknown label, and a remark says so. Splits: "public" (training: the rows of y;
// validation: the next 500; test: test.index), then those of the folder geom_splits, if any.
// Throws Error (data) if a file is missing, broken, or does not fit the others.
Dataset load_planetoid(const std::string& folder);

}  // namespace mgnn
