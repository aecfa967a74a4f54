// The repetitions of a training as a table.
#pragma once

#include "mgnn/report/table.h"
#include "mgnn/task/result.h"

namespace mgnn {

bool has_test_scores(const Result& result);

// One row for each: seed, fold, selected epoch, scores.
TextTable runs_table(const Result& result);

// "0.8824 ± 0.0051"
std::string with_deviation(const MeanStd& score);

}  // namespace mgnn
