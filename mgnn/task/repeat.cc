#include "mgnn/task/repeat.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"

namespace mgnn {
namespace {

// Above this work one training keeps all threads busy, and memory for several may be short.
constexpr int64_t kMaxWorkPerThread = 200'000;

// Runs of train_all at the same time share these.
struct Shared {
  const RepeatPlan& plan;
  const TrainingCallbacks& callbacks;
  Progress& progress;
  std::mutex mutex = {};
};

void train_one(size_t r, Repetition& run, Prepared& prepared, Shared& shared) {
  const TrainingCallbacks& callbacks = shared.callbacks;
  if (callbacks.restore) callbacks.restore(r, run);
  shared.progress.advance(run.state.epoch);
  TrainingHooks hooks;
  hooks.checkpoint_every = callbacks.checkpoint_every;
  hooks.checkpoint_seconds = callbacks.checkpoint_seconds;
  hooks.epoch_done = [&] { shared.progress.advance(1); };
  hooks.validated = [&](const EpochRecord& record) {
    shared.progress.note(fmt::format("seed {} {}  loss {:.3f}  validation {:.3f}", run.seed,
                                     run.split.name, record.train_loss, record.validation.metric));
    const std::lock_guard lock(shared.mutex);
    if (callbacks.validated) callbacks.validated(r, record);
  };
  if (callbacks.is_enough)
    hooks.is_enough = [&](const EpochRecord& record) {
      const std::lock_guard lock(shared.mutex);
      return callbacks.is_enough(r, record);
    };
  if (callbacks.checkpoint)
    hooks.checkpoint = [&](const TrainingState&) {
      const std::lock_guard lock(shared.mutex);
      callbacks.checkpoint(r, run);
    };
  const TrainingOptions& training = shared.plan.training;
  train(*prepared.model, *prepared.problem, training, run.training_seed(), run.state, hooks);
  shared.progress.advance(training.epochs - run.state.epoch);
  if (!run.state.best_weights.empty()) run.state.weights.value = run.state.best_weights;
  shared.plan.finish(run, prepared);
}

// body(r) for every run, if asked one per thread. A thread that has no more looks whether the others are
// to stop: it may be the only one that can ask.
template <class Body>
void for_runs(size_t runs, bool one_per_thread, Body body) {
  std::atomic<size_t> next = 0, ended = 0;
  ParallelError error;
#pragma omp parallel if (one_per_thread && runs > 1 && num_threads() > 1)
  {
    for (size_t r; (r = next++) < runs; ended++) error.run([&] { body(r); });
    while (ended < runs) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      error.run(check_interrupted);
    }
  }
  error.rethrow();
}

}  // namespace

size_t best_run(std::span<const Repetition> runs, Select select, const Metric& metric) {
  size_t best = 0;
  for (size_t r = 1; r < runs.size(); r++)
    if (is_better(runs[r].validation, runs[best].validation, select, metric)) best = r;
  return best;
}

void train_all(Result& result, const RepeatPlan& plan, const TrainingCallbacks& callbacks) {
  std::vector<Repetition>& runs = result.runs;
  std::vector<std::shared_ptr<Model>> models(runs.size());
  Progress progress(callbacks.label, int64_t(runs.size()) * plan.training.epochs, "epochs");
  Shared shared{.plan = plan, .callbacks = callbacks, .progress = progress};
  Metric metric;
  for_runs(runs.size(), plan.work < kMaxWorkPerThread, [&](size_t r) {
    Prepared prepared = plan.prepare(runs[r]);
    if (r == 0) metric = prepared.problem->metric();
    train_one(r, runs[r], prepared, shared);
    models[r] = prepared.model;
  });
  result.best = best_run(runs, plan.training.select, metric);
  result.model = models[result.best];
  result.parameters = runs[result.best].state.weights.count();
}

}  // namespace mgnn
