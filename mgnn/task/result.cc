#include "mgnn/task/result.h"

namespace mgnn {
namespace {

template <class Of>
MeanStd over(const std::vector<Repetition>& runs, Of of) {
  std::vector<double> values;
  for (const Repetition& run : runs) values.push_back(of(run));
  return mean_std(values);
}

}  // namespace

MeanStd Result::validation() const {
  return over(runs, [](const Repetition& run) { return run.validation.metric; });
}

MeanStd Result::test() const {
  return over(runs, [](const Repetition& run) { return run.test.metric; });
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
