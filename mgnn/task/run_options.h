// What every training is told, whatever the task.
#pragma once

#include <functional>

#include "mgnn/base/options.h"
#include "mgnn/data/select_splits.h"
#include "mgnn/models/direction.h"
#include "mgnn/tensor/optimiser.h"

namespace mgnn {

// Which validation quantity selects the best epoch. Automatic: what the task says, else the metric.
enum class Select { automatic, metric, loss };
constexpr auto enum_names(Select) {
  return std::to_array<Named<Select>>(
      {{"auto", Select::automatic}, {"metric", Select::metric}, {"loss", Select::loss}});
}

struct TrainingOptions {
  int64_t epochs = 1000;   // maximum
  int64_t patience = 200;  // epochs without improvement before stopping; 0: never stop early
  int64_t eval_every = 1;  // epochs between evaluations on validation data
  Select select = Select::automatic;
  double learning_rate = 0.01;
  double weight_decay = 5e-4;
  bool adamw = false;  // decoupled weight decay
  bool amsgrad = false;
  double clip = 0;  // maximum norm of the gradient; 0: not clipped
  ScheduleOptions schedule = {};
};
Options training_options(TrainingOptions& options);

struct RunOptions {
  uint64_t seed = 0;  // of the first repetition; the others follow
  int64_t seeds = 1;  // repetitions, each with its own weights and (where random) splits
  TrainingOptions training = {};
  int64_t batch_size = 128;               // maximum number of graphs in a step
  Direction direction = Direction::both;  // of messages; no difference in an undirected graph
  SplitOptions split = {};
  bool standardise = true;  // measured columns of the features to mean 0 and variance 1
  // Where links are learned from data without features: how they are made (data/features.h).
  std::string features = "own";
};

struct Repetition;   // task/result.h
struct EpochRecord;  // task/result.h

// Who wants to know how a training goes on. `run` is the number of the repetition, from 0; small
// trainings run one per thread, so that calls for different repetitions may come at the same time.
struct TrainingCallbacks {
  std::string label = "training";  // of the progress bar
  int64_t checkpoint_every = 0;    // epochs; 0: not by epochs
  double checkpoint_seconds = 0;   // of work that may be lost; 0: not by time
  std::function<void(size_t run, const Repetition&)> checkpoint = {};
  // Fills a repetition from an earlier checkpoint; the layout of its weights is there already.
  std::function<void(size_t run, Repetition&)> restore = {};
  std::function<void(size_t run, const EpochRecord&)> validated = {};
};

}  // namespace mgnn
