// The batch of a network for one graph whose nodes are divided among ranks.
#pragma once

#include "mgnn/comm/comm.h"
#include "mgnn/models/model.h"

namespace mgnn {

// Whether ranks divide a graph of so many nodes: it is large enough, and there are several; `comm` may be
// null. Smaller ones are faster whole.
bool is_divided(const Comm* comm, int64_t nodes);

// Leaves this rank's rows of features and operators, which all ranks have whole. Sums have the same bits for
// any number of ranks. Nothing happens on one rank, or if the graph is too small. Called by all ranks.
// Throws Error (usage) if there are more ranks than can have a part.
void divide_batch(Comm& comm, Batch& batch);

}  // namespace mgnn
