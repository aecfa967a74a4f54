#include "mgnn/tensor/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mgnn/base/error.h"

namespace mgnn {

Schedule::Schedule(const ScheduleOptions& options) : options_(options) {
  check(options.warm_up >= 0 && options.every > 0 && options.total > 0 && options.patience >= 0,
        "schedule: warm_up and patience must not be negative, every and total be positive");
  check(options.factor > 0 && options.factor <= 1 && options.floor >= 0 && options.floor <= 1,
        "schedule: factor {} and floor {} must be between 0 and 1", options.factor, options.floor);
}

double Schedule::factor(int64_t epoch) const {
  if (epoch < options_.warm_up) return double(epoch + 1) / double(options_.warm_up + 1);
  epoch -= options_.warm_up;
  switch (options_.kind) {
    case ScheduleKind::constant:
      return 1;
    case ScheduleKind::step:
      return std::pow(options_.factor, double(epoch / options_.every));
    case ScheduleKind::cosine: {
      const double done = std::min(1., double(epoch) / double(options_.total));
      return options_.floor + (1 - options_.floor) * (1 + std::cos(std::numbers::pi * done)) / 2;
    }
    case ScheduleKind::plateau:
      return std::max(state.reached, options_.floor);
  }
  return 1;
}

void Schedule::observe(double score) {
  if (score < state.best) {
    state.best = score;
    state.waited = 0;
  } else if (++state.waited > options_.patience) {
    state.reached *= options_.factor;
    state.waited = 0;
  }
}

}  // namespace mgnn
