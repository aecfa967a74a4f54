#include "mgnn/task/classification.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "mgnn/motif/motifs.h"
#include "mgnn/task/motif_importance.h"
#include "mgnn/task/prediction_file.h"
#include "mgnn/task/projection.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {
namespace {

constexpr int64_t kMaxClassesOfTable = 12;  // whose confusions fit a terminal
constexpr int64_t kMaxDots = 2000;          // of the map

// One line per item: id, predicted class, its probability, then (where known) the true class, the
// item's part in the split, and the probability of every class. `split` may be null.
std::vector<std::string> prediction_columns(const Dataset& dataset,
                                            const std::vector<std::string>& class_names) {
  std::vector<std::string> columns = {dataset.is_set() ? "graph" : "id", "predicted", "probability",
                                      "label", "split"};
  for (const std::string& name : class_names) columns.push_back("p(" + name + ")");
  return columns;
}

void write_classes(RecordWriter& file, const Dataset& dataset,
                   const std::vector<std::string>& class_names, const Matrix& probability,
                   const Split* split) {
  const std::vector<const char*> part = split_parts(split, probability.rows);
  for (int64_t i = 0; i < probability.rows; i++) {
    const int32_t best = best_class(probability.row(i));
    const int32_t label = dataset.label.empty() ? -1 : dataset.label[i];
    file.text(item_name(dataset, i));
    file.text(class_names[best]);
    file.number(probability(i, best));
    if (label >= 0)
      file.text(dataset.class_names[label]);
    else
      file.nothing();
    file.text(part[i]);
    for (const float p : probability.row(i)) file.number(p);
  }
  file.commit();
}

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
    std::vector<Cell> row = {dataset.class_names[c]};
    for (const int64_t count : confusion.row(c)) row.emplace_back(count);
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

// The class of most training items: what a model that has learned nothing else should answer.
int32_t largest_class(const Dataset& dataset, const Split& split) {
  std::vector<int64_t> count(size_t(dataset.num_classes()), 0);
  for (const NodeId i : split.train) count[dataset.label[i]]++;
  return int32_t(std::max_element(count.begin(), count.end()) - count.begin());
}

// "test items of seed 0, random", "test items of all 5 runs": those of the confusions.
std::string tested_items(const Result& result) {
  if (result.runs.size() == 1)
    return fmt::format("test items of seed {}, {}", result.runs[0].seed, result.runs[0].split.name);
  return fmt::format("test items of all {} runs", result.runs.size());
}

Section classes_section(const Dataset& dataset, const Result& result) {
  const MatrixOf<int64_t> confusion = confusion_of(result);
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

Section importance_section(const std::vector<MotifImportance>& importance) {
  Bars bars{.axis = "drop of validation accuracy", .groups = {}, .series = {{"drop", {}}}};
  TextTable table{.columns = {{"motif"},
                              {"accuracy without", Align::decimal, 4},
                              {"drop", Align::decimal, 4},
                              {"predictions changed", Align::right}},
                  .rows = {}};
  for (const MotifImportance& entry : importance) {
    bars.groups.push_back(motif_label(entry.motif));
    bars.series[0].value.push_back(entry.drop);
    table.rows.push_back({motif_label(entry.motif), entry.accuracy, entry.drop, entry.changed});
  }
  Section section{"Motif importance", {}};
  section.blocks.push_back(Paragraph{
      "How much validation accuracy drops when the matrix of one motif is replaced by zeros in "
      "every layer and the weights stay as they are. Motifs whose matrices are equal can stand in "
      "for each other, so that small drops of each do not mean that motifs are of no use."});
  section.blocks.push_back(Figure{"importance", "Motif importance", std::move(bars)});
  section.blocks.push_back(TableBlock{"Motif importance", std::move(table)});
  return section;
}

// The first two principal components of at most kMaxDots items, equally spaced.
Section representation_section(const Dataset& dataset, const Result& result) {
  const Projection map = principal_components(result.representation, 2);
  if (map.at.cols < 2) return {"Representation", {}};
  Scatter scatter{fmt::format("first component ({:.0f}% of the variance)", 100 * map.share[0]),
                  fmt::format("second component ({:.0f}%)", 100 * map.share[1]),
                  {}};
  for (const std::string& name : dataset.class_names) scatter.groups.push_back({name, {}, {}, {}});
  const int64_t step = std::max<int64_t>(1, (map.at.rows + kMaxDots - 1) / kMaxDots);
  for (int64_t i = 0; i < map.at.rows; i += step) {
    const int32_t label = dataset.label[i];
    if (label < 0) continue;
    ScatterGroup& group = scatter.groups[label];
    group.x.push_back(map.at(i, 0));
    group.y.push_back(map.at(i, 1));
    group.tip.push_back(fmt::format("{}: {}, predicted {}", item_name(dataset, i), group.name,
                                    dataset.class_names[best_class(result.output.row(i))]));
  }
  Section section{"Representation", {}};
  section.blocks.push_back(Paragraph{fmt::format(
      "The input of the last linear layers, {} numbers for each item, on its first two principal "
      "components{}. Items of all parts of the split, coloured by their true class.",
      result.representation.cols, step > 1 ? fmt::format(", every {}th item", step) : "")});
  section.blocks.push_back(Figure{"projection", "Map of the representation", std::move(scatter)});
  return section;
}

}  // namespace

Var<float> ClassSupervision::loss(Var<float> out, const Targets& targets,
                                  std::span<const NodeId> rows) const {
  return cross_entropy<float>(out, targets.label, rows, targets.class_weight);
}

Targets ClassSupervision::targets(std::span<const NodeId> train) const {
  Targets targets{.label = dataset_.label};
  if (options_.weights == ClassWeights::none) return targets;
  std::vector<int64_t> count(size_t(dataset_.num_classes()), 0);
  for (const NodeId i : train) count[dataset_.label[i]]++;
  for (const int64_t items : count)  // a class without items has no part in the loss
    targets.class_weight.push_back(
        float(double(train.size()) / double(std::max<int64_t>(items, 1))));
  return targets;
}

Scores ClassSupervision::scores(const float* out, int64_t cols, const Targets& targets,
                                std::span<const NodeId> rows) const {
  const LossAccuracy scores = loss_accuracy(out, cols, targets.label, rows);
  return {scores.loss, scores.accuracy, int64_t(rows.size())};
}

void ClassSupervision::judge(Repetition& run, const Judged& validation, const Judged& test) const {
  const auto scores_of = [&](const Judged& part) {
    return scores(part.output.data.data(), part.output.cols, part.targets, part.rows);
  };
  run.validation = scores_of(validation);
  run.fitted["temperature"] =
      fitted_temperature(validation.output, validation.targets.label, validation.rows);
  run.test = scores_of(test);
  const int64_t classes = dataset_.num_classes();
  MatrixOf<int64_t> confusion(classes, classes);
  if (!test.rows.empty()) {
    confusion = confusion_matrix(test.output, test.targets.label, test.rows);
    const auto of_largest = confusion.row(largest_class(dataset_, run.split));
    run.extra_metrics = {
        {"macro_f1", macro_f1(confusion)},
        {"balanced_accuracy", balanced_accuracy(confusion)},
        {"auroc", macro_auroc(softmax_rows(test.output, 1), test.targets.label, test.rows)},
        {"largest_class",
         double(std::accumulate(of_largest.begin(), of_largest.end(), int64_t(0))) /
             double(test.rows.size())}};
  }
  run.own = std::move(confusion);
}

Matrix ClassSupervision::averaged(std::span<const Repetition> members, Numbers& fitted) const {
  std::vector<Matrix> outputs;
  for (const Repetition& member : members) {
    put_temperature(int64_t(outputs.size()), member.fitted.at("temperature"), fitted);
    outputs.push_back(member.output);
  }
  return mean_of_members(outputs, fitted);
}

Matrix ClassSupervision::smoothed(Matrix output, const Targets& targets, Repetition& run) const {
  return smoothed_output(std::move(output), dataset_.graph, {run.split.train, targets.label},
                         run.split.validation, options_.smoothing, run.fitted);
}

const MatrixOf<int64_t>& confusion_of(const Repetition& run) {
  return std::any_cast<const MatrixOf<int64_t>&>(run.own);
}

MatrixOf<int64_t> confusion_of(const Result& result) {
  MatrixOf<int64_t> sum = confusion_of(result.runs.at(0));
  for (size_t r = 1; r < result.runs.size(); r++)
    for (size_t i = 0; i < sum.data.size(); i++)
      sum.data[i] += confusion_of(result.runs[r]).data[i];
  return sum;
}

std::vector<int32_t> labels_by_name(const TrainedModel& model, const Dataset& dataset) {
  std::vector<int32_t> class_of;  // the model's, for each of the dataset's
  for (const std::string& name : dataset.class_names) {
    const auto place = std::find(model.class_names.begin(), model.class_names.end(), name);
    class_of.push_back(
        place == model.class_names.end() ? -1 : int32_t(place - model.class_names.begin()));
  }
  std::vector<int32_t> label = dataset.label;
  for (int32_t& c : label) c = c < 0 ? -1 : class_of[c];
  return label;
}

void ClassificationTask::check(const Dataset& dataset, const RunOptions& run) const {
  const char* items = dataset.is_set() ? "graphs" : "nodes";
  if (dataset.label.empty())
    fail_data(label_hint(dataset), "{}: {} have no labels", dataset.name, items);
  if (dataset.num_classes() < 2)
    fail_data("{}: {} class of {}; at least two are needed", dataset.name, dataset.num_classes(),
              items);
  mgnn::check(options_.ensemble > 0, "ensemble is 0; use 1 for a single network");
  check_run(dataset, run);
}

Matrix ClassificationTask::answers(const TrainedModel& model, const Matrix& output) const {
  return softmax_rows(output, model.fitted.at("temperature"));
}

PredictSummary ClassificationTask::write_predictions(TrainedModel& model, const Dataset& dataset,
                                                     const PredictRequest& request) const {
  const Matrix logits = predict(model, dataset).output;
  const Matrix probability = answers(model, logits);
  for_each_output(request, prediction_columns(dataset, model.class_names), [&](RecordWriter& file) {
    write_classes(file, dataset, model.class_names, probability, nullptr);
  });
  PredictSummary summary{.count = logits.rows};
  if (dataset.label.empty()) return summary;
  const std::vector<int32_t> label = labels_by_name(model, dataset);
  std::vector<NodeId> rows;
  for (size_t i = 0; i < label.size(); i++)
    if (label[i] >= 0) rows.push_back(NodeId(i));
  summary.known = int64_t(rows.size());
  if (!rows.empty()) summary.scores["accuracy"] = loss_accuracy(logits, label, rows).accuracy;
  return summary;
}

void ClassificationTask::write_predictions(const std::string& path, const Dataset& dataset,
                                           const Result& result) const {
  const Repetition& best = result.best_run();
  RecordWriter file(path, prediction_columns(dataset, dataset.class_names));
  write_classes(file, dataset, dataset.class_names,
                softmax_rows(result.output, best.fitted.at("temperature")), &best.split);
}

std::string ClassificationTask::data_line(const Dataset& dataset, const Result& result) const {
  return fmt::format("{} classes; {}", dataset.num_classes(), split_sizes(result.best_run().split));
}

std::vector<Block> ClassificationTask::details(const Dataset& dataset, const Result& result) const {
  const Repetition& best = result.best_run();
  if (best.split.test.empty()) return {};
  const MatrixOf<int64_t> confusion = confusion_of(result);
  std::vector<Block> blocks = {
      TableBlock{"Classes, " + tested_items(result), classes_table(dataset, confusion)}};
  if (confusion.rows <= kMaxClassesOfTable)
    blocks.push_back(TableBlock{"", confusion_table(dataset, confusion)});
  if (result.smooths) {
    std::vector<std::string> strengths;
    for (const Repetition& run : result.runs)
      strengths.push_back(fmt::format("{:.2g}", run.fitted.at("smooth")));
    blocks.push_back(
        Paragraph{fmt::format("smoothed over edges with strength {}", fmt::join(strengths, ", "))});
  }
  const double temperature = best.fitted.at("temperature");
  blocks.push_back(Paragraph{fmt::format(
      "calibration error {:.3f} (temperature {:.2f}, from validation{})",
      calibration_error(softmax_rows(result.output, temperature), dataset.label, best.split.test),
      temperature, result.runs.size() > 1 ? "; best run" : "")});
  return blocks;
}

void ClassificationTask::add_json(const Result& result, nlohmann::ordered_json& json) const {
  json["ensemble"] = result.ensemble;
  json["smoothed"] = result.smooths;
  if (result.smooths)
    for (const Repetition& run : result.runs) json["smooth"].push_back(run.fitted.at("smooth"));
  if (!result.runs[0].own.has_value()) return;
  const MatrixOf<int64_t> confusion = confusion_of(result);
  for (int64_t c = 0; c < confusion.rows; c++) {
    const auto row = confusion.row(c);
    json["confusion"].push_back(std::vector<int64_t>(row.begin(), row.end()));
  }
}

std::vector<std::string> ClassificationTask::warnings(const Dataset& dataset,
                                                      const Result& result) const {
  if (result.best_run().split.test.empty()) return {};
  std::vector<std::string> warnings;
  for (const Repetition& run : result.runs) {
    const MatrixOf<int64_t>& confusion = confusion_of(run);
    std::vector<int64_t> predicted;  // classes
    for (int64_t c = 0; c < confusion.cols; c++)
      for (int64_t r = 0; r < confusion.rows; r++)
        if (confusion(r, c) > 0) {
          predicted.push_back(c);
          break;
        }
    if (predicted.size() == 1)
      warnings.push_back(
          fmt::format("seed {}, {}: all test items are predicted to be {}; the network "
                      "has learned nothing",
                      run.seed, run.split.name, in_quotes(dataset.class_names[predicted[0]])));
  }
  constexpr size_t kShown = 3;
  if (warnings.size() > kShown) {
    const size_t more = warnings.size() - kShown;
    warnings.resize(kShown);
    warnings.back() += fmt::format(" (and {} runs more)", more);
  }
  const double baseline = result.extra_metric("largest_class").mean;
  if (result.test().mean <= baseline)
    warnings.push_back(
        fmt::format("accuracy {:.4f} is not above {:.4f}, that of always answering the "
                    "largest class",
                    result.test().mean, baseline));
  return warnings;
}

Options ClassificationTask::options() {
  return {choice("class_weights", options_.weights,
                 "weight of an item in the loss: none (all the same), balanced (by 1 / number of "
                 "training items of its class)"),
          option("ensemble", options_.ensemble,
                 "networks of a run, whose calibrated probabilities are averaged")};
}

std::vector<Section> ClassificationTask::sections(const Dataset& dataset,
                                                  const Result& result) const {
  std::vector<Section> sections;
  if (!result.best_run().split.test.empty()) sections.push_back(classes_section(dataset, result));
  const std::vector<MotifImportance> importance = motif_importance(dataset, result);
  if (!importance.empty()) sections.push_back(importance_section(importance));
  sections.push_back(representation_section(dataset, result));
  return sections;
}

}  // namespace mgnn
