// Validation scores belong to the weights after an epoch, which are the weights at the start of
// the next one: they are computed there, in the same step, so that what training and evaluation
// have in common is computed once.

#include "mgnn/task/training.h"

#include <cmath>
#include <new>

#include "mgnn/base/clock.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/memory.h"
#include "mgnn/tensor/exchange.h"

namespace mgnn {

Options training_options(TrainingOptions& o) {
  return {
      option("epochs", o.epochs, "maximum number of epochs"),
      option("patience", o.patience,
             "epochs without a better validation score before training stops; 0: never"),
      option("eval_every", o.eval_every, "epochs between evaluations on the validation data"),
      choice("select", o.select,
             "criterion that selects the epoch: the validation metric or loss; auto: the loss for "
             "graphs and without labels, else the metric"),
      searched_in_log(option("learning_rate", o.learning_rate, "learning rate of Adam"), 1e-3,
                      0.05),
      searched_in_log(option("weight_decay", o.weight_decay, "weight decay (L2 penalty)"), 1e-5,
                      0.05),
      option("adamw", o.adamw, "use AdamW (decoupled weight decay)"),
      option("amsgrad", o.amsgrad, "use AMSGrad"),
      option("average", o.average,
             "decay of an exponential mean of the weights over epochs, which is validated and "
             "stored in place of the weights (0.9: about the last ten epochs); 0: off"),
      option("clip", o.clip, "clip the gradient norm; 0: off"),
      choice("schedule", o.schedule.kind, "learning rate schedule"),
      option("warm_up", o.schedule.warm_up, "epochs of linear warm-up of the learning rate"),
      option("schedule_every", o.schedule.every, "step schedule: epochs between decays"),
      option("schedule_factor", o.schedule.factor,
             "step and plateau schedules: factor of each decay"),
      option("schedule_patience", o.schedule.patience,
             "plateau schedule: epochs without improvement before a decay"),
  };
}

bool is_better(const Scores& a, const Scores& b, Select select, const Metric& metric) {
  return select == Select::loss ? a.loss < b.loss : metric.better(a.metric, b.metric);
}

Scores merged(const Scores& a, const Scores& b) {
  const int64_t count = a.count + b.count;
  if (count == 0) return {};
  const double share = double(b.count) / double(count);
  return {a.loss + share * (b.loss - a.loss), a.metric + share * (b.metric - a.metric), count};
}

namespace {

AdamOptions adam_options(const TrainingOptions& o) {
  return {.learning_rate = o.learning_rate,
          .weight_decay = o.weight_decay,
          .decoupled = o.adamw,
          .amsgrad = o.amsgrad};
}

ScheduleOptions schedule_options(const TrainingOptions& o) {
  ScheduleOptions schedule = o.schedule;
  schedule.total = o.epochs;
  return schedule;
}

// What a step takes, from its shapes.
struct StepMemory {
  int64_t arrays = 0;    // bytes in the arena
  int64_t patterns = 0;  // of coarser graphs and the like
  bool exact = true;     // else at least
  int64_t bytes() const { return arrays + patterns; }
};

// Of a step that does `work`(step).
template <class Work>
StepMemory memory_of_step(Parameters& weights, const Batch& batch, bool trains, Work work) {
  const MetaScope meta;
  Tape<float> tape;
  StepMemory memory;
  try {
    trains ? tape.start_training(0) : tape.start_evaluation();
    Step<float> step(tape, weights, batch);
    work(step);
    memory.patterns = step.kept_bytes();
  } catch (const std::bad_alloc&) {  // there are not even addresses for all of it
    memory.exact = false;
  }
  memory.arrays = tape.arena().used();
  return memory;
}

class EpochLoop {
 public:
  EpochLoop(const Model& model, Problem& problem, const TrainingOptions& options, uint64_t seed,
            TrainingState& state, const TrainingHooks& hooks)
      : model_(model),
        problem_(problem),
        metric_(problem.metric()),
        options_(options),
        state_(state),
        hooks_(hooks),
        tape_(seed),
        adam_(state.weights, adam_options(options)),
        schedule_(schedule_options(options)) {
    if (state.steps > 0) {
      adam_.state = std::move(state.adam);
      schedule_.state = state.schedule;
    }
  }

  void run() {
    check(options_.eval_every > 0, "eval_every is 0; use at least 1");
    check(options_.average >= 0 && options_.average < 1, "average is {}; use 0 <= average < 1",
          options_.average);
    const Stopwatch watch;
    const double before = state_.seconds;
    double saved = 0;  // when the last checkpoint was written
    while (!state_.done) {
      if (interrupted()) {
        checkpoint();
        check_interrupted();
      }
      const bool last = state_.epoch >= options_.epochs;
      if (last) {
        validate_separately();
        state_.done = true;
      } else {
        epoch();
      }
      state_.seconds = before + watch.seconds();
      if (checkpoint_due(watch.seconds() - saved)) {
        checkpoint();
        saved = watch.seconds();
      }
    }
  }

