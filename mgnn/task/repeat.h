// Several trainings of the same kind: seeds, folds.
#pragma once

#include <functional>
#include <memory>

#include "mgnn/task/training.h"

namespace mgnn {

// Makes a network for each training, with its options set.
using ModelMaker = std::function<std::unique_ptr<Model>()>;

// A training that is ready to begin.
struct Prepared {
  std::shared_ptr<Model> model;
  std::unique_ptr<Problem> problem;
};

struct RepeatPlan {
  TrainingOptions training = {};
  int64_t work = 0;  // nodes or arcs of a step: small trainings run one per thread
  // Ranks that work on each training together, if `together`, or take trainings as they become free; null:
  // this process alone.
  Comm* comm = nullptr;
  bool together = false;
  std::function<Prepared(Repetition&)> prepare = {};
  // Evaluates on validation and test data; the weights are those of the selected epoch.
  std::function<void(Repetition&, Prepared&)> finish = {};
};

// The first of those with the best validation score.
size_t best_run(std::span<const Repetition> runs, Select select, const Metric& metric);

// Trains all of result.runs; puts in which one is best on validation data, its network and the
// number of its weights. The result does not depend on the number of threads.
void train_all(Result& result, const RepeatPlan& plan, const TrainingCallbacks& callbacks);

}  // namespace mgnn
