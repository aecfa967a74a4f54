#include "mgnn/task/repeat.h"

#include <fmt/format.h>

#include <mutex>

#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"

namespace mgnn {
namespace {

bool better(const Repetition& a, const Repetition& b, Select select) {
  return select == Select::loss ? a.validation.loss < b.validation.loss
                                : a.validation.metric > b.validation.metric;
}

void train_one(size_t r, Repetition& run, Prepared& prepared, const RepeatPlan& plan,
               const Watch& watch, Progress& progress, std::mutex& mutex) {
  if (watch.restore) watch.restore(r, run);
  progress.advance(run.state.epoch);
  TrainingHooks hooks;
  hooks.checkpoint_every = watch.checkpoint_every;
  hooks.epoch_done = [&] { progress.advance(1); };
  hooks.looked = [&](const EpochRecord& record) {
    progress.note(fmt::format("seed {} {}  loss {:.3f}  validation {:.3f}", run.seed,
                              run.split.name, record.train_loss, record.validation.metric));
    const std::lock_guard lock(mutex);
    if (watch.looked) watch.looked(r, record);
  };
  if (watch.checkpoint)
    hooks.checkpoint = [&](const TrainingState&) {
      const std::lock_guard lock(mutex);
      watch.checkpoint(r, run);
    };
  train(*prepared.model, *prepared.problem, plan.training, run.seed, run.state, hooks);
  progress.advance(plan.training.epochs - run.state.epoch);
  plan.finish(run, prepared);
}

}  // namespace

std::shared_ptr<Model> train_all(std::vector<Repetition>& runs, size_t& best,
                                 const RepeatPlan& plan, const Watch& watch) {
  std::vector<std::shared_ptr<Model>> models(runs.size());
  Progress progress(watch.label, int64_t(runs.size()) * plan.training.epochs, "epochs");
  std::mutex mutex;
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (plan.at_once && runs.size() > 1)
  for (size_t r = 0; r < runs.size(); r++)
    error.run([&] {
      Prepared prepared = plan.prepare(runs[r]);
      train_one(r, runs[r], prepared, plan, watch, progress, mutex);
      models[r] = prepared.model;
    });
  error.rethrow();
  best = 0;
  for (size_t r = 1; r < runs.size(); r++)
    if (better(runs[r], runs[best], plan.training.select)) best = r;
  return models.empty() ? nullptr : models[best];
}

}  // namespace mgnn
