#include "mgnn/task/multilabel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mgnn/task/metrics.h"
#include "mgnn/task/prediction_file.h"

namespace mgnn {
namespace {

// (items, classes): 1 where the item has the label. Items without labels are not known.
std::vector<uint8_t> has_label(const Dataset& dataset) {
  const auto classes = size_t(dataset.num_classes());
  std::vector<uint8_t> has(dataset.label_set.size() * classes);
  for (size_t i = 0; i < dataset.label_set.size(); i++)
    for (const int32_t label : dataset.label_set[i]) has[i * classes + size_t(label)] = 1;
  return has;
}

float probability(float logit) { return float(1 / (1 + std::exp(-double(logit)))); }

std::vector<NodeId> known_items(const Dataset& dataset) {
  std::vector<NodeId> items;
  for (size_t i = 0; i < dataset.label_set.size(); i++)
    if (!dataset.label_set[i].empty()) items.push_back(NodeId(i));
  return items;
}

std::string joined_labels(const std::vector<std::string>& class_names,
                          const std::function<bool(size_t)>& has) {
  std::string text;
  for (size_t c = 0; c < class_names.size(); c++)
    if (has(c)) text += (text.empty() ? "" : "|") + class_names[c];
  return text;
}

std::vector<std::string> prediction_columns(const std::vector<std::string>& class_names,
                                            const Dataset& dataset) {
  std::vector<std::string> columns = {dataset.is_set() ? "graph" : "id", "predicted", "labels",
                                      "split"};
  for (const std::string& name : class_names) columns.push_back("p(" + name + ")");
  return columns;
}

void write_label_sets(RecordWriter& file, const Dataset& dataset,
                      const std::vector<std::string>& class_names, const Matrix& logits,
                      const Split* split) {
  const std::vector<const char*> part = split_parts(split, logits.rows);
  for (int64_t i = 0; i < logits.rows; i++) {
    const auto row = logits.row(i);
    file.text(item_name(dataset, i));
    file.text(joined_labels(class_names, [&](size_t c) { return row[c] > 0; }));
    if (dataset.label_set.empty() || dataset.label_set[i].empty()) {
      file.nothing();
    } else {
      const std::vector<int32_t>& labels = dataset.label_set[i];
      file.text(joined_labels(dataset.class_names, [&](size_t c) {
        return std::find(labels.begin(), labels.end(), int32_t(c)) != labels.end();
      }));
    }
    file.text(part[i]);
    for (const float x : row) file.number(probability(x));
  }
  file.commit();
}

// Always answering the labels that at least half of the training items have.
double f1_of_usual_labels(const std::vector<float>& target, size_t classes,
                          std::span<const NodeId> train, std::span<const NodeId> rows) {
  Matrix answer(1, int64_t(classes));
  for (size_t c = 0; c < classes; c++) {
    double count = 0;
    for (const NodeId i : train) count += double(target[size_t(i) * classes + c]);
    answer(0, int64_t(c)) = 2 * count >= double(train.size()) ? 1.f : -1.f;
  }
  int64_t both = 0, either = 0;
  for (const NodeId r : rows)
    for (size_t c = 0; c < classes; c++) {
      const bool has = target[size_t(r) * classes + c] > 0, answered = answer(0, int64_t(c)) > 0;
      both += 2 * (has && answered);
      either += has + answered;
    }
  return either > 0 ? double(both) / double(either) : 0;
}

}  // namespace

std::vector<int32_t> MultilabelSupervision::strata() const {
  std::vector<int32_t> known;
  for (const std::vector<int32_t>& labels : dataset_.label_set)
    known.push_back(labels.empty() ? -1 : 0);
  return known;
}

Targets MultilabelSupervision::targets(std::span<const NodeId>) const {
  const std::vector<uint8_t> has = has_label(dataset_);
  return {.has_label = std::vector<float>(has.begin(), has.end()),
          .num_labels = dataset_.num_classes()};
}

Var<float> MultilabelSupervision::loss(Var<float> out, const Targets& targets,
                                       std::span<const NodeId> rows) const {
  const int64_t cols = out.cols, count = int64_t(rows.size()) * cols;
  float* const wanted = out.tape->arena().array<float>(count);  // the loss keeps no copy
  for (size_t i = 0; i < rows.size(); i++)
    std::copy_n(targets.has_label.begin() + rows[i] * cols, cols, wanted + int64_t(i) * cols);
  return binary_cross_entropy<float>(gather_rows(out, rows), {wanted, size_t(count)});
}

Scores MultilabelSupervision::scores(const float* out, int64_t cols, const Targets& targets,
                                     std::span<const NodeId> rows) const {
  Scores scores{.count = int64_t(rows.size())};
  int64_t both = 0, either = 0;
  for (const NodeId r : rows)
    for (int64_t c = 0; c < cols; c++) {
      const double x = double(out[r * cols + c]);
      const bool has = targets.has_label[size_t(r * cols + c)] > 0;
      scores.loss += std::log1p(std::exp(-std::abs(x))) + std::max(has ? -x : x, 0.);
      both += 2 * (has && x > 0);
      either += has + (x > 0);
    }
  scores.loss /= double(std::max<int64_t>(int64_t(rows.size()) * cols, 1));
  scores.metric = either > 0 ? double(both) / double(either) : 0;
  return scores;
}

void MultilabelSupervision::judge(Repetition& run, const Judged& validation,
                                  const Judged& test) const {
  const auto scores_of_part = [&](const Judged& part) {
    return scores(part.output.data.data(), part.output.cols, part.targets, part.rows);
  };
  run.validation = scores_of_part(validation);
  run.test = scores_of_part(test);
  if (test.rows.empty()) return;
  const MultilabelScores extra = multilabel_scores(test.output, test.targets.has_label, test.rows);
  const auto classes = size_t(dataset_.num_classes());
  const std::vector<uint8_t> has = has_label(dataset_);
  run.extra_metrics = {
      {"macro_f1", extra.macro_f1},
      {"auroc", extra.auroc},
      {"usual_labels", f1_of_usual_labels(std::vector<float>(has.begin(), has.end()), classes,
                                          run.split.train, run.split.test)}};
}

void MultilabelTask::check(const Dataset& dataset, const RunOptions& run) const {
  if (known_items(dataset).empty())
    fail_data(label_hint(dataset), "{}: has no items with several labels to learn", dataset.name);
  check_run(dataset, run);
}

Matrix MultilabelTask::answers(const TrainedModel&, const Matrix& output) const {
  Matrix result = output;
  std::transform(output.data.begin(), output.data.end(), result.data.begin(), probability);
  return result;
}

PredictSummary MultilabelTask::write_predictions(TrainedModel& model, const Dataset& dataset,
                                                 const PredictRequest& request) const {
  const Matrix logits = predict(model, dataset).output;
  for_each_output(request, prediction_columns(model.class_names, dataset), [&](RecordWriter& file) {
    write_label_sets(file, dataset, model.class_names, logits, nullptr);
  });
  PredictSummary summary{.count = logits.rows, .known = int64_t(known_items(dataset).size())};
  if (summary.known == 0 || dataset.class_names != model.class_names) return summary;
  const std::vector<uint8_t> has = has_label(dataset);
  const MultilabelScores scores =
      multilabel_scores(logits, std::vector<float>(has.begin(), has.end()), known_items(dataset));
  summary.scores = {
      {"micro_f1", scores.micro_f1}, {"macro_f1", scores.macro_f1}, {"auroc", scores.auroc}};
  return summary;
}

void MultilabelTask::write_predictions(const std::string& path, const Dataset& dataset,
                                       const Result& result) const {
  RecordWriter file(path, prediction_columns(dataset.class_names, dataset));
  write_label_sets(file, dataset, dataset.class_names, result.output, &result.best_run().split);
}

std::string MultilabelTask::data_line(const Dataset& dataset, const Result& result) const {
  int64_t labels = 0;
  for (const std::vector<int32_t>& of_item : dataset.label_set) labels += int64_t(of_item.size());
  return fmt::format("{} labels, {:.1f} for each item; {}", dataset.num_classes(),
                     double(labels) / double(std::max<size_t>(known_items(dataset).size(), 1)),
                     split_sizes(result.best_run().split));
}

std::vector<Block> MultilabelTask::details(const Dataset& dataset, const Result& result) const {
  const Split& split = result.best_run().split;
  if (split.test.empty()) return {};
  TextTable table{.columns = {{"label"},
                              {"items", Align::right},
                              {"precision", Align::right},
                              {"recall", Align::right},
                              {"F1", Align::right}},
                  .rows = {}};
  const std::vector<uint8_t> has = has_label(dataset);
  const std::vector<ClassScores> scores =
      label_scores(result.output, std::vector<float>(has.begin(), has.end()), split.test);
  for (size_t c = 0; c < scores.size(); c++)
    table.rows.push_back(
        {dataset.class_names[c], scores[c].count, fmt::format("{:.3f}", scores[c].precision),
         fmt::format("{:.3f}", scores[c].recall), fmt::format("{:.3f}", scores[c].f1)});
  return {TableBlock{"Labels, test items of the best run", std::move(table)}};
}

std::vector<std::string> MultilabelTask::warnings(const Dataset&, const Result& result) const {
  for (const Repetition& run : result.runs) {
    const auto usual = run.extra_metrics.find("usual_labels");
    if (usual != run.extra_metrics.end() && run.test.metric <= usual->second)
      return {
          fmt::format("seed {}, {}: micro F1 {:.4f} is not above {:.4f}, which always answering "
                      "the labels of most items would give",
                      run.seed, run.split.name, run.test.metric, usual->second)};
  }
  return {};
}

}  // namespace mgnn
