// Graph regression: a number of a graph, learned from graphs whose number is known.

#include "mgnn/task/regression.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

class GraphRegression : public RegressionTask {
 public:
  Suits suits(const Dataset& dataset, const LoadOptions& load) const override {
    if (!dataset.is_set()) return Suits::never;
    if (!load.target_column.empty()) return Suits::asked;
    if (dataset.target.empty()) return Suits::never;
    return dataset.label.empty() ? Suits::naturally : Suits::otherwise;
  }
  void check(const Dataset& dataset, const RunOptions& run) const override {
    check_set_of_graphs(dataset, "node-regression");
    RegressionTask::check(dataset, run);
  }
  Shape shape(const Dataset& dataset) const override { return graph_shape(dataset, 1); }
  Result run(const Dataset& dataset, const ModelMaker& make_model, const RunOptions& options,
             const TrainingCallbacks& callbacks) const override {
    return train_graphs(dataset, make_model, NumberSupervision(dataset, options_), options,
                        callbacks);
  }
  Prediction predict(TrainedModel& model, const Dataset& dataset) const override {
    return predict_graphs(model, dataset);
  }
};

}  // namespace

std::unique_ptr<Task> make_graph_regression() { return std::make_unique<GraphRegression>(); }

}  // namespace mgnn