 private:
  bool checkpoint_due(double seconds_at_stake) const {
    constexpr double kWorthKeeping = 1;  // of a training that is done, while others go on
    if (hooks_.checkpoint_every > 0 && (state_.done || state_.epoch % hooks_.checkpoint_every == 0))
      return true;
    return hooks_.checkpoint_seconds > 0 &&
           seconds_at_stake >= (state_.done ? kWorthKeeping : hooks_.checkpoint_seconds);
  }

  bool due() const {
    return state_.epoch > 0 &&
           (state_.epoch % options_.eval_every == 0 || state_.epoch >= options_.epochs) &&
           (state_.history.empty() || state_.history.back().epoch != state_.epoch);
  }

  void epoch() {
    const int64_t steps = problem_.start_epoch(state_.epoch);
    double sum = 0;
    for (int64_t s = 0; s < steps; s++) {
      const Batch& batch = problem_.batch(s);
      if (!checked_memory_) check_on_all_ranks(batch, steps);
      const bool validate_in_this_step = due() && validates_in_step(batch, steps);
      if (s == 0 && !validate_in_this_step) validate_separately();
      if (state_.done) return;
      tape_.start_training(uint64_t(state_.steps));
      Step<float> step(tape_, state_.weights, batch);
      if (validate_in_this_step) {
        tape_.set_training(false);
        record(problem_.validation(outputs_of(model_, step, Wanted::output), 0));
        tape_.set_training(true);
        step.second_pass();
        if (state_.done) return;
      }
      sum += learn(step, s);
    }
    state_.epoch++;
    if (averages()) add_to_average();
    state_.train_loss = steps > 0 ? sum / double(steps) : 0;
    if (hooks_.epoch_done) hooks_.epoch_done();
  }

  bool validates_in_step(const Batch& batch, int64_t steps) const {
    return !averages() && steps == 1 && problem_.num_validation_batches() == 1 &&
           &problem_.validation_batch(0) == &batch;
  }

  bool averages() const { return options_.average > 0; }

  // The mean of all epochs until there are enough for the exponential one.
  void add_to_average() {
    const Array<float>& now = state_.weights.value;
    if (state_.average.empty()) state_.average.assign(now.size(), 0.f);
    const auto share = float(std::max(1 - options_.average, 1. / double(state_.epoch)));
    for (size_t i = 0; i < now.size(); i++)
      state_.average[i] += share * (now[i] - state_.average[i]);
  }
  // What is validated and stored.
  const Array<float>& selected_weights() const {
    return averages() ? state_.average : state_.weights.value;
  }

  Var<float> loss_of(Step<float>& step, int64_t s) {
    const Output<float> out = outputs_of(model_, step, Wanted::output);
    const Var<float> loss = problem_.loss(out, s);
    return out.penalty.tape ? add(loss, out.penalty) : loss;
  }

  double learn(Step<float>& step, int64_t s) {
    const Var<float> loss = loss_of(step, s);
    const double value = double(loss(0, 0));
    if (!std::isfinite(value)) diverged("loss");
    tape_.backward(loss);
    const double norm = grad_norm(state_.weights);
    if (!std::isfinite(norm)) diverged("gradient");
    const double scale = options_.clip > 0 && norm > options_.clip ? options_.clip / norm : 1;
    adam_.step(state_.weights, options_.learning_rate * schedule_.factor(state_.epoch), scale);
    state_.steps++;
    return value;
  }

  // Of training, of validation, or of both in one step.
  StepMemory memory_of(const Batch& batch, bool trains, bool validates) {
    Parameters weights = state_.weights;  // those of batch norms would move
    return memory_of_step(weights, batch, trains, [&](Step<float>& step) {
      if (validates) {
        step.tape.set_training(false);
        problem_.validation(outputs_of(model_, step, Wanted::output), 0);
        step.tape.set_training(trains);
        step.second_pass();
      }
      if (trains) step.tape.backward(loss_of(step, 0));
    });
  }

  // What cannot be divided is found here, by all ranks.
  void check_on_all_ranks(const Batch& batch, int64_t steps) {
    if (!batch.share) return check_memory_of(batch, steps);
    all_or_none(*batch.share->comm, [&] { check_memory_of(batch, steps); });
  }

