// What node and graph regression have in common.
#pragma once

#include "mgnn/task/supervised.h"

namespace mgnn {

enum class RegressionLoss { squared, huber };
constexpr auto enum_names(RegressionLoss) {
  return std::to_array<Named<RegressionLoss>>(
      {{"squared", RegressionLoss::squared}, {"huber", RegressionLoss::huber}});
}

struct RegressionOptions {
  RegressionLoss loss = RegressionLoss::squared;
  double huber_delta = 1;  // in standard deviations of the training items' numbers
};

// One number for every item. The network is trained on (number - mean) / deviation of the training
// items; scores and predictions are on the scale of the data.
class NumberSupervision : public Supervision {
 public:
  NumberSupervision(const Dataset& dataset, const RegressionOptions& options)
      : dataset_(dataset), options_(options) {}
  int64_t num_outputs() const override { return 1; }
  Metric metric() const override { return {"mae", false}; }
  std::vector<int32_t> strata() const override;
  Targets targets(std::span<const NodeId> train) const override;
  Var<float> loss(Var<float> out, const Targets& targets,
                  std::span<const NodeId> rows) const override;
  Scores scores(const float* out, int64_t cols, const Targets& targets,
                std::span<const NodeId> rows) const override;
  void judge(Repetition& run, const Judged& validation, const Judged& test) const override;

 private:
  const Dataset& dataset_;
  const RegressionOptions options_;
};

class RegressionTask : public Task {
 public:
  Options options() override;
  void check(const Dataset& dataset, const RunOptions& run) const override;
  void check_fitted(const Numbers& fitted, const std::string& path) const override {
    require_numbers(fitted, {"mean", "deviation"}, path);
  }
  Matrix answers(const TrainedModel& model, const Matrix& output) const override;
  PredictSummary write_predictions(TrainedModel& model, const Dataset& dataset,
                                   const PredictRequest& request) const override;
  void write_predictions(const std::string& path, const Dataset& dataset,
                         const Result& result) const override;
  std::string data_line(const Dataset& dataset, const Result& result) const override;
  std::vector<Section> sections(const Dataset& dataset, const Result& result) const override;

 protected:
  RegressionOptions options_;
};

}  // namespace mgnn
