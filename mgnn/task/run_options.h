// What every training is told, whatever the task.
#pragma once

#include "mgnn/data/select_splits.h"
#include "mgnn/task/training.h"

namespace mgnn {

struct RunOptions {
  uint64_t seed = 0;  // of the first repetition; the others follow
  int64_t seeds = 1;  // repetitions, each with its own weights and (where random) splits
  TrainingOptions training = {};
  int64_t batch_size = 128;  // maximum number of graphs in a step
  SplitOptions split = {};
  bool standardise = true;  // measured columns of the features to mean 0 and variance 1
  // Where links are learned from data without features: how they are made (data/features.h).
  std::string features = "own";
};

}  // namespace mgnn
