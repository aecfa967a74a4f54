#include "cli/result_tables.h"

#include "cli/verb.h"
#include "mgnn/base/human.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

constexpr int kScoreDigits = 4;

bool has_test_scores(const Result& result) {
  for (const Repetition& run : result.runs)
    if (run.test.count > 0) return true;
  return false;
}

void print_block(const Block& block) {
  if (const auto* paragraph = std::get_if<Paragraph>(&block)) print(paragraph->text + "\n");
  if (const auto* table = std::get_if<TableBlock>(&block)) {
    if (!table->caption.empty()) print(table->caption + "\n\n");
    print(table->table);
    print("\n");
  }
}

void print_costs(const Result& result) {
  print(fmt::format("{} weights, {} epochs, {} an epoch, {} in all\n",
                    human_count(result.parameters), human_count(result.epochs()),
                    human_seconds(result.seconds_per_epoch()),
                    human_seconds(result.seconds_total)));
}

}  // namespace

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

void print_result(const Config& config, const Dataset& dataset, const Result& result) {
  const Task& task = config.task();
  print(emphasised(fmt::format("{} of {} with {}{}\n", config.entry().title, dataset.name,
                               config.model, result.marks())));
  if (dataset.is_set()) print(fmt::format("{} graphs, ", human_count(dataset.num_graphs())));
  print(fmt::format("{} nodes, {} arcs, {} features ({}); {}\n\n",
                    human_count(dataset.graph.num_nodes()), human_count(dataset.graph.num_arcs()),
                    human_count(result.shape.in), dataset.features_from,
                    task.data_line(dataset, result)));
  print(runs_table(result));
  print("\n");
  for (const Block& block : task.details(dataset, result)) print_block(block);
  const bool validated = result.runs[0].validation.count > 0;
  if (has_test_scores(result))
    print(fmt::format("{}: test {}   ", result.metric.name, with_deviation(result.test())));
  print(fmt::format("{}validation {}\n",
                    has_test_scores(result) ? "" : result.validation_name() + ": ",
                    validated ? with_deviation(result.validation()) : "- (no items)"));
  for (const auto& [name, value] : result.runs[0].extra_metrics)
    print(fmt::format("{}: test {}\n", name, with_deviation(result.extra_metric(name))));
  print_costs(result);
}

}  // namespace mgnn
