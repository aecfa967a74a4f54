#include "mgnn/task/repeat.h"

#include <fmt/format.h>

#include <mutex>

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
  if (callbacks.checkpoint)
    hooks.checkpoint = [&](const TrainingState&) {
      const std::lock_guard lock(shared.mutex);
      callbacks.checkpoint(r, run);
    };
  const TrainingOptions& training = shared.plan.training;
  train(*prepared.model, *prepared.problem, training, run.seed, run.state, hooks);
  shared.progress.advance(training.epochs - run.state.epoch);
  if (!run.state.best_weights.empty()) run.state.weights.value = run.state.best_weights;
  shared.plan.finish(run, prepared);
}

}  // namespace

void train_all(Result& result, const RepeatPlan& plan, const TrainingCallbacks& callbacks) {
  std::vector<Repetition>& runs = result.runs;
  std::vector<std::shared_ptr<Model>> models(runs.size());
  Progress progress(callbacks.label, int64_t(runs.size()) * plan.training.epochs, "epochs");
  Shared shared{.plan = plan, .callbacks = callbacks, .progress = progress};
  Metric metric;
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (plan.work < kMaxWorkPerThread && runs.size() > 1)
  for (size_t r = 0; r < runs.size(); r++)
    error.run([&] {
      Prepared prepared = plan.prepare(runs[r]);
      if (r == 0) metric = prepared.problem->metric();
      train_one(r, runs[r], prepared, shared);
      models[r] = prepared.model;
    });
  error.rethrow();
  result.best = 0;
  for (size_t r = 1; r < runs.size(); r++)
    if (is_better(runs[r].validation, runs[result.best].validation, plan.training.select, metric))
      result.best = r;
  result.model = models[result.best];
  result.parameters = runs[result.best].state.weights.count();
}

}  // namespace mgnn
