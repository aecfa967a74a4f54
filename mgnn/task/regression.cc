#include "mgnn/task/regression.h"

#include <fmt/format.h>

#include <cmath>

#include "mgnn/task/prediction_file.h"
#include "mgnn/task/trained_model.h"

namespace mgnn {
namespace {

constexpr size_t kMaxDotsOfPart = 2000;  // of the figure

// The network's outputs on the scale of the data.
std::vector<double> unscaled(const Matrix& output, const Numbers& fitted) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < output.rows; i++)
    numbers.push_back(fitted.at("mean") + fitted.at("deviation") * double(output(i, 0)));
  return numbers;
}

RegressionScores scores_of(const std::vector<double>& predicted, const std::vector<double>& target,
                           std::span<const NodeId> items) {
  std::vector<double> p, y;
  for (const NodeId i : items) {
    p.push_back(predicted[i]);
    y.push_back(target[i]);
  }
  return regression_scores(p, y);
}

std::vector<NodeId> known_items(const std::vector<double>& target) {
  std::vector<NodeId> items;
  for (size_t i = 0; i < target.size(); i++)
    if (!std::isnan(target[i])) items.push_back(NodeId(i));
  return items;
}

// One line per item: id, prediction, then (where known) the true number, and the item's part in
// the split, which may be null.
std::vector<std::string> prediction_columns(const Dataset& dataset) {
  return {dataset.is_set() ? "graph" : "id", "predicted", "target", "split"};
}

void write_numbers(RecordWriter& file, const Dataset& dataset, const std::vector<double>& predicted,
                   const Split* split) {
  const std::vector<const char*> part = split_parts(split, int64_t(predicted.size()));
  for (size_t i = 0; i < predicted.size(); i++) {
    file.text(item_name(dataset, int64_t(i)));
    file.number(predicted[i]);
    if (!dataset.target.empty() && !std::isnan(dataset.target[i]))
      file.number(dataset.target[i]);
    else
      file.nothing();
    file.text(part[i]);
  }
  file.commit();
}

}  // namespace

std::vector<int32_t> NumberSupervision::strata() const {
  std::vector<int32_t> known;
  for (const double y : dataset_.target) known.push_back(std::isnan(y) ? -1 : 0);
  return known;
}

Targets NumberSupervision::targets(std::span<const NodeId> train) const {
  Targets targets;
  const double n = double(train.size());
  for (const NodeId i : train) targets.mean += dataset_.target[i] / n;
  double variance = 0;
  for (const NodeId i : train) variance += std::pow(dataset_.target[i] - targets.mean, 2) / n;
  targets.deviation = variance > 0 ? std::sqrt(variance) : 1;
  for (const double y : dataset_.target)
    targets.number.push_back(float((y - targets.mean) / targets.deviation));
  return targets;
}

Var<float> NumberSupervision::loss(Var<float> out, const Targets& targets,
                                   std::span<const NodeId> rows) const {
  if (options_.loss == RegressionLoss::squared)
    return squared_error<float>(out, targets.number, rows);
  return huber<float>(out, targets.number, rows, options_.huber_delta);
}

Scores NumberSupervision::scores(const float* out, int64_t cols, const Targets& targets,
                                 std::span<const NodeId> rows) const {
  Scores scores{.count = int64_t(rows.size())};
  const double n = double(std::max<size_t>(rows.size(), 1)), delta = options_.huber_delta;
  for (const NodeId r : rows) {
    const double distance = std::abs(double(out[r * cols]) - double(targets.number[r]));
    const bool linear = options_.loss == RegressionLoss::huber && distance > delta;
    const double half = options_.loss == RegressionLoss::huber ? 0.5 : 1;
    scores.loss += (linear ? delta * (distance - delta / 2) : half * distance * distance) / n;
    scores.metric += targets.deviation * distance / n;
  }
  return scores;
}

