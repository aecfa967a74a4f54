// What node and graph classification have in common.
#pragma once

#include "mgnn/task/class_outputs.h"
#include "mgnn/task/supervised.h"

namespace mgnn {

// How much an item counts in the loss: all the same, or by 1 / (training items of its class).
enum class ClassWeights { none, balanced };
constexpr auto enum_names(ClassWeights) {
  return std::to_array<Named<ClassWeights>>(
      {{"none", ClassWeights::none}, {"balanced", ClassWeights::balanced}});
}

struct ClassOptions {
  ClassWeights weights = ClassWeights::none;
  int64_t ensemble = 1;      // networks whose calibrated probabilities are averaged
  Smoothing smoothing = {};  // of nodes
};

// One of the dataset's classes for every item: softmax cross-entropy, accuracy; logits are
// calibrated by a temperature that is fitted on validation items (Guo et al. 2017).
class ClassSupervision : public Supervision {
 public:
  ClassSupervision(const Dataset& dataset, const ClassOptions& options)
      : dataset_(dataset), options_(options) {}
  int64_t num_outputs() const override { return dataset_.num_classes(); }
  Metric metric() const override { return {"accuracy"}; }
  std::vector<int32_t> strata() const override { return dataset_.label; }
  Targets targets(std::span<const NodeId> train) const override;
  Var<float> loss(Var<float> out, const Targets& targets,
                  std::span<const NodeId> rows) const override;
  Scores scores(const float* out, int64_t cols, const Targets& targets,
                std::span<const NodeId> rows) const override;
  void judge(Repetition& run, const Judged& validation, const Judged& test) const override;
  int64_t num_members() const override { return options_.ensemble; }
  Matrix averaged(std::span<const Repetition> members, Numbers& fitted) const override;
  bool smooths() const override { return options_.smoothing.is_on(); }
  Matrix smoothed(Matrix output, const Targets& targets, Repetition& run) const override;

 private:
  const Dataset& dataset_;
  const ClassOptions options_;
};

class ClassificationTask : public Task {
 public:
  Options options() override;
  void check(const Dataset& dataset, const RunOptions& run) const override;
  void check_fitted(const Numbers& fitted, const std::string& path) const override {
    require_numbers(fitted, {"temperature"}, path);
  }
  Matrix answers(const TrainedModel& model, const Matrix& output) const override;
  PredictSummary write_predictions(TrainedModel& model, const Dataset& dataset,
                                   const PredictRequest& request) const override;
  void write_predictions(const std::string& path, const Dataset& dataset,
                         const Result& result) const override;
  std::string data_line(const Dataset& dataset, const Result& result) const override;
  std::vector<Block> details(const Dataset& dataset, const Result& result) const override;
  std::vector<Section> sections(const Dataset& dataset, const Result& result) const override;
  void add_json(const Result& result, nlohmann::ordered_json& json) const override;
  std::vector<std::string> warnings(const Dataset& dataset, const Result& result) const override;
  bool has_classes() const override { return true; }

 protected:
  ClassOptions options_ = {};
};

// (true class, predicted class) of the test items of a run, or of all runs.
const MatrixOf<int64_t>& confusion_of(const Repetition& run);
MatrixOf<int64_t> confusion_of(const Result& result);

// The dataset's labels as classes of the model, by name; -1 for those that it does not have.
std::vector<int32_t> labels_by_name(const TrainedModel& model, const Dataset& dataset);

}  // namespace mgnn
