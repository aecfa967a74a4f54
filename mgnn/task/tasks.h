// The table of tasks. Configuration, command line, model files and reports read it.
#pragma once

#include <span>

#include "mgnn/task/task.h"

namespace mgnn {

struct TaskEntry {
  std::string name;          // as in --task
  std::string title;         // "node classification"
  std::string profiles;      // tasks of one kind share recorded settings (task/profiles.h)
  std::string default_data;  // embedded dataset for those who name none; may be empty
  std::unique_ptr<Task> (*make)();
};
std::span<const TaskEntry> tasks();
// Adds a task to the table. Not thread-safe: to be called before anything uses the table.
void add_task(TaskEntry entry);

// Throws Error (usage) with the nearest name.
const TaskEntry& find_task(std::string_view name);

std::unique_ptr<Task> make_node_classification();
std::unique_ptr<Task> make_graph_classification();
std::unique_ptr<Task> make_node_regression();
std::unique_ptr<Task> make_graph_regression();
std::unique_ptr<Task> make_node_multilabel();
std::unique_ptr<Task> make_graph_multilabel();
std::unique_ptr<Task> make_link_prediction();
std::unique_ptr<Task> make_unsupervised();

}  // namespace mgnn
