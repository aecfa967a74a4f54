// The epoch loop, one for all tasks.
#pragma once

#include <functional>

#include "mgnn/task/config.h"
#include "mgnn/task/result.h"

namespace mgnn {

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

struct TrainingHooks {
  std::function<void(const EpochRecord&)> validated = {};
  std::function<bool(const EpochRecord&)> is_enough = {};  // train no more epochs
  std::function<void()> epoch_done = {};
  int64_t checkpoint_every = 0;   // epochs; 0: not by epochs
  double checkpoint_seconds = 0;  // of work that may be lost; 0: not by time
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

// What the network gives for all nodes, whether or not they are divided among ranks: its output, and its
// representation where that is wanted or there is no output.
enum class Wanted { output, representation };
Output<float> outputs_of(const Model& model, Step<float>& step, Wanted wanted);

// A copy that outlives the tape.
Matrix copied(const Var<float>& x);

}  // namespace mgnn
