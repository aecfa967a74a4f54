// Everything a task needs to know of its data.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "mgnn/base/rng.h"
#include "mgnn/graph/graph.h"
#include "mgnn/tensor/matrix.h"

namespace mgnn {

// Node features: none, dense, or sparse.
using Features = std::variant<std::monostate, Matrix, SparseMatrix>;
int64_t num_features(const Features& features);  // columns; 0 if none

// A relation's edges as listed: directed, possibly the same pair in several relations.
struct Relation {
  std::string name;
  Array<Edge> edges;
};

// Nodes (or graphs, in a set of graphs) by use; ascending, disjoint. They need not cover all.
struct Split {
  std::string name;  // "public", "geom-gcn 0", …
  std::vector<NodeId> train, validation, test;
};

// One graph, or a set of graphs as their block-diagonal union: graph g is the nodes
// graph_start[g] .. graph_start[g + 1] - 1.
struct Dataset {
  std::string name;
  Graph graph;
  BuildStats build;  // what was dropped on the way in
  NodeIds ids;
  std::vector<NodeId> graph_start;  // (graphs + 1) for a set of graphs, empty for one graph
  NodeIds graph_ids;                // what the user calls the graphs of a set

  Features features;
  std::string features_from;  // where they are from: "bag of words", "node labels, one-hot"
  // The first columns of `features` that are measured, like node attributes; the others are one-hot
  // or counts and have their scale by themselves.
  int64_t num_attributes = 0;
  std::vector<std::string> feature_names;  // (columns): "charge", "label=C"; or empty
  // Columns of a node table that they are made of, with their kinds: "charge:number"; or empty.
  std::vector<std::string> table_columns;
  std::vector<int32_t> label;  // (n) or, in a set of graphs, (graphs); -1: unknown; may be empty
  // Instead of `label` where items have several: ascending, without repetition; empty: unknown.
  std::vector<std::vector<int32_t>> label_set;
  std::vector<std::string> class_names;
  // Numbers to predict: (n) or, in a set of graphs, (graphs); NaN: unknown; may be empty.
  std::vector<double> target;

  std::vector<int32_t> node_type;  // (n), or empty
  std::vector<std::string> node_type_names;
  std::vector<Relation> relations;  // typed edges, where the data have types
  Array<float> arc_weight;          // (arcs) in the order of graph.out, or empty: all 1

  std::vector<Split> splits;         // those that come with the data
  std::vector<std::string> remarks;  // oddities worth telling the user: one sentence each
  std::string reading;  // what was understood of the user's own file: its columns, ids; or empty

  bool is_set() const { return !graph_start.empty(); }
  NodeId num_graphs() const { return is_set() ? NodeId(graph_start.size()) - 1 : 1; }
  int num_classes() const { return int(class_names.size()); }
};

// Throws Error (data) that names `dataset.name` if the parts do not fit each other.
void validate(const Dataset& dataset);

// ---- which split a repetition of an experiment uses: the one place that knows names of splits

struct SplitOptions {
  // auto: the user's own, of a column of a table or of masks in a file, if there is one, else random.
  // Nodes: random, public-test (half of the public test nodes validate), or the beginning of the
  // name of some of the dataset's own splits, which repetitions take in turn.
  // Graphs: random (stratified cross-validation: fold f is test, the next one validation),
  // sklearn:N (the folds that scikit-learn draws with random_state N, whatever the seed), or the
  // beginning of the name of some of the dataset's own splits, all of which are used.
  std::string name = "auto";
  int64_t folds = 5;                         // of graphs
  int64_t num_validation = 0, num_test = 0;  // of a random split of nodes; 0: as default_split
};

// The splits of one repetition: of nodes one, of a set of graphs as many as there are folds.
// `label` (items): the class by which random splits are stratified; -1: the item is in none.
// `rng` draws random splits, `repetition` counts from 0.
// Of the dataset's own splits, items without a class are left out, and where none validate, a fifth of
// those to train do, at random.
// Throws Error (usage) if there is no split of that name or the items are too few for it, and Error
// (data) if a split has no items to train on.
std::vector<Split> select_splits(const Dataset& dataset, const std::vector<int32_t>& label,
                                 const SplitOptions& options, const Rng& rng, int64_t repetition);

// The name that auto stands for, else the name itself.
std::string split_name(const Dataset& dataset, const SplitOptions& options);
// What was guessed or changed of the dataset's own split; empty if nothing. `label` may be empty.
std::string split_note(const Dataset& dataset, const std::vector<int32_t>& label,
                       const SplitOptions& options);

}  // namespace mgnn
