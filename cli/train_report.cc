#include "cli/train_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "cli/census_table.h"
#include "cli/result_tables.h"
#include "cli/version.h"
#include "mgnn/base/human.h"
#include "mgnn/data/fingerprint.h"
#include "mgnn/task/model_file.h"
#include "mgnn/task/motif_importance.h"
#include "mgnn/task/projection.h"

namespace mgnn {
namespace {

constexpr size_t kMaxCurves = 12;   // as many as there are colours
constexpr int64_t kMaxDots = 2000;  // of the map

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
      "epoch is the one that validation selects; test items are looked at once.",
      result.metric, with_deviation(result.test()), with_deviation(result.validation()),
      result.runs.size(), sizes)});
  TableBlock runs{"Every run", runs_table(result), {}};
  section.blocks.push_back(std::move(runs));
  TextTable costs{.columns = {{"what"}, {"value", Align::right}}, .rows = {}};
  costs.rows = {{"model", config.model},
                {"weights", result.parameters},
                {"epochs of all runs", result.epochs()},
                {"time of an epoch", human_seconds(result.seconds_per_epoch())},
                {"time in all", human_seconds(result.seconds_total)},
                {"nodes", int64_t(dataset.graph.num_nodes())},
                {"arcs", int64_t(dataset.graph.num_arcs())},
                {"features (" + dataset.features_from + ")", num_features(dataset.features)},
                {"classes", int64_t(dataset.num_classes())}};
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
  Curves score{.x_axis = "epoch", .y_axis = "validation " + result.metric, .curves = {}};
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
  section.blocks.push_back(
      Figure{"validation", "Validation " + result.metric + " by epoch", std::move(score)});
  return section;
}

Section classes(const Dataset& dataset, const Result& result) {
  const MatrixOf<int64_t> confusion = result.confusion();
  HeatMap map{.row_axis = "true class",
              .column_axis = "predicted class",
              .rows = dataset.class_names,
              .columns = dataset.class_names,
              .value = {confusion.data.begin(), confusion.data.end()},
              .counts = true};
  Section section{"Classes", {}};
  section.blocks.push_back(
      Figure{"confusion", "Confusions, " + tested_items(result), std::move(map)});
  section.blocks.push_back(TableBlock{"Precision and recall", classes_table(dataset, confusion)});
  return section;
}

Section motifs(const Config& config, const Dataset& dataset, const Result& result) {
  Section section{"Motifs", {}};
  const Census counts = census(dataset.graph);
  section.blocks.push_back(
      TableBlock{"Motif census: instances as subgraphs", census_table(counts, {})});
  const std::vector<MotifImportance> importance = motif_importance(config, dataset, result);
  if (importance.empty()) return section;
  Bars bars{.axis = "drop of validation accuracy", .groups = {}, .series = {{"drop", {}}}};
  TextTable table{.columns = {{"motif"},
                              {"accuracy without", Align::decimal, 4},
                              {"drop", Align::decimal, 4},
                              {"predictions changed", Align::right}},
                  .rows = {}};
  for (const MotifImportance& one : importance) {
    bars.groups.push_back(motif_label(one.motif));
    bars.series[0].value.push_back(one.drop);
    table.rows.push_back({motif_label(one.motif), one.accuracy, one.drop, one.changed});
  }
  section.blocks.push_back(Paragraph{
      "Importance: how much validation accuracy drops when the matrix of one motif is replaced by "
      "zeros in every layer and the weights stay as they are. Motifs whose matrices are equal can "
      "stand in for each other, so that small drops of each do not mean that motifs are of no "
      "use."});
  section.blocks.push_back(Figure{"importance", "Motif importance", std::move(bars)});
  section.blocks.push_back(TableBlock{"Motif importance", std::move(table)});
  return section;
}

// At most kMaxDots items, equally spaced.
Section representation(const Dataset& dataset, const Result& result) {
  const Projection map = principal_components(result.representation, 2);
  if (map.at.cols < 2) return {"Representation", {}};
  Scatter scatter{fmt::format("first component ({:.0f}% of the variance)", 100 * map.share[0]),
                  fmt::format("second component ({:.0f}%)", 100 * map.share[1]),
                  {}};
  for (const std::string& name : dataset.class_names) scatter.groups.push_back({name, {}, {}, {}});
  const NodeIds& ids = dataset.is_set() ? dataset.graph_ids : dataset.ids;
  const int64_t step = std::max<int64_t>(1, (map.at.rows + kMaxDots - 1) / kMaxDots);
  for (int64_t i = 0; i < map.at.rows; i += step) {
    const int32_t label = dataset.label[size_t(i)];
    if (label < 0) continue;
    ScatterGroup& group = scatter.groups[size_t(label)];
    group.x.push_back(map.at(i, 0));
    group.y.push_back(map.at(i, 1));
    group.tip.push_back(fmt::format("{}: {}, predicted {}", ids.name(NodeId(i)), group.name,
                                    dataset.class_names[size_t(best_class(result.logits.row(i)))]));
  }
  Section section{"Representation", {}};
  section.blocks.push_back(Paragraph{fmt::format(
      "What the last linear layers are given, {} numbers for each item, on its first two principal "
      "components{}. Items of all parts of the split, coloured by their true class.",
      result.representation.cols, step > 1 ? fmt::format(", every {}th item", step) : "")});
  section.blocks.push_back(Figure{"projection", "Map of the representation", std::move(scatter)});
  return section;
}

}  // namespace

Section made_with(const std::string& command, const std::string& configuration) {
  Section section{"How it was made", {}};
  TextTable facts{.columns = {{"what"}, {"value"}},
                  .rows = {{"command", command}, {"date", now()}}};
  for (const auto& [what, value] : build_facts()) facts.rows.push_back({what, value});
  section.blocks.push_back(TableBlock{"Program", std::move(facts)});
  if (!configuration.empty())
    section.blocks.push_back(TextBlock{"Configuration (config.toml)", configuration});
  return section;
}

Page train_page(Config& config, const Dataset& dataset, const Result& result,
                const std::string& command) {
  Page page{fmt::format("{} on {}", config.model, dataset.name),
            fmt::format("task {}, seeds {} to {}", result.task, config.seed,
                        config.seed + uint64_t(config.seeds) - 1),
            {}};
  page.sections.push_back(scores(config, dataset, result));
  page.sections.push_back(curves(result));
  const bool classified = result.task == "node" || result.task == "graph";
  if (classified && !result.logits.data.empty() && !result.runs[result.best].split.test.empty())
    page.sections.push_back(classes(dataset, result));
  page.sections.push_back(motifs(config, dataset, result));
  if (classified && !result.representation.data.empty())
    page.sections.push_back(representation(dataset, result));
  page.sections.push_back(made_with(command, toml_of(config)));
  std::get<TableBlock>(page.sections.back().blocks[0])
      .table.rows.push_back({"sha256 of the data", fingerprint(dataset)});
  return page;
}

}  // namespace mgnn
