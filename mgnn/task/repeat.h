// Several trainings of the same kind: seeds, folds.
#pragma once

#include <functional>
#include <memory>

#include "mgnn/task/result.h"

namespace mgnn {

// Makes a network of its own for each training; its options are set.
using ModelMaker = std::function<std::unique_ptr<Model>()>;

// Who wants to know, and to keep what was reached.
struct Watch {
  std::string label = "training";  // of the progress bar
  int64_t checkpoint_every = 0;    // epochs
  std::function<void(size_t run, const Repetition&)> checkpoint = {};
  // Fills a repetition from an earlier checkpoint; its weights are laid out already.
  std::function<void(size_t run, Repetition&)> restore = {};
  std::function<void(size_t run, const EpochRecord&)> looked = {};
};

// A training, ready to begin. `run` has its weights and its split.
struct Prepared {
  std::shared_ptr<Model> model;
  std::unique_ptr<Problem> problem;
};

struct RepeatPlan {
  TrainingOptions training = {};
  bool at_once = false;  // one training per thread instead of all threads on one
  std::function<Prepared(Repetition&)> prepare = {};
  std::function<void(Repetition&, Prepared&)> finish = {};  // looks at validation and test
};

// Trains all of `runs` and gives the network of the one with the best validation score, whose
// place is put into `best`. The results do not depend on `at_once`.
std::shared_ptr<Model> train_all(std::vector<Repetition>& runs, size_t& best,
                                 const RepeatPlan& plan, const Watch& watch);

}  // namespace mgnn
