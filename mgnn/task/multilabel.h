// What node and graph classification with several labels for an item have in common.
#pragma once

#include "mgnn/task/supervised.h"

namespace mgnn {

// Each label is a question of its own, yes or no: binary cross-entropy of its logit. An item has those
// labels whose probability is above ½.
class MultilabelSupervision : public Supervision {
 public:
  explicit MultilabelSupervision(const Dataset& dataset) : dataset_(dataset) {}
  int64_t num_outputs() const override { return dataset_.num_classes(); }
  Metric metric() const override { return {"micro_f1"}; }
  std::vector<int32_t> strata() const override;
  Targets targets(std::span<const NodeId> train) const override;
  Var<float> loss(Var<float> out, const Targets& targets,
                  std::span<const NodeId> rows) const override;
  Scores scores(const float* out, int64_t cols, const Targets& targets,
                std::span<const NodeId> rows) const override;
  void judge(Repetition& run, const Judged& validation, const Judged& test) const override;

 private:
  const Dataset& dataset_;
};

class MultilabelTask : public Task {
 public:
  void check(const Dataset& dataset, const RunOptions& run) const override;
  Matrix answers(const TrainedModel& model, const Matrix& output) const override;
  PredictSummary write_predictions(TrainedModel& model, const Dataset& dataset,
                                   const PredictRequest& request) const override;
  void write_predictions(const std::string& path, const Dataset& dataset,
                         const Result& result) const override;
  std::string data_line(const Dataset& dataset, const Result& result) const override;
  std::vector<Block> details(const Dataset& dataset, const Result& result) const override;
  std::vector<std::string> warnings(const Dataset& dataset, const Result& result) const override;
};

}  // namespace mgnn
