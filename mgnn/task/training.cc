// Validation scores belong to the weights after an epoch, which are the weights at the start of
// the next one: they are looked at there, in the same step, so that what is the same in training
// and evaluation is computed once.

#include "mgnn/task/training.h"

#include <cmath>

#include "mgnn/base/clock.h"
#include "mgnn/base/interrupt.h"

namespace mgnn {

Options training_options(TrainingOptions& o) {
  return {
      option("epochs", o.epochs, "at most so many"),
      option("patience", o.patience,
             "stop after so many epochs without a better validation score; 0: never"),
      option("eval_every", o.eval_every, "epochs between looks at the validation data"),
      choice<Select>(
          "select", o.select,
          {{"auto", Select::automatic}, {"accuracy", Select::metric}, {"loss", Select::loss}},
          "what of validation decides which epoch is the best; auto: loss for graphs"),
      searched(option("learning_rate", o.learning_rate, "of Adam"), 1e-3, 0.05, true),
      searched(option("weight_decay", o.weight_decay, "added to the gradient"), 1e-5, 0.05, true),
      option("adamw", o.adamw, "decay the weights themselves instead of adding to the gradient"),
      option("amsgrad", o.amsgrad, "divide by the largest square so far"),
      option("clip", o.clip, "longest gradient; 0: any"),
      choice("schedule", o.schedule.kind, "how the learning rate changes"),
      option("warm_up", o.schedule.warm_up, "epochs of linear growth of the learning rate"),
      option("schedule_every", o.schedule.every, "epochs between falls of a step schedule"),
      option("schedule_factor", o.schedule.factor, "of a step or plateau schedule"),
      option("schedule_patience", o.schedule.patience, "of a plateau schedule"),
  };
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

class Loop {
 public:
  Loop(const Model& model, Problem& problem, const TrainingOptions& options, uint64_t seed,
       TrainingState& state, const TrainingHooks& hooks)
      : model_(model),
        problem_(problem),
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
    const Stopwatch watch;
    const double before = state_.seconds;
    while (!state_.done) {
      if (interrupted()) {
        checkpoint();
        check_interrupted();
      }
      const bool last = state_.epoch >= options_.epochs;
      if (last) {
        look_alone();
        state_.done = true;
      } else {
        epoch();
      }
      state_.seconds = before + watch.seconds();
      if (hooks_.checkpoint_every > 0 &&
          (state_.done || state_.epoch % hooks_.checkpoint_every == 0))
        checkpoint();
    }
  }

 private:
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
      const bool together = s == 0 && steps == 1 && due() &&
                            problem_.num_validation_batches() == 1 &&
                            &problem_.validation_batch(0) == &batch;
      if (s == 0 && !together) look_alone();
      if (state_.done) return;
      tape_.start_training(uint64_t(state_.steps));
      Step<float> step(tape_, state_.weights, batch);
      if (together) {
        tape_.set_training(false);
        record(problem_.validation(model_.forward(step), 0));
        tape_.set_training(true);
        step.second_pass();
        if (state_.done) return;
      }
      sum += learn(step, s);
    }
    state_.epoch++;
    state_.train_loss = steps > 0 ? sum / double(steps) : 0;
    if (hooks_.epoch_done) hooks_.epoch_done();
  }

  double learn(Step<float>& step, int64_t s) {
    const Output<float> out = model_.forward(step);
    Var<float> loss = problem_.loss(out, s);
    if (out.penalty.tape) loss = add(loss, out.penalty);
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

  [[noreturn]] void diverged(const char* what) {
    checkpoint();
    fail("the {} is no number any more in epoch {}; try a lower learning_rate (now {}) or clip=1",
         what, state_.epoch + 1, options_.learning_rate);
  }

  void look_alone() {
    if (!due()) return;
    Scores scores;
    for (int64_t i = 0; i < problem_.num_validation_batches(); i++) {
      tape_.start_evaluation();
      Step<float> step(tape_, state_.weights, problem_.validation_batch(i));
      scores = merged(scores, problem_.validation(model_.forward(step), i));
    }
    record(scores);
  }

  bool better(const Scores& scores) const {
    if (state_.best_weights.empty()) return true;
    return options_.select == Select::loss ? scores.loss < state_.best.validation.loss
                                           : scores.metric > state_.best.validation.metric;
  }

  void record(const Scores& scores) {
    const EpochRecord record{state_.epoch, state_.train_loss, scores};
    state_.history.push_back(record);
    schedule_.observe(options_.select == Select::loss ? scores.loss : -scores.metric);
    if (better(scores)) {
      state_.best = record;
      state_.best_weights = state_.weights.value;
    }
    if (options_.patience > 0 && state_.epoch - state_.best.epoch >= options_.patience)
      state_.done = true;
    if (hooks_.looked) hooks_.looked(record);
  }

  void checkpoint() {
    if (!hooks_.checkpoint) return;
    state_.adam = adam_.state;
    state_.schedule = schedule_.state;
    hooks_.checkpoint(state_);
  }

  const Model& model_;
  Problem& problem_;
  const TrainingOptions& options_;
  TrainingState& state_;
  const TrainingHooks& hooks_;
  Tape<float> tape_;
  Adam adam_;
  Schedule schedule_;
};

}  // namespace

void train(const Model& model, Problem& problem, const TrainingOptions& options, uint64_t seed,
           TrainingState& state, const TrainingHooks& hooks) {
  Loop(model, problem, options, seed, state, hooks).run();
}

void evaluate(const Model& model, Parameters& weights, const Batch& batch,
              const std::function<void(const Output<float>&)>& use) {
  Tape<float> tape;
  tape.start_evaluation();
  Step<float> step(tape, weights, batch);
  use(model.forward(step));
}

Matrix copied(const Var<float>& x) {
  Matrix matrix(x.rows, x.cols);
  std::copy_n(x.value, x.size(), matrix.data.begin());
  return matrix;
}

}  // namespace mgnn
