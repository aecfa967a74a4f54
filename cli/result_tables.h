// The result of a training, printed.
#pragma once

#include "mgnn/task/config.h"

namespace mgnn {

// Scores of every run, mean and deviation, and what the task has to show.
void print_result(const Config& config, const Dataset& dataset, const Result& result);

}  // namespace mgnn
