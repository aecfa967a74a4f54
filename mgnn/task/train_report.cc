#include "mgnn/task/train_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "mgnn/base/human.h"
#include "mgnn/data/fingerprint.h"
#include "mgnn/task/census_table.h"
#include "mgnn/task/runs_table.h"
#include "mgnn/task/tasks.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {
namespace {

constexpr size_t kMaxCurves = 12;  // as many as there are colours

std::string now() { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))); }

std::string name_of(const Repetition& run, bool folds) {
  return folds ? fmt::format("seed {}, fold {}", run.seed, run.fold + 1)
               : fmt::format("seed {}", run.seed);
}

Section scores(const Config& config, const Dataset& dataset, const Result& result) {
  Section section{"Scores", {}};
  const Split& split = result.runs[result.best].split;
  const std::string sizes =
      split.train.empty()
          ? ""
          : fmt::format("{} / {} / {} items to train, validate, test. ", split.train.size(),
                        split.validation.size(), split.test.size());
  section.blocks.push_back(Paragraph{fmt::format(
      "{} on test items: {}, on validation items: {} (mean ± standard deviation of {} runs). {}The "
      "epoch is the one that validation selects; test items are evaluated once.",
      result.metric.name, with_deviation(result.test()), with_deviation(result.validation()),
      result.runs.size(), sizes)});
  TableBlock runs{"Every run", runs_table(result), {}};
  section.blocks.push_back(std::move(runs));
  TextTable costs{.columns = {{"what"}, {"value", Align::right}}, .rows = {}};
  costs.rows = {{"model", config.model + result.marks()},
                {"weights", result.parameters},
                {"epochs of all runs", result.epochs()},
                {"time of an epoch", human_seconds(result.seconds_per_epoch())},
                {"time in all", human_seconds(result.seconds_total)},
                {"nodes", int64_t(dataset.graph.num_nodes())},
                {"arcs", int64_t(dataset.graph.num_arcs())},
                {"features (" + dataset.features_from + ")", num_features(dataset.features)}};
  if (dataset.num_classes() > 0) costs.rows.push_back({"classes", int64_t(dataset.num_classes())});
  section.blocks.push_back(TableBlock{"Sizes and times", costs});
  return section;
}

Section curves(const Result& result) {
  const bool folds = result.runs.back().fold > 0;
  const Repetition& best = result.runs[result.best];
  Curves loss{.x_axis = "epoch", .y_axis = "loss", .curves = {{"train"}, {"validation"}}};
  for (const EpochRecord& r : best.state.history)
    for (size_t i = 0; i < 2; i++) {
      loss.curves[i].x.push_back(double(r.epoch));
      loss.curves[i].y.push_back(i == 0 ? r.train_loss : r.validation.loss);
    }
  loss.mark = double(best.state.best.epoch);
  loss.mark_name = fmt::format("selected: {}", best.state.best.epoch);
  Curves score{.x_axis = "epoch", .y_axis = "validation " + result.validation_name(), .curves = {}};
  for (size_t i = 0; i < std::min(result.runs.size(), kMaxCurves); i++) {
    Curve curve{name_of(result.runs[i], folds), {}, {}};
    for (const EpochRecord& r : result.runs[i].state.history) {
      curve.x.push_back(double(r.epoch));
      curve.y.push_back(r.validation.metric);
    }
    score.curves.push_back(std::move(curve));
  }
  const std::string of = name_of(best, folds);
  Section section{"Curves", {}};
  section.blocks.push_back(Figure{"loss", "Loss by epoch, " + of, std::move(loss)});
  section.blocks.push_back(Figure{
      "validation", "Validation " + result.validation_name() + " by epoch", std::move(score)});
  return section;
}

Section motifs(const Dataset& dataset) {
  return {"Motifs",
          {TableBlock{"Motif census: instances as subgraphs",
                      census_table(census(dataset.graph), {})}}};
}

}  // namespace

Section made_with(const std::string& command, const ProgramFacts& program,
                  const std::string& configuration) {
  Section section{"How it was made", {}};
  TextTable facts{.columns = {{"what"}, {"value"}}, .rows = {}};
  if (!command.empty()) facts.rows.push_back({"command", command});
  facts.rows.push_back({"date", now()});
  for (const auto& [what, value] : program) facts.rows.push_back({what, value});
  section.blocks.push_back(TableBlock{"Program", std::move(facts)});
  if (!configuration.empty())
    section.blocks.push_back(TextBlock{"Configuration (config.toml)", configuration});
  return section;
}

Page train_page(Config& config, const Dataset& dataset, const Result& result,
                const std::string& command, const ProgramFacts& program) {
  Page page{fmt::format("{}{} on {}", config.model, result.marks(), dataset.name),
            fmt::format("{}, seeds {} to {}", config.entry().title, config.run.seed,
                        config.run.seed + uint64_t(config.run.seeds) - 1),
            {}};
  page.sections.push_back(scores(config, dataset, result));
  page.sections.push_back(curves(result));
  for (Section& section : config.task().sections(dataset, result))
    page.sections.push_back(std::move(section));
  page.sections.push_back(motifs(dataset));
  page.sections.push_back(made_with(command, program, toml_of(config)));
  std::get<TableBlock>(page.sections.back().blocks[0])
      .table.rows.push_back({"sha256 of the data", fingerprint(dataset)});
  return page;
}

}  // namespace mgnn
