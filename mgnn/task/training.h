// The epoch loop, one for all tasks.
#pragma once

#include <functional>

#include "mgnn/models/model.h"
#include "mgnn/tensor/adam.h"
#include "mgnn/tensor/schedule.h"

namespace mgnn {

// What of validation decides which epoch is the best. Automatic: what the task says, else metric.
enum class Select { automatic, metric, loss };

struct TrainingOptions {
  int64_t epochs = 1000;   // at most
  int64_t patience = 200;  // stop after so many epochs without a better validation score; 0: never
  int64_t eval_every = 1;  // epochs between looks at the validation data
  Select select = Select::automatic;
  double learning_rate = 0.01;
  double weight_decay = 5e-4;
  bool adamw = false;    // decay the weights themselves instead of adding to the gradient
  bool amsgrad = false;  // divide by the largest square so far
  double clip = 0;       // longest gradient; 0: any
  ScheduleOptions schedule = {};
};
Options training_options(TrainingOptions& options);

// Means over the items looked at.
struct Scores {
  double loss = 0, metric = 0;
  int64_t count = 0;  // items
};
Scores merged(const Scores& a, const Scores& b);

// What a task tells the loop: data, loss and scores.
class Problem {
 public:
  virtual ~Problem() = default;
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
  Array<float> best_weights;  // empty: no epoch was looked at yet
  EpochRecord best;
  std::vector<EpochRecord> history;  // of the epochs that were looked at
  double seconds = 0;
};

struct TrainingHooks {
  std::function<void(const EpochRecord&)> looked = {};  // after each look at validation
  std::function<void()> epoch_done = {};                // after each epoch
  int64_t checkpoint_every = 0;                         // epochs; 0: only when interrupted
  std::function<void(const TrainingState&)> checkpoint = {};
};

// Trains from `state` until the options say stop. At the end the best weights are in
// state.best_weights. Same seed, same result, for any number of threads and any interruptions in
// between. Throws Error if the loss is no number any more, and Error (interrupted) on Ctrl-C, both
// after `hooks.checkpoint` has been given the last good state.
void train(const Model& model, Problem& problem, const TrainingOptions& options, uint64_t seed,
           TrainingState& state, const TrainingHooks& hooks = {});

// The output of the network in evaluation mode, through `use`.
void evaluate(const Model& model, Parameters& weights, const Batch& batch,
              const std::function<void(const Output<float>&)>& use);

// The numbers themselves, to outlive the tape.
Matrix copied(const Var<float>& x);

}  // namespace mgnn