void NumberSupervision::judge(Repetition& run, const Judged& validation, const Judged& test) const {
  const auto scores_of_part = [&](const Judged& part) {
    return scores(part.output.data.data(), part.output.cols, part.targets, part.rows);
  };
  run.validation = scores_of_part(validation);
  run.test = scores_of_part(test);
  run.fitted = {{"mean", test.targets.mean}, {"deviation", test.targets.deviation}};
  if (test.rows.empty()) return;  // no score of nothing
  std::vector<double> predicted, y;
  for (const NodeId r : test.rows) {
    predicted.push_back(double(test.output(r, 0)) * test.targets.deviation);
    y.push_back(double(test.targets.number[r]) * test.targets.deviation);
  }
  const RegressionScores extra = regression_scores(predicted, y);
  run.extra_metrics = {{"rmse", extra.rmse}, {"r2", extra.r2}};
}

Options RegressionTask::options() {
  return {choice("loss", options_.loss, "loss function"),
          option("huber_delta", options_.huber_delta,
                 "threshold of the Huber loss, in standard deviations of the target")};
}

void RegressionTask::check(const Dataset& dataset, const RunOptions& run) const {
  const char* items = dataset.is_set() ? "graphs" : "nodes";
  if (known_items(dataset.target).empty())
    fail_data(Hint::target_column, "{}: {} have no numbers to learn", dataset.name, items);
  mgnn::check(options_.huber_delta > 0, "huber_delta is {}; it must be above 0",
              options_.huber_delta);
  check_run(dataset, run);
}

Matrix RegressionTask::answers(const TrainedModel& model, const Matrix& output) const {
  Matrix numbers(output.rows, 1);
  const std::vector<double> exact = unscaled(output, model.fitted);
  std::copy(exact.begin(), exact.end(), numbers.data.begin());
  return numbers;
}

PredictSummary RegressionTask::write_predictions(TrainedModel& model, const Dataset& dataset,
                                                 const PredictRequest& request) const {
  const std::vector<double> predicted = unscaled(predict(model, dataset).output, model.fitted);
  for_each_output(request, prediction_columns(dataset),
                  [&](RecordWriter& file) { write_numbers(file, dataset, predicted, nullptr); });
  const std::vector<NodeId> known = known_items(dataset.target);
  PredictSummary summary{.count = int64_t(predicted.size()), .known = int64_t(known.size())};
  if (known.empty()) return summary;
  const RegressionScores scores = scores_of(predicted, dataset.target, known);
  summary.scores = {{"mae", scores.mae}, {"rmse", scores.rmse}, {"r2", scores.r2}};
  return summary;
}

void RegressionTask::write_predictions(const std::string& path, const Dataset& dataset,
                                       const Result& result) const {
  const Repetition& best = result.best_run();
  RecordWriter file(path, prediction_columns(dataset));
  write_numbers(file, dataset, unscaled(result.output, best.fitted), &best.split);
}

std::string RegressionTask::data_line(const Dataset&, const Result& result) const {
  return split_sizes(result.best_run().split);
}

// Predicted against true numbers, by part of the split.
std::vector<Section> RegressionTask::sections(const Dataset& dataset, const Result& result) const {
  const Repetition& best = result.best_run();
  const std::vector<double> predicted = unscaled(result.output, best.fitted);
  Scatter scatter{"true", "predicted", {}};
  const std::pair<const char*, const std::vector<NodeId>*> parts[] = {
      {"train", &best.split.train},
      {"validation", &best.split.validation},
      {"test", &best.split.test}};
  for (const auto& [name, items] : parts) {
    ScatterGroup group{name, {}, {}, {}};
    const size_t step = std::max<size_t>(1, (items->size() + kMaxDotsOfPart - 1) / kMaxDotsOfPart);
    for (size_t i = 0; i < items->size(); i += step) {
      const NodeId item = (*items)[i];
      group.x.push_back(dataset.target[item]);
      group.y.push_back(predicted[item]);
      group.tip.push_back(fmt::format("{}: {:.4g}, predicted {:.4g}", item_name(dataset, item),
                                      dataset.target[item], predicted[item]));
    }
    scatter.groups.push_back(std::move(group));
  }
  return {{"Predictions",
           {Paragraph{"Predicted against true numbers of the best run."},
            Figure{"predictions", "Predicted against true", std::move(scatter)}}}};
}

}  // namespace mgnn
