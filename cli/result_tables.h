// The result of a training as tables.
#pragma once

#include "mgnn/report/table.h"
#include "mgnn/task/config.h"

namespace mgnn {

// Scores of every run, mean and deviation, and what the task has to show.
void print_result(const Config& config, const Dataset& dataset, const Result& result);

TextTable runs_table(const Result& result);

// "0.8824 ± 0.0051"
std::string with_deviation(const MeanStd& score);

}  // namespace mgnn
