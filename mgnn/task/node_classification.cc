// Node classification: the class of a node, learned from nodes whose class is known.

#include "mgnn/task/classification.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

class NodeClassification : public ClassificationTask {
 public:
  Suits suits(const Dataset& dataset, const LoadOptions&) const override {
    return dataset.is_set() || dataset.label.empty() ? Suits::never : Suits::naturally;
  }
  void check(const Dataset& dataset, const RunOptions& run) const override {
    check_one_graph(dataset, "graph");
    ClassificationTask::check(dataset, run);
  }
  Shape shape(const Dataset& dataset) const override {
    return node_shape(dataset, dataset.num_classes());
  }
  Result run(const Dataset& dataset, const ModelMaker& make_model, const RunOptions& options,
             const TrainingCallbacks& callbacks) const override {
    return train_nodes(dataset, make_model, ClassSupervision(dataset, options_), options,
                       callbacks);
  }
  Options options() override {
    Options options = ClassificationTask::options();
    options.push_back(smoothing_option(options_.smoothing));
    return options;
  }
  Prediction predict(TrainedModel& model, const Dataset& dataset) const override {
    Prediction result = predict_nodes(model, dataset, mean_of_members);
    if (!is_smoothed(model.fitted)) return result;
    const bool trained_on = is_training_data(model, dataset);
    const Split split = trained_on ? split_of_training(model, dataset) : Split();
    const KnownClasses known{split.train, dataset.label};
    result.output = smoothed_output(std::move(result.output), dataset.graph,
                                    trained_on ? &known : nullptr, model.fitted);
    return result;
  }
};

}  // namespace

std::unique_ptr<Task> make_node_classification() { return std::make_unique<NodeClassification>(); }

}  // namespace mgnn
