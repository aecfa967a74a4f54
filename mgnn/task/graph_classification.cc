// Graph classification: the class of a graph, learned from graphs whose class is known.

#include "mgnn/task/classification.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

class GraphClassification : public ClassificationTask {
 public:
  Suits suits(const Dataset& dataset, const LoadOptions&) const override {
    return !dataset.is_set() || dataset.label.empty() ? Suits::never : Suits::naturally;
  }
  void check(const Dataset& dataset, const RunOptions& run) const override {
    check_set_of_graphs(dataset, "node");
    ClassificationTask::check(dataset, run);
  }
  Shape shape(const Dataset& dataset) const override {
    return graph_shape(dataset, dataset.num_classes());
  }
  Result run(const Dataset& dataset, const ModelMaker& make_model, const RunOptions& options,
             const TrainingCallbacks& callbacks) const override {
    return train_graphs(dataset, make_model, ClassSupervision(dataset, options_), options,
                        callbacks);
  }
  Prediction predict(TrainedModel& model, const Dataset& dataset) const override {
    return predict_graphs(model, dataset, mean_of_members);
  }
};

}  // namespace

std::unique_ptr<Task> make_graph_classification() {
  return std::make_unique<GraphClassification>();
}

}  // namespace mgnn
