#include "mgnn/task/result.h"

#include <fmt/format.h>

#include <set>

#include "mgnn/base/rng.h"
#include "mgnn/task/streams.h"

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

uint64_t Repetition::training_seed() const {
  return member == 0 ? seed : Rng(seed).split(kMemberStream).split(uint64_t(member)).next();
}

int64_t Repetition::epochs() const {
  int64_t sum = state.epoch;
  for (const TrainingState& other : others) sum += other.epoch;
  return sum;
}

double Repetition::seconds() const {
  double sum = state.seconds;
  for (const TrainingState& other : others) sum += other.seconds;
  return sum;
}

int64_t Result::epochs() const {
  int64_t sum = 0;
  for (const Repetition& run : runs) sum += run.epochs();
  return sum;
}

std::string Result::marks() const { return marks_of(ensemble, smooths); }

std::string marks_of(int64_t ensemble, bool smooths) {
  return (ensemble > 1 ? fmt::format(", ensemble of {}", ensemble) : "") +
         (smooths ? ", smoothed" : "");
}

int64_t Result::num_test_sets() const {
  std::set<uint64_t> sets;
  for (const Repetition& run : runs) sets.insert(run.test_set);
  return int64_t(sets.size());
}

uint64_t test_set_of(std::initializer_list<std::span<const NodeId>> items) {
  uint64_t hash = 0;  // a chain of well mixed numbers
  for (const auto& part : items)
    for (const NodeId item : part) hash = Rng(hash).split(uint64_t(item)).next();
  return hash;
}

double Result::seconds_per_epoch() const {
  double sum = 0;
  for (const Repetition& run : runs) sum += run.seconds();
  return epochs() > 0 ? sum / double(epochs()) : 0;
}

}  // namespace mgnn
