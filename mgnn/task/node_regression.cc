// Node regression: a number of a node, learned from nodes whose number is known.

#include "mgnn/task/regression.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

class NodeRegression : public RegressionTask {
 public:
  Suits suits(const Dataset& dataset, const LoadOptions& load) const override {
    if (dataset.is_set()) return Suits::never;
    if (!load.target_column.empty()) return Suits::asked;
    if (dataset.target.empty()) return Suits::never;
    return dataset.label.empty() ? Suits::naturally : Suits::otherwise;
  }
  void check(const Dataset& dataset, const RunOptions& run) const override {
    check_one_graph(dataset, "graph-regression");
    RegressionTask::check(dataset, run);
  }
  Shape shape(const Dataset& dataset) const override { return node_shape(dataset, 1); }
  Result run(const Dataset& dataset, const ModelMaker& make_model, const RunOptions& options,
             const TrainingCallbacks& callbacks) const override {
    return train_nodes(dataset, make_model, NumberSupervision(dataset, options_), options,
                       callbacks);
  }
  Prediction predict(TrainedModel& model, const Dataset& dataset) const override {
    return predict_nodes(model, dataset);
  }
};

}  // namespace

std::unique_ptr<Task> make_node_regression() { return std::make_unique<NodeRegression>(); }

}  // namespace mgnn
