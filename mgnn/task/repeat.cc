#include "mgnn/task/repeat.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/comm/deal.h"
#include "mgnn/task/checkpoint.h"

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

bool writes_checkpoints(const RepeatPlan& plan) { return !plan.together || plan.comm->rank() == 0; }

// Ranks that train together begin where the first of them does.
void restore(size_t r, Repetition& run, const Shared& shared) {
  const RepeatPlan& plan = shared.plan;
  const auto begin = [&] {
    if (shared.callbacks.restore && writes_checkpoints(plan)) shared.callbacks.restore(r, run);
  };
  if (!plan.together) return begin();
  all_or_none(*plan.comm, begin);
  const std::string state =
      broadcast_text(*plan.comm, run.state.steps > 0 ? checkpoint_bytes(run) : "");
  if (!state.empty() && plan.comm->rank() > 0) read_checkpoint_bytes(state, run);
}

void train_one(size_t r, Repetition& run, Prepared& prepared, Shared& shared) {
  const TrainingCallbacks& callbacks = shared.callbacks;
  restore(r, run, shared);
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
  if (callbacks.checkpoint && writes_checkpoints(shared.plan))
    hooks.checkpoint = [&](const TrainingState&) {
      const std::lock_guard lock(shared.mutex);
      callbacks.checkpoint(r, run);
    };
  const TrainingOptions& training = shared.plan.training;
  train(*prepared.model, *prepared.problem, training, run.training_seed(), run.state, hooks);
  shared.progress.advance(training.epochs - run.state.epoch);
}

void finish(Repetition& run, Prepared& prepared, const RepeatPlan& plan) {
  if (!run.state.best_weights.empty()) run.state.weights.value = run.state.best_weights;
  plan.finish(run, prepared);
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

// Trains all on the ranks, as these become free -> their states, on all ranks.
std::vector<std::string> states_of_dealt(std::vector<Repetition>& runs, Shared& shared) {
  Comm& comm = *shared.plan.comm;
  std::vector<std::string> states(runs.size());
  Deal jobs;
  for (size_t r = 0; r < runs.size(); r++) jobs.jobs.push_back(int64_t(r));
  jobs.work = [&](int64_t r) {
    Repetition& run = runs[size_t(r)];
    const Repetition before = run;
    std::string state;
    {
      Prepared prepared = shared.plan.prepare(run);
      train_one(size_t(r), run, prepared, shared);
      if (run.state.steps > 0) state = checkpoint_bytes(run);
    }
    run = before;  // it is finished below, by all ranks alike
    return state;
  };
  jobs.done = [&](int64_t r, const std::string& state) { states[size_t(r)] = state; };
  deal(comm, jobs);
  for (std::string& state : states) state = broadcast_text(comm, state);
  return states;
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
  const bool dealt = plan.comm && plan.comm->size() > 1 && !plan.together;
  std::vector<std::string> states;
  if (dealt) states = states_of_dealt(runs, shared);
  for_runs(runs.size(), !plan.together && plan.work < kMaxWorkPerThread, [&](size_t r) {
    Prepared prepared = plan.prepare(runs[r]);
    if (r == 0) metric = prepared.problem->metric();
    if (!dealt) train_one(r, runs[r], prepared, shared);
    if (dealt && !states[r].empty()) read_checkpoint_bytes(states[r], runs[r]);
    finish(runs[r], prepared, plan);
    models[r] = prepared.model;
  });
  result.best = best_run(runs, plan.training.select, metric);
  result.model = models[result.best];
  result.parameters = runs[result.best].state.weights.count();
}

}  // namespace mgnn
