// Features for graphs that come without any.
#pragma once

#include <span>

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

// What the structure around a node tells, as log(1 + x): in-, out- and mutual degree, the degree profile
// and how many induced instances of each motif the node is part of: (n, 21), columns as in
// structure_feature_names. With roles, then also in how many the node has each of the 30 roles
// (motif/roles.h): (n, 51). Of a set of graphs, each node sees its own graph alone.
enum class StructureRoles { no, yes };
Matrix structure_features(const Graph& graph, StructureRoles roles = StructureRoles::no);
std::vector<std::string> structure_feature_names(StructureRoles roles = StructureRoles::no);

struct FeatureMaker {
  std::string name;
  bool measured = false;  // columns are measurements, which training scales
  Features (*make)(const Graph& graph, Rng rng) = nullptr;
  std::vector<std::string> columns = {};  // their names, if they have any
};
std::span<const FeatureMaker> feature_makers();
std::vector<std::string> feature_maker_names();
// Throws Error (usage) with the nearest name if there is none.
const FeatureMaker& feature_maker(const std::string& name);

}  // namespace mgnn
