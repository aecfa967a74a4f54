// The part of the data that an answer depends on, so that it can be asked for again with arcs removed.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "mgnn/data/dataset.h"
#include "mgnn/models/batch.h"

namespace mgnn {

// Some nodes (ascending) with their arcs, features, weights and relations: one graph, or with `one_of_set`
// one graph of a set.
Dataset part_of(const Dataset& data, std::span<const NodeId> nodes, bool one_of_set);

// The rows of `nodes`, in that order.
Features rows_of(const Features& features, std::span<const NodeId> nodes);

// Nodes at most `radius` steps from one of `centres`, whatever the directions; ascending.
std::vector<NodeId> ball(const Graph& graph, std::span<const NodeId> centres, int radius);

using NodePair = std::pair<NodeId, NodeId>;

// The data without these joined pairs, in either direction; or with these alone. Features stay.
enum class PairUse { removed, kept };
Dataset with_pairs(const Dataset& data, std::span<const NodePair> pairs, PairUse use);

}  // namespace mgnn
