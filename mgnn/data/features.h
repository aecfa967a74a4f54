// Features for graphs that come without any.
#pragma once

#include "mgnn/base/rng.h"
#include "mgnn/data/dataset.h"

namespace mgnn {

// Degree (out + in neighbours as one set), and min, max, mean, standard deviation of the
// neighbours' degrees: (n, 5). Nodes without neighbours have zeros.
Matrix degree_profile(const Graph& graph);
// Out- and in-degree one-hot, degrees above `max_degree` counted as it: sparse (n, …).
SparseMatrix one_hot_degree(const Graph& graph, NodeId max_degree = 64);
Matrix constant_features(NodeId num_nodes);                         // (n, 1) ones
Matrix random_features(NodeId num_nodes, int dimensions, Rng rng);  // (n, dimensions), normal
SparseMatrix identity_features(NodeId num_nodes);                   // (n, n)

// By name: degree-profile, one-hot-degree, constant, random, identity. Throws Error (usage) with
// the nearest name on any other.
Features make_features(const std::string& kind, const Graph& graph, Rng rng);
const std::vector<std::string>& feature_makers();

}  // namespace mgnn
