#include "mgnn/task/tasks.h"

#include <fmt/ranges.h>

#include "mgnn/base/names.h"

namespace mgnn {

Matrix Task::answers(const TrainedModel& model, const Matrix&) const {
  fail_usage("{}: was trained for {}, and answers nothing about single items", model.path,
             model.config->entry().title);
}

namespace {

std::vector<TaskEntry>& table() {
  static std::vector<TaskEntry> entries = {
      {.name = "node",
       .title = "node classification",
       .profiles = "classification",
       .default_data = "roles",
       .make = make_node_classification},
      {.name = "graph",
       .title = "graph classification",
       .profiles = "classification",
       .default_data = "triads",
       .make = make_graph_classification},
      {.name = "node-regression",
       .title = "node regression",
       .profiles = "regression",
       .default_data = "",
       .make = make_node_regression},
      {.name = "graph-regression",
       .title = "graph regression",
       .profiles = "regression",
       .default_data = "",
       .make = make_graph_regression},
      {.name = "node-multilabel",
       .title = "multi-label node classification",
       .profiles = "multilabel",
       .default_data = "",
       .make = make_node_multilabel},
      {.name = "graph-multilabel",
       .title = "multi-label graph classification",
       .profiles = "multilabel",
       .default_data = "",
       .make = make_graph_multilabel},
      {.name = "link",
       .title = "link prediction",
       .profiles = "link",
       .default_data = "toykg",
       .make = make_link_prediction},
      {.name = "unsupervised",
       .title = "unsupervised learning",
       .profiles = "unsupervised",
       .default_data = "roles",
       .make = make_unsupervised},
  };
  return entries;
}

}  // namespace

std::span<const TaskEntry> tasks() { return table(); }

void add_task(TaskEntry entry) { table().push_back(std::move(entry)); }

void require_numbers(const Numbers& fitted, std::initializer_list<const char*> names,
                     const std::string& path) {
  for (const char* name : names)
    if (!fitted.contains(name)) fail_data("{}: its metadata do not have the {}", path, name);
}

const TaskEntry& find_task(std::string_view name) { return find_by_name(tasks(), "task", name); }

}  // namespace mgnn
