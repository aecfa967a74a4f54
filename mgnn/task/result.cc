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

MeanStd Result::also(const std::string& name) const {
  std::vector<double> values;
  for (const Repetition& run : runs)
    if (const auto found = run.also.find(name); found != run.also.end())
      values.push_back(found->second);
  return mean_std(values);
}

MatrixOf<int64_t> Result::confusion() const {
  MatrixOf<int64_t> sum = runs.empty() ? MatrixOf<int64_t>() : runs[0].confusion;
  for (size_t r = 1; r < runs.size(); r++)
    for (size_t i = 0; i < sum.data.size(); i++) sum.data[i] += runs[r].confusion.data[i];
  return sum;
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
