// Graph classification with several labels: those of a graph, learned from graphs whose labels are known.

#include "mgnn/task/multilabel.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

class GraphMultilabel : public MultilabelTask {
 public:
  Suits suits(const Dataset& dataset, const LoadOptions&) const override {
    const bool has = !dataset.label_set.empty() && dataset.is_set();
    return has ? Suits::naturally : Suits::never;
  }
  void check(const Dataset& dataset, const RunOptions& run) const override {
    check_set_of_graphs(dataset, "node-multilabel");
    MultilabelTask::check(dataset, run);
  }
  Shape shape(const Dataset& dataset) const override {
    return graph_shape(dataset, dataset.num_classes());
  }
  Result run(const Dataset& dataset, const ModelMaker& make_model, const RunOptions& options,
             const TrainingCallbacks& callbacks) const override {
    return train_graphs(dataset, make_model, MultilabelSupervision(dataset), options, callbacks);
  }
  Prediction predict(TrainedModel& model, const Dataset& dataset) const override {
    return predict_graphs(model, dataset);
  }
};

}  // namespace

std::unique_ptr<Task> make_graph_multilabel() { return std::make_unique<GraphMultilabel>(); }

}  // namespace mgnn
