#include "mgnn/task/result.h"

namespace mgnn {
namespace {

// Of the runs that had items to score.
MeanStd over(const std::vector<Repetition>& runs, Scores Repetition::*of) {
  std::vector<double> values;
  for (const Repetition& run : runs)
    if ((run.*of).count > 0) values.push_back((run.*of).metric);
  return mean_std(values);
}

}  // namespace

MeanStd Result::validation() const { return over(runs, &Repetition::validation); }

MeanStd Result::test() const { return over(runs, &Repetition::test); }

MeanStd Result::extra_metric(const std::string& name) const {
  std::vector<double> values;
  for (const Repetition& run : runs)
    if (const auto score = run.extra_metrics.find(name); score != run.extra_metrics.end())
      values.push_back(score->second);
  return mean_std(values);
}

int64_t Result::epochs() const {
  int64_t sum = 0;
  for (const Repetition& run : runs) sum += run.state.epoch;
  return sum;
}

double Result::seconds_per_epoch() const {
  double sum = 0;
  for (const Repetition& run : runs) sum += run.state.seconds;
  return epochs() > 0 ? sum / double(epochs()) : 0;
}

}  // namespace mgnn
