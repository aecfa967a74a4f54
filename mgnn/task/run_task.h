// From a configuration to a Result, whatever the task.
#pragma once

#include "mgnn/task/config.h"

namespace mgnn {

// Settles the task, as choose_task. Throws Error if nothing can be learned from the data.
Result run_task(Config& config, const Dataset& dataset, const TrainingCallbacks& callbacks = {});

}  // namespace mgnn
