// Datasets that are always here: made by our own code from a seed.
#pragma once

#include "mgnn/data/dataset.h"

namespace mgnn {

// Zachary's karate club (1977): 34 members, 78 friendships, and whom each followed when the club
// split. Undirected; features identity; no chance involved.
Dataset karate_dataset();

// Nodes by their role in planted triangles. Directed; every node has the same number of out-arcs
// and in-arcs and no mutual neighbour, so message passing along arcs sees no difference between
// any two nodes (colour refinement ends with one colour). What differs is which triangles a node
// is in: none ("bystander"), a cycle M1 ("feedback"), a feed-forward loop M5 ("feedforward"), one
// of each ("relay"). There are no other triangles.
struct RolesOptions {
  NodeId nodes = 1800;   // a multiple of 12, so that classes are equal
  int degree = 4;        // out-arcs, and in-arcs, of every node; from 3 on
  int dimensions = 8;    // of the features: a one, then noise that hints at the class
  double signal = 0.15;  // distance of class means, in standard deviations of the noise
  int splits = 5;        // random ones, 60 : 20 : 20, stratified
};
Dataset roles_dataset(const RolesOptions& options, uint64_t seed);

// A set of graphs by the kind of their triangles: none, cyclic (M1) or transitive (M5). In all of
// them every node has two out-arcs and two in-arcs, and sizes are alike in all classes: colour
// refinement cannot tell a graph from any other of its size. Features are constant; five
// stratified folds.
struct TriadsOptions {
  int graphs = 300;                       // a multiple of 3: equally many of each class
  NodeId min_nodes = 12, max_nodes = 40;  // nodes of a graph
};
Dataset triads_dataset(const TriadsOptions& options, uint64_t seed);

// A knowledge graph of compounds, genes, diseases and pathways. Hidden rule: a compound treats a
// disease if it binds a gene associated with that disease. Node names are like "gene:0042".
// Relations: binds, associates, participates, interacts, treats.
struct ToykgOptions {
  NodeId compounds = 150, genes = 400, diseases = 100, pathways = 40;
  int genes_per_compound = 3, genes_per_disease = 6;  // on average
  double kept = 0.8;   // share of the links by the rule that are listed
  double wrong = 0.1;  // listed links beside the rule, as a share of those by it
};
Dataset toykg_dataset(const ToykgOptions& options, uint64_t seed);

// By name: karate, roles, triads, toykg, at their usual size. Throws Error (usage) with the
// nearest name on any other.
Dataset embedded_dataset(const std::string& name, uint64_t seed = 0);
const std::vector<std::string>& embedded_names();

}  // namespace mgnn
