// Learning to know two views of the same thing from views of others.
#pragma once

#include "mgnn/task/unsupervised.h"

namespace mgnn {

// Items are the nodes of one graph or the graphs of a set. Every step has views of its own, with
// operators of their own; their loss compares some nodes that are in both (one step an epoch), or
// the graphs of a batch. No matrix has more than anchors² (batch_size²) elements. Everything must
// outlive the problem.
std::unique_ptr<Problem> contrastive_problem(const Dataset& dataset, const Model& model,
                                             const Split& items,
                                             const UnsupervisedOptions& settings,
                                             int64_t batch_size, const Rng& rng);

}  // namespace mgnn
