// Datasets for programs that draw graphs.
#pragma once

#include "mgnn/data/dataset.h"
#include "mgnn/io/drawn_graph.h"

namespace mgnn {

inline constexpr int64_t kMaxDrawnFeatures = 256;  // columns; more are left out

// The graph with what its nodes have (class, target, type, split, graph, features) and its arcs (relation,
// weight). An arc of several relations stands there once for each. Undirected if every arc has its reverse
// with the same weight, and there are no relations. The dataset must outlive it. Throws Error (data) if there
// are weights and an arc has several relations.
enum class DrawnFeatures { no, yes };
DrawnGraph drawn_graph(const Dataset& dataset, DrawnFeatures features = DrawnFeatures::yes);

}  // namespace mgnn
