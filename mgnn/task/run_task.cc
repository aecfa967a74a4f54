#include "mgnn/task/run_task.h"

namespace mgnn {

Result run_task(Config& config, const Dataset& dataset, const TrainingCallbacks& callbacks) {
  choose_task(config, dataset);
  const Task& task = config.task();
  task.check(dataset, config.run);
  const ModelMaker make_model = [&] { return new_network(config); };
  Result result = task.run(dataset, make_model, config.run, callbacks);
  result.task = config.task_name;
  return result;
}

}  // namespace mgnn
