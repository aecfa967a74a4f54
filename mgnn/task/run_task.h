// From a configuration to a Result, whatever the task.
#pragma once

#include "mgnn/task/config.h"
#include "mgnn/task/repeat.h"

namespace mgnn {

// What `auto` means for these data: graph for a labelled set of graphs, node for labelled nodes,
// link where a relation or pair of types is asked about or nodes have no labels.
// Throws Error (usage) if the task does not fit the data or the model.
std::string task_of(const Config& config, const Dataset& dataset);

// Of the network that learns it.
Shape shape_of(const Config& config, const Dataset& dataset, const std::string& task);

Result run_task(const Config& config, const Dataset& dataset, const Watch& watch = {});

}  // namespace mgnn
