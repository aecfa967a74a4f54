// The result of a comparison: everything from the stored trainings of the networks.
#pragma once

#include <nlohmann/json.hpp>

#include "mgnn/data/dataset.h"
#include "mgnn/models/operators.h"
#include "mgnn/report/table.h"
#include "mgnn/task/result.h"
#include "mgnn/task/task.h"

namespace mgnn {

// One network: the object of `train --json`, and seconds_inference, seeds, test_sets, test_set_of_run.
using Compared = nlohmann::ordered_json;
Compared compared(const Task& task, const Result& result, const std::string& model,
                  const Dataset& dataset);

struct Comparison {
  std::string title;      // of the task
  bool directed = false;  // the graph has arcs without their reverse
  Direction direction = Direction::both;
  std::vector<Compared> models = {};
};

TextTable table_of(const Comparison& comparison);
// The same with what the text says above: numbers of runs and distinct test sets, the direction.
TextTable table_for_others(const Comparison& comparison);
nlohmann::ordered_json json_of(const Comparison& comparison);

// "node classification of cora: accuracy of 5 runs (5 seeds, 5 distinct test sets), the same for all"
std::string headline(const Comparison& comparison);
// Which neighbours the networks see: one sentence, the same for all.
std::string direction_line(const Comparison& comparison);
// What deviations and p-values are of; nothing for one network.
std::string significance_line(const Comparison& comparison);

}  // namespace mgnn
