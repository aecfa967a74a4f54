// A dataset as a batch, and some graphs of a set as a batch of their own.
#pragma once

#include "mgnn/data/dataset.h"
#include "mgnn/models/model.h"

namespace mgnn {

// Throws Error (data) that names the first arc whose weight the network cannot use, if it uses any.
void check_arc_weights(const Dataset& dataset, const Model& model);

// One graph, or all graphs of a set with the operators of their union; weights and relations of arcs
// are those of the dataset. Throws Error as check_arc_weights.
// REQUIRES: the dataset has features.
Batch whole_batch(const Dataset& dataset, const Model& model);

// `whole` is the block-diagonal union of a set of graphs with the operators of the union. Fills
// `part` with the chosen graphs in the given order, each any number of times. The rows of a graph
// are contiguous in every operator, its transpose and its places, so they are copied and shifted;
// nothing is counted or sorted again. O(size of the part); the memory of `part` is reused.
//
// REQUIRES: 0 <= graph < whole.num_graphs(); no operator joins two graphs.
void slice_batch(const Batch& whole, std::span<const NodeId> graphs, Batch& part);
Batch slice_batch(const Batch& whole, std::span<const NodeId> graphs);

}  // namespace mgnn
