// What a task gives: scores of every repetition, and the best of them to keep.
#pragma once

#include <map>
#include <memory>

#include "mgnn/data/dataset.h"
#include "mgnn/data/negatives.h"
#include "mgnn/task/metrics.h"
#include "mgnn/task/training.h"

namespace mgnn {

// One training: a seed, and in cross-validation a fold.
struct Repetition {
  uint64_t seed = 0;
  int64_t fold = 0;
  Split split = {};
  TrainingState state = {};
  Scores validation = {}, test = {};        // at the selected epoch; test is looked at once
  MatrixOf<int64_t> confusion = {};         // (true class, predicted) of the test items
  double temperature = 1;                   // fitted on validation
  Calibration calibration = {};             // of scores of pairs, likewise
  std::map<std::string, double> also = {};  // further scores of the test items, by name
};

// Pairs of nodes with their scores: edges and others, validation first.
struct PairScores {
  NodePairs pairs = {};
  std::vector<float> score = {};
  std::vector<uint8_t> positive = {};
  size_t num_validation = 0;  // the rest is test
};

struct Result {
  std::string task, metric = "accuracy";
  std::string validation_metric = {};  // where it is another
  std::vector<Repetition> runs = {};
  size_t best = 0;  // the run with the best validation score
  int64_t parameters = 0;
  double seconds_total = 0;  // with making the operators
  double seconds_operators = 0;
  double seconds_inference = 0;  // one pass over all items without training; 0: not measured
  std::shared_ptr<const Model> model = {};  // of runs[best], built
  Shape shape = {};                         // of that network
  std::vector<double> probe = {};           // without labels: accuracies of every seed and fold
  // Of the best run:
  Matrix logits = {};          // (items, classes)
  Matrix representation = {};  // (items, …)
  PairScores pairs = {};       // of links

  const std::string& name_of_validation() const {
    return validation_metric.empty() ? metric : validation_metric;
  }
  MeanStd validation() const;
  MeanStd test() const;
  MeanStd also(const std::string& name) const;  // of runs[…].also
  MatrixOf<int64_t> confusion() const;          // of the test items of all runs
  double seconds_per_epoch() const;             // of one training by itself
  int64_t epochs() const;                       // of all runs
};

}  // namespace mgnn
