// How weights learn: Adam and its relatives in one sweep over the flat arrays, and schedules of the
// learning rate.
#pragma once

#include "mgnn/base/names.h"
#include "mgnn/tensor/parameters.h"

namespace mgnn {

struct AdamOptions {
  double learning_rate = 0.001;
  double beta1 = 0.9;       // decay of the mean of gradients
  double beta2 = 0.999;     // decay of the mean of squares
  double eps = 1e-8;        // added to the root of the square
  double weight_decay = 0;  // times each parameter's own factor
  bool decoupled = false;   // AdamW: decay the weights themselves instead of adding to the gradient
  bool amsgrad = false;     // AMSGrad: divide by the largest square so far
};

// Kingma, Ba 2015; with weight decay in the gradient as PyTorch's Adam. Deterministic.
template <class T>
class AdamOf {
 public:
  // What a checkpoint must keep besides the parameters.
  struct State {
    int64_t steps = 0;
    Array<T> mean, square, largest;  // as long as the parameters; `largest` only for amsgrad
  };

  // Throws Error for invalid options.
  AdamOf(const ParametersOf<T>& parameters, const AdamOptions& options);

  // One step with this learning rate (see Schedule) from `parameters.grad`, which it scales by
  // `grad_scale` (for clipping, see grad_norm) and then sets to zero.
  void step(ParametersOf<T>& parameters, double learning_rate, double grad_scale = 1);
  void step(ParametersOf<T>& parameters) { step(parameters, options_.learning_rate); }

  const AdamOptions& options() const { return options_; }
  State state;

 private:
  AdamOptions options_;
};
using Adam = AdamOf<float>;

// √Σ grad², the same for any number of threads.
template <class T>
double grad_norm(const ParametersOf<T>& parameters);

// ---- how the learning rate changes

enum class ScheduleKind {
  constant,
  step,     // times `factor` every `every` epochs
  cosine,   // half a cosine from 1 down to `floor` at epoch `total`, and `floor` after
  plateau,  // times `factor` when the watched score has not improved for `patience` epochs
};
constexpr auto enum_names(ScheduleKind) {
  return std::to_array<Named<ScheduleKind>>({{"constant", ScheduleKind::constant},
                                             {"step", ScheduleKind::step},
                                             {"cosine", ScheduleKind::cosine},
                                             {"plateau", ScheduleKind::plateau}});
}

struct ScheduleOptions {
  ScheduleKind kind = ScheduleKind::constant;
  int64_t warm_up = 0;    // epochs of linear growth before all else
  int64_t every = 50;     // of `step`
  double factor = 0.5;    // of `step` and `plateau`
  int64_t total = 200;    // of `cosine`
  double floor = 0;       // smallest factor of `cosine` and `plateau`
  int64_t patience = 10;  // of `plateau`
};

// The factor on the learning rate. Its state is two numbers, for checkpoints.
class Schedule {
 public:
  // Throws Error for invalid options.
  explicit Schedule(const ScheduleOptions& options);

  double factor(int64_t epoch) const;  // epochs from 0
  // `plateau` learns from it: a score to minimise, once after each epoch.
  void observe(double score);

  struct State {
    double best = 1e300, reached = 1;  // lowest score; factor of `plateau`
    int64_t waited = 0;                // epochs since
  };
  State state;

 private:
  ScheduleOptions options_;
};

}  // namespace mgnn
