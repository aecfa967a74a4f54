// Which class a node is of, learned from nodes whose class is known.
#pragma once

#include "mgnn/task/repeat.h"

namespace mgnn {

struct NodeClassificationOptions {
  uint64_t seed = 0;  // of the first repetition; the others follow
  int64_t seeds = 1;  // repetitions, each with weights and (where random) a split of its own
  TrainingOptions training = {};
  bool standardise = true;  // measured columns to mean 0 and variance 1 over all nodes
  // random, or the beginning of the name of one of the dataset's own splits
  std::string split = "random";
  int64_t num_validation = 0, num_test = 0;  // of a random split; 0: as default_split
};

// The split of a repetition. Where several of the dataset's own fit the name, they are taken in
// turn. Throws Error (usage) if there is none of that name.
Split split_of(const Dataset& dataset, const NodeClassificationOptions& options, uint64_t seed);

// Throws Error (data) if nothing can be learned: no labels, no features, fewer than two classes.
Result node_classification(const Dataset& dataset, const ModelMaker& make_model,
                           const NodeClassificationOptions& options, const Watch& watch = {});

}  // namespace mgnn
