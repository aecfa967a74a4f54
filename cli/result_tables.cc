#include "cli/result_tables.h"

#include "cli/verb.h"
#include "mgnn/base/human.h"
#include "mgnn/task/runs_table.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

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