  // Before the first step. Where training or validation has several batches, the others are taken for
  // as large as the first of them.
  void check_memory_of(const Batch& batch, int64_t steps) {
    checked_memory_ = true;
    const bool together = validates_in_step(batch, steps);
    StepMemory memory = memory_of(batch, /*trains=*/true, /*validates=*/together);
    if (!together && problem_.num_validation_batches() > 0) {
      const StepMemory validation =
          memory_of(problem_.validation_batch(0), /*trains=*/false, /*validates=*/true);
      if (validation.bytes() > memory.bytes()) memory = validation;
    }
    const int64_t best_weights = state_.weights.count() * int64_t(sizeof(float));
    MemoryClaim claim;  // until it has been taken
    claim.claim(
        memory.bytes() + best_weights, memory.exact ? "training" : "a part of training",
        "use narrower layers, a smaller batch_size for a set of graphs, or -j 1, with which "
        "several seeds are trained one after the other");
    state_.step_bytes = memory.bytes();
    tape_.arena().reserve(memory.arrays);
  }

  [[noreturn]] void diverged(const char* what) {
    checkpoint();
    fail("the {} became NaN or infinite in epoch {}; try a lower learning_rate (now {}) or clip=1",
         what, state_.epoch + 1, options_.learning_rate);
  }

  void validate_separately() {
    if (!due()) return;
    if (averages()) state_.weights.value.swap(state_.average);
    Scores scores;
    for (int64_t i = 0; i < problem_.num_validation_batches(); i++) {
      tape_.start_evaluation();
      Step<float> step(tape_, state_.weights, problem_.validation_batch(i));
      scores = merged(scores, problem_.validation(outputs_of(model_, step, Wanted::output), i));
    }
    if (averages()) state_.weights.value.swap(state_.average);
    record(scores);
  }

  bool better(const Scores& scores) const {
    if (state_.best_weights.empty()) return true;
    return is_better(scores, state_.best.validation, options_.select, metric_);
  }

  void record(const Scores& scores) {
    const EpochRecord record{state_.epoch, state_.train_loss, scores};
    state_.history.push_back(record);
    schedule_.observe(options_.select == Select::loss ? scores.loss
                      : metric_.larger_is_better      ? -scores.metric
                                                      : scores.metric);
    if (better(scores)) {
      state_.best = record;
      state_.best_weights = selected_weights();
    }
    if (options_.patience > 0 && state_.epoch - state_.best.epoch >= options_.patience)
      state_.done = true;
    if (hooks_.validated) hooks_.validated(record);
    if (hooks_.is_enough && hooks_.is_enough(record)) state_.done = true;
  }

  void checkpoint() {
    if (!hooks_.checkpoint) return;
    state_.adam = adam_.state;
    state_.schedule = schedule_.state;
    hooks_.checkpoint(state_);
  }

  const Model& model_;
  Problem& problem_;
  const Metric metric_;
  const TrainingOptions& options_;
  TrainingState& state_;
  const TrainingHooks& hooks_;
  Tape<float> tape_;
  bool checked_memory_ = false;
  Adam adam_;
  Schedule schedule_;
};

}  // namespace

namespace {

// Matrices are divided while it lives.
class ShareScope {
 public:
  ShareScope(Tape<float>& tape, const RowShare* share) : tape_(tape) { tape_.set_share(share); }
  ~ShareScope() { tape_.set_share(nullptr); }
  ShareScope(const ShareScope&) = delete;
  ShareScope& operator=(const ShareScope&) = delete;

 private:
  Tape<float>& tape_;
};

Output<float> forward(const Model& model, Step<float>& step) {
  const ShareScope scope(step.tape, step.batch.share.get());
  return model.forward(step);
}

}  // namespace

Output<float> outputs_of(const Model& model, Step<float>& step, Wanted wanted) {
  Output<float> out = forward(model, step);
  if (out.out.tape) out.out = gathered(out.out);
  if (wanted == Wanted::representation || !out.out.tape)
    out.representation = gathered(out.representation);
  return out;
}

void train(const Model& model, Problem& problem, const TrainingOptions& options, uint64_t seed,
           TrainingState& state, const TrainingHooks& hooks) {
  EpochLoop(model, problem, options, seed, state, hooks).run();
}

void evaluate(const Model& model, Parameters& weights, const Batch& batch,
              const std::function<void(const Output<float>&)>& use) {
  const StepMemory memory =
      memory_of_step(weights, batch, /*trains=*/false,
                     [&](Step<float>& step) { outputs_of(model, step, Wanted::representation); });
  check_memory(memory.bytes(), memory.exact ? "the network" : "a part of the network",
               "use narrower layers, less data or a machine with more memory");
  Tape<float> tape;
  tape.arena().reserve(memory.arrays);
  tape.start_evaluation();
  Step<float> step(tape, weights, batch);
  use(outputs_of(model, step, Wanted::representation));
}

Matrix copied(const Var<float>& x) {
  Matrix matrix(x.rows, x.cols);
  std::copy_n(x.value, x.size(), matrix.data.begin());
  return matrix;
}

}  // namespace mgnn
