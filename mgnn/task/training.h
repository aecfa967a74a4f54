// The epoch loop, one for all tasks.
#pragma once

#include <functional>

#include "mgnn/base/names.h"
#include "mgnn/models/model.h"
#include "mgnn/task/metrics.h"
#include "mgnn/tensor/adam.h"
#include "mgnn/tensor/schedule.h"

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

// Means over some items.
struct Scores {
  double loss = 0, metric = 0;
  int64_t count = 0;  // items
};
Scores merged(const Scores& a, const Scores& b);
// REQUIRES: `select` is not automatic.
bool is_better(const Scores& a, const Scores& b, Select select, const Metric& metric);

// What a task gives to the epoch loop: data, loss and scores.
class Problem {
 public:
  virtual ~Problem() = default;
  virtual Metric metric() const = 0;
  // Gives the number of steps; called before each epoch (from 0), which may have batches or random
  // samples of its own. The same epoch always has the same.
  virtual int64_t start_epoch(int64_t epoch) = 0;
  virtual const Batch& batch(int64_t step) = 0;
  virtual Var<float> loss(const Output<float>& out, int64_t step) = 0;  // (1, 1)

  virtual int64_t num_validation_batches() = 0;
  virtual const Batch& validation_batch(int64_t i) = 0;
  virtual Scores validation(const Output<float>& out, int64_t i) = 0;
};

struct EpochRecord {
  int64_t epoch = 0;  // finished epochs, from 1
  double train_loss = 0;
  Scores validation = {};
};

// Everything that a run needs to go on as if it had never stopped.
struct TrainingState {
  Parameters weights;
  Adam::State adam;
  Schedule::State schedule;
  int64_t epoch = 0, steps = 0;  // finished
  double train_loss = 0;         // mean of the last epoch
  bool done = false;
  Array<float> best_weights;  // empty: not validated yet
  EpochRecord best;
  std::vector<EpochRecord> history;  // of the validated epochs
  double seconds = 0;
};

struct TrainingHooks {
  std::function<void(const EpochRecord&)> validated = {};
  std::function<void()> epoch_done = {};
  int64_t checkpoint_every = 0;  // epochs; 0: only when interrupted
  std::function<void(const TrainingState&)> checkpoint = {};
};

// Trains from `state` until the options say stop. At the end the best weights are in
// state.best_weights. Same seed, same result, for any number of threads and any interruptions in
// between. Throws Error if the loss becomes NaN or infinite, and Error (interrupted) on Ctrl-C, both
// after `hooks.checkpoint` has been given the last good state.
void train(const Model& model, Problem& problem, const TrainingOptions& options, uint64_t seed,
           TrainingState& state, const TrainingHooks& hooks = {});

// The output of the network in evaluation mode, through `use`.
void evaluate(const Model& model, Parameters& weights, const Batch& batch,
              const std::function<void(const Output<float>&)>& use);

// A copy that outlives the tape.
Matrix copied(const Var<float>& x);

}  // namespace mgnn
