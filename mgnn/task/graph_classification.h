// Which class a graph is of, learned from graphs whose class is known.
#pragma once

#include "mgnn/data/feature_columns.h"
#include "mgnn/task/repeat.h"

namespace mgnn {

struct GraphClassificationOptions {
  uint64_t seed = 0;  // of the first repetition; the others follow
  int64_t seeds = 1;  // repetitions, each with weights, batches and (where random) folds of its own
  // random: stratified cross-validation; fold f is test, the next one validation. sklearn:N: the
  // same with the folds that scikit-learn draws with random_state N, whatever the seed. Else the
  // beginning of the name of some of the dataset's own splits, all of which are used.
  std::string split = "random";
  int64_t folds = 5;
  int64_t batch_size = 128;       // graphs in a step, at most
  bool standardise = true;        // attributes to mean 0 and variance 1 over the training graphs
  TrainingOptions training = {};  // selects by loss unless told otherwise
};

// The splits of one seed. Throws Error (usage) if the graphs are too few for them.
std::vector<Split> splits_of(const Dataset& dataset, const GraphClassificationOptions& options,
                             uint64_t seed);

// Outputs of the network for all or some graphs of `all`, in evaluation mode, `batch_size` at a
// time; rows as in `graphs`. A graph's output does not depend on the others.
struct GraphOutputs {
  Matrix logits;          // (graphs, classes)
  Matrix representation;  // (graphs, …)
};
GraphOutputs graph_outputs(const Model& model, Parameters& weights, const Batch& all,
                           std::span<const NodeId> graphs, int64_t batch_size);

// Runs of one seed follow each other fold by fold. Throws Error (data) if nothing can be learned:
// no set of graphs, no labels, no features, fewer than two classes.
Result graph_classification(const Dataset& dataset, const ModelMaker& make_model,
                            const GraphClassificationOptions& options, const Watch& watch = {});

}  // namespace mgnn
