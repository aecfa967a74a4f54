// How the learning rate changes.
#pragma once

#include <cstdint>

#include "mgnn/base/names.h"

namespace mgnn {

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
