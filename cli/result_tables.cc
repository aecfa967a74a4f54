#include "cli/result_tables.h"

#include "cli/verb.h"
#include "mgnn/base/human.h"

namespace mgnn {
namespace {

constexpr int kScoreDigits = 4;
constexpr int64_t kMostClasses = 12;  // whose confusions fit a terminal

// At most twelve bytes, whole characters.
std::string shortened(const std::string& name) {
  size_t size = std::min<size_t>(name.size(), 12);
  while (size > 0 && size < name.size() && (static_cast<unsigned char>(name[size]) & 0xC0) == 0x80)
    size--;
  return name.substr(0, size);
}

TextTable confusion_table(const Dataset& dataset, const MatrixOf<int64_t>& confusion) {
  TextTable table{.columns = {{"true \\ predicted"}}, .rows = {}};
  for (const std::string& name : dataset.class_names)
    table.columns.push_back({shortened(name), Align::right});
  for (int64_t c = 0; c < confusion.rows; c++) {
    std::vector<Cell> row = {dataset.class_names[size_t(c)]};
    for (int64_t o = 0; o < confusion.cols; o++) row.emplace_back(confusion(c, o));
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace

TextTable runs_table(const Result& result) {
  const bool folds = result.runs.back().fold > 0;
  TextTable table{.columns = {{"seed", Align::right}}, .rows = {}};
  if (folds) table.columns.push_back({"fold", Align::right});
  table.columns.push_back({"epoch", Align::right});
  table.columns.push_back({"validation", Align::decimal, kScoreDigits});
  table.columns.push_back({"test", Align::decimal, kScoreDigits});
  for (const Repetition& run : result.runs) {
    std::vector<Cell> row = {int64_t(run.seed)};
    if (folds) row.emplace_back(run.fold);
    const auto score = [](const Scores& s) { return s.count > 0 ? Cell(s.metric) : Cell(); };
    row.insert(row.end(), {run.state.best.epoch, score(run.validation), score(run.test)});
    table.rows.push_back(row);
  }
  return table;
}

TextTable classes_table(const Dataset& dataset, const MatrixOf<int64_t>& confusion) {
  TextTable table{.columns = {{"class"},
                              {"items", Align::right},
                              {"precision", Align::decimal, 3},
                              {"recall", Align::decimal, 3},
                              {"F1", Align::decimal, 3}},
                  .rows = {}};
  const std::vector<ClassScores> scores = class_scores(confusion);
  for (size_t c = 0; c < scores.size(); c++)
    table.rows.push_back({dataset.class_names[c], scores[c].count, scores[c].precision,
                          scores[c].recall, scores[c].f1});
  return table;
}

std::string with_deviation(const MeanStd& score) {
  return fmt::format("{:.4f} ± {:.4f}", score.mean, score.std);
}

std::string tested_items(const Result& result) {
  if (result.runs.size() == 1)
    return fmt::format("test items of seed {}, {}", result.runs[0].seed, result.runs[0].split.name);
  return fmt::format("test items of all {} runs", result.runs.size());
}

std::string task_title(const std::string& task) {
  if (task == "link") return "link prediction";
  return task + (task == "unsupervised" ? " learning" : " classification");
}

namespace {

TextTable link_runs_table(const Result& result) {
  TextTable table{.columns = {{"seed", Align::right},
                              {"epoch", Align::right},
                              {"validation AUROC", Align::decimal, kScoreDigits},
                              {"test AUROC", Align::decimal, kScoreDigits}},
                  .rows = {}};
  for (const auto& [name, value] : result.runs[0].also)
    table.columns.push_back({"test " + name, Align::decimal, kScoreDigits});
  for (const Repetition& run : result.runs) {
    std::vector<Cell> row = {int64_t(run.seed), run.state.best.epoch, run.validation.metric,
                             run.test.metric};
    for (const auto& [name, value] : run.also) row.emplace_back(value);
    table.rows.push_back(row);
  }
  return table;
}

void print_costs(const Result& result) {
  print(fmt::format("{} weights, {} epochs, {} an epoch, {} in all\n",
                    human_count(result.parameters), human_count(result.epochs()),
                    human_seconds(result.seconds_per_epoch()),
                    human_seconds(result.seconds_total)));
}

void print_unsupervised(const Dataset& dataset, const Result& result) {
  print(runs_table(result));
  print(fmt::format("\n{} vectors of {} numbers; {} of what was held out: {}\n",
                    human_count(result.representation.rows), result.representation.cols,
                    result.name_of_validation(), with_deviation(result.validation())));
  if (!result.probe.empty())
    print(fmt::format("logistic regression on them: test accuracy {} ({} {})\n",
                      with_deviation(mean_std(result.probe)), result.probe.size(),
                      dataset.is_set() ? "folds" : "splits"));
  print_costs(result);
}

void print_link_result(const Config& config, const Dataset& dataset, const Result& result) {
  const Repetition& best = result.runs[result.best];
  print(emphasised(fmt::format("link prediction of {} with {}\n", dataset.name, config.model)));
  const LinkOptions& link = config.link;
  print(fmt::format(
      "{} nodes, {} arcs, {} features ({}); asked about {}; {} negatives; {} / {} pairs to "
      "validate, test, half of them edges\n\n",
      human_count(dataset.graph.num_nodes()), human_count(dataset.graph.num_arcs()),
      human_count(result.shape.in), dataset.features_from,
      !link.relation.empty()  ? "relation " + link.relation
      : !link.between.empty() ? "edges between " + link.between
                              : "all edges",
      link.typed && !dataset.node_type.empty() ? "typed" : "uniform", best.validation.count,
      best.test.count));
  print(link_runs_table(result));
  print(fmt::format("\nauroc: test {}   validation {}\n", with_deviation(result.test()),
                    with_deviation(result.validation())));
  for (const auto& [name, value] : best.also)
    print(fmt::format("{}: test {}\n", name, with_deviation(result.also(name))));
  print_costs(result);
}

}  // namespace

void print_result(const Config& config, const Dataset& dataset, const Result& result) {
  if (result.task == "link") return print_link_result(config, dataset, result);
  const Repetition& best = result.runs[result.best];
  const bool classified = result.task != "unsupervised";
  print(emphasised(
      fmt::format("{} of {} with {}\n", task_title(result.task), dataset.name, config.model)));
  if (dataset.is_set()) print(fmt::format("{} graphs, ", human_count(dataset.num_graphs())));
  print(fmt::format("{} nodes, {} arcs, {} features ({})", human_count(dataset.graph.num_nodes()),
                    human_count(dataset.graph.num_arcs()),
                    human_count(num_features(dataset.features)), dataset.features_from));
  if (!classified) {
    print("\n\n");
    return print_unsupervised(dataset, result);
  }
  print(fmt::format(", {} classes; {} / {} / {} items to train, validate, test\n\n",
                    dataset.num_classes(), best.split.train.size(), best.split.validation.size(),
                    best.split.test.size()));
  print(runs_table(result));
  if (!result.logits.data.empty() && !best.split.test.empty()) {
    const MatrixOf<int64_t> confusion = result.confusion();
    print("\nClasses, " + tested_items(result) + "\n\n");
    print(classes_table(dataset, confusion));
    if (confusion.rows <= kMostClasses) {
      print("\n");
      print(confusion_table(dataset, confusion));
    }
    const Matrix p = softmax_rows(result.logits, best.temperature);
    print(fmt::format("\ncalibration error {:.3f} (temperature {:.2f}, from validation{})",
                      calibration_error(p, dataset.label, best.split.test), best.temperature,
                      result.runs.size() > 1 ? "; best run" : ""));
  }
  print(fmt::format("\n{}: test {}   validation {}\n", result.metric, with_deviation(result.test()),
                    with_deviation(result.validation())));
  print_costs(result);
}

}  // namespace mgnn
