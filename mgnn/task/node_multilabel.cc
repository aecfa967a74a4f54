// Node classification with several labels: those of a node, learned from nodes whose labels are known.

#include "mgnn/task/multilabel.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

class NodeMultilabel : public MultilabelTask {
 public:
  Suits suits(const Dataset& dataset, const LoadOptions&) const override {
    const bool has = !dataset.label_set.empty() && !dataset.is_set();
    return has ? Suits::naturally : Suits::never;
  }
  void check(const Dataset& dataset, const RunOptions& run) const override {
    check_one_graph(dataset, "graph-multilabel");
    MultilabelTask::check(dataset, run);
  }
  Shape shape(const Dataset& dataset) const override {
    return node_shape(dataset, dataset.num_classes());
  }
  Result run(const Dataset& dataset, const ModelMaker& make_model, const RunOptions& options,
             const TrainingCallbacks& callbacks) const override {
    return train_nodes(dataset, make_model, MultilabelSupervision(dataset), options, callbacks);
  }
  Prediction predict(TrainedModel& model, const Dataset& dataset) const override {
    return predict_nodes(model, dataset);
  }
};

}  // namespace

std::unique_ptr<Task> make_node_multilabel() { return std::make_unique<NodeMultilabel>(); }

}  // namespace mgnn
