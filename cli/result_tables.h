// The result of a training as tables.
#pragma once

#include "mgnn/report/table.h"
#include "mgnn/task/config.h"
#include "mgnn/task/result.h"

namespace mgnn {

// Scores of every run, mean and deviation; classes and confusions of all of them.
void print_result(const Config& config, const Dataset& dataset, const Result& result);

// "test items of seed 0, random", "test items of all 5 runs": those of Result::confusion.
std::string tested_items(const Result& result);

// "node classification", "unsupervised learning"
std::string task_title(const std::string& task);
TextTable runs_table(const Result& result);
TextTable classes_table(const Dataset& dataset, const MatrixOf<int64_t>& confusion);

// "0.8824 ± 0.0051"
std::string with_deviation(const MeanStd& score);

}  // namespace mgnn
