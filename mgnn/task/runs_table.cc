#include "mgnn/task/runs_table.h"

#include <fmt/format.h>

namespace mgnn {
namespace {

constexpr int kScoreDigits = 4;

}  // namespace

bool has_test_scores(const Result& result) {
  for (const Repetition& run : result.runs)
    if (run.test.count > 0) return true;
  return false;
}

TextTable runs_table(const Result& result) {
  const bool folds = result.runs.back().fold > 0, tested = has_test_scores(result);
  TextTable table{.columns = {{"seed", Align::right}}, .rows = {}};
  if (folds) table.columns.push_back({"fold", Align::right});
  table.columns.push_back({"epoch", Align::right});
  table.columns.push_back({"validation " + result.validation_name(), Align::decimal, kScoreDigits});
  if (tested) table.columns.push_back({"test " + result.metric.name, Align::decimal, kScoreDigits});
  for (const Repetition& run : result.runs) {
    std::vector<Cell> row = {std::to_string(run.seed)};
    if (folds) row.emplace_back(run.fold);
    const auto score = [](const Scores& s) { return s.count > 0 ? Cell(s.metric) : Cell(); };
    row.insert(row.end(), {run.state.best.epoch, score(run.validation)});
    if (tested) row.push_back(score(run.test));
    table.rows.push_back(row);
  }
  return table;
}

std::string with_deviation(const MeanStd& score) {
  return fmt::format("{:.4f} ± {:.4f}", score.mean, score.std);
}

}  // namespace mgnn
