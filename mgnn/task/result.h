// What a task gives: scores of every repetition, and the best of them to keep.
#pragma once

#include <any>
#include <map>
#include <memory>

#include "mgnn/data/dataset.h"
#include "mgnn/models/model.h"
#include "mgnn/task/metrics.h"
#include "mgnn/tensor/optimiser.h"

namespace mgnn {

// Named numbers that are stored with a model: {"temperature", 1.3}.
using Numbers = std::map<std::string, double>;

// Means over some items.
struct Scores {
  double loss = 0, metric = 0;
  int64_t count = 0;  // items
};

struct EpochRecord {
  int64_t epoch = 0;  // finished epochs, from 1
  double train_loss = 0;
  Scores validation = {};
};

// Everything that a run needs to go on as if it had never stopped.
struct TrainingState {
  Parameters weights;
  Adam::State adam;
  Schedule::State schedule;
  int64_t epoch = 0, steps = 0;  // finished
  double train_loss = 0;         // mean of the last epoch
  bool done = false;
  Array<float> average;       // mean of the weights over epochs; empty: not asked for
  Array<float> best_weights;  // empty: not validated yet
  EpochRecord best;
  std::vector<EpochRecord> history;  // of the validated epochs
  double seconds = 0;
  int64_t step_bytes = 0;  // memory of the largest step, known before the first
};

// One training: a seed, and in cross-validation a fold.
struct Repetition {
  uint64_t seed = 0;
  int64_t fold = 0;
  Split split = {};
  uint64_t test_set = 0;  // the same number for the same test items
  int64_t member = 0;     // of an ensemble, whose members share the split
  TrainingState state = {};
  std::vector<TrainingState> others = {};  // of an ensemble: its members after the first
  Scores validation = {}, test = {};       // at the selected epoch; test data are evaluated once
  Numbers extra_metrics = {};              // further scores of the test items
  Numbers fitted = {};                     // on training or validation data, for predictions
  Matrix output = {};  // of all items, while the members of an ensemble are joined
  std::any own = {};   // what only the task knows

  // Of initial weights, dropout and batches: the seed itself for the first member.
  uint64_t training_seed() const;
  int64_t epochs() const;  // of all members
  double seconds() const;  // the same
};

// Plain data; copies share the network, which is read-only.
struct Result {
  std::string task;
  Metric metric = {"accuracy"};
  Metric validation_metric = {};  // if it is another; else without a name
  std::vector<Repetition> runs = {};
  size_t best = 0;       // the run with the best validation score
  int64_t ensemble = 1;  // networks of a run, whose answers are averaged
  bool smooths = false;  // answers are smoothed over edges, where validation says so
  int64_t parameters = 0;
  double seconds_total = 0;  // including the operators
  double seconds_operators = 0;
  double seconds_inference = 0;             // one evaluation of all items; 0: not measured
  std::shared_ptr<const Model> model = {};  // of runs[best], built
  Shape shape = {};                         // of that network
  // Of the best run:
  Matrix output = {};          // (items, outputs): logits, numbers, vectors of link ends
  Matrix representation = {};  // (items, …): input of the last linear layers
  std::any own = {};           // what only the task knows

  const Repetition& best_run() const { return runs[best]; }
  const std::string& validation_name() const {
    return validation_metric.name.empty() ? metric.name : validation_metric.name;
  }
  MeanStd validation() const;
  MeanStd test() const;
  MeanStd extra_metric(const std::string& name) const;
  double seconds_per_epoch() const;  // of one training by itself
  // What sets its answers apart from those of one network: ", ensemble of 3, smoothed", or nothing.
  std::string marks() const;
  int64_t epochs() const;         // of all runs
  int64_t num_test_sets() const;  // different ones
};

// See Result::marks.
std::string marks_of(int64_t ensemble, bool smooths);

// For Repetition::test_set: of numbers of nodes or graphs, or of both ends of pairs.
uint64_t test_set_of(std::initializer_list<std::span<const NodeId>> items);

}  // namespace mgnn
