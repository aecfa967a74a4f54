#include "mgnn/task/supervised.h"

#include <fmt/format.h>

namespace mgnn {

Targets Targets::of(std::span<const NodeId> items) const {
  Targets part{
      .class_weight = class_weight, .mean = mean, .deviation = deviation, .num_labels = num_labels};
  for (const NodeId i : items) {
    if (!label.empty()) part.label.push_back(label[i]);
    if (!number.empty()) part.number.push_back(number[i]);
    if (!has_label.empty())
      part.has_label.insert(part.has_label.end(), has_label.begin() + i * num_labels,
                            has_label.begin() + (i + 1) * num_labels);
  }
  return part;
}

Shape node_shape(const Dataset& dataset, int64_t outputs) {
  return {.in = num_features(dataset.features),
          .out = outputs,
          .level = Level::node,
          .nodes = dataset.graph.num_nodes(),
          .relations = int64_t(dataset.relations.size())};
}

Shape graph_shape(const Dataset& dataset, int64_t outputs) {
  return {.in = num_features(dataset.features),
          .out = outputs,
          .level = Level::graph,
          .relations = int64_t(dataset.relations.size())};
}

void check_one_graph(const Dataset& dataset, const char* otherwise) {
  if (dataset.is_set())
    fail_usage(Hint(Hint::setting, fmt::format("task={}", otherwise)),
               "{} is a set of graphs, not one graph", dataset.name);
}

void check_set_of_graphs(const Dataset& dataset, const char* otherwise) {
  if (!dataset.is_set())
    fail_usage(Hint(Hint::setting, fmt::format("task={}", otherwise)),
               "{} is one graph, not a set of graphs", dataset.name);
}

void check_run(const Dataset& dataset, const RunOptions& options) {
  check(options.seeds > 0, "seeds is 0; use at least 1");
  check(options.batch_size > 0, "batch_size is 0; use at least 1");
  if (num_features(dataset.features) == 0)
    fail_data(Hint(Hint::setting, "features=structure"), "{}: nodes have no features",
              dataset.name);
}

Hint label_hint(const Dataset& dataset) {
  return dataset.is_set() ? Hint(Hint::setting, "task=unsupervised") : Hint::label_column;
}

std::string item_name(const Dataset& dataset, int64_t item) {
  return (dataset.is_set() ? dataset.graph_ids : dataset.ids).name(NodeId(item));
}

std::vector<const char*> split_parts(const Split* split, int64_t items) {
  std::vector<const char*> part(size_t(items), "");
  if (!split) return part;
  for (const NodeId i : split->train) part[i] = "train";
  for (const NodeId i : split->validation) part[i] = "validation";
  for (const NodeId i : split->test) part[i] = "test";
  return part;
}

std::string split_sizes(const Split& split) {
  return fmt::format("{} / {} / {} items to train, validate, test", split.train.size(),
                     split.validation.size(), split.test.size());
}

}  // namespace mgnn
