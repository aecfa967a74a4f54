#include "mgnn/task/run_task.h"

#include "mgnn/task/graph_classification.h"
#include "mgnn/task/link_prediction.h"
#include "mgnn/task/node_classification.h"
#include "mgnn/task/unsupervised.h"

namespace mgnn {

std::string task_of(const Config& config, const Dataset& dataset) {
  std::string task = config.task;
  if (asks_for_links(config, dataset)) {
    task = "link";
  } else if (task == "auto") {
    if (dataset.label.empty())
      fail_usage(
          "{} has no labels to learn; give a table with --nodes FILE --label-column NAME, or learn "
          "without any: --task unsupervised",
          dataset.name);
    task = dataset.is_set() ? "graph" : "node";
  }
  if (task == "link" && dataset.is_set())
    fail_usage("{} is a set of graphs; links are predicted in one graph", dataset.name);
  const Method& method = find_method(config.model);
  const bool graphs = shape_of(config, dataset, task).level == Level::graph;
  if (!method.supports(graphs ? Level::graph : Level::node))
    fail_usage("{} has no output for {}s; use another --model", config.model,
               graphs ? "graph" : "node");
  return task;
}

Shape shape_of(const Config& config, const Dataset& dataset, const std::string& task) {
  if (task == "unsupervised") return unsupervised_shape(config.unsupervised, dataset);
  if (task == "graph") return {num_features(dataset.features), dataset.num_classes(), Level::graph};
  return {num_features(dataset.features), dataset.num_classes(), Level::node,
          dataset.graph.num_nodes()};
}

Result run_task(const Config& config, const Dataset& dataset, const Watch& watch) {
  const std::string task = task_of(config, dataset);
  const ModelMaker make = [&] { return new_network(config); };
  if (task == "node")
    return node_classification(dataset, make,
                               {.seed = config.seed,
                                .seeds = config.seeds,
                                .training = config.train,
                                .standardise = config.data.standardise,
                                .split = config.data.split,
                                .num_validation = config.data.num_validation,
                                .num_test = config.data.num_test},
                               watch);
  if (task == "unsupervised")
    return unsupervised(dataset, make,
                        {.seed = config.seed,
                         .seeds = config.seeds,
                         .settings = config.unsupervised,
                         .training = config.train,
                         .batch_size = config.batch_size,
                         .standardise = config.data.standardise,
                         .split = config.data.split,
                         .folds = config.data.folds,
                         .num_validation = config.data.num_validation,
                         .num_test = config.data.num_test},
                        watch);
  if (task == "link")
    return link_prediction(dataset, make,
                           {.seed = config.seed,
                            .seeds = config.seeds,
                            .training = config.train,
                            .link = config.link,
                            .features = config.data.features},
                           watch);
  return graph_classification(dataset, make,
                              {.seed = config.seed,
                               .seeds = config.seeds,
                               .split = config.data.split,
                               .folds = config.data.folds,
                               .batch_size = config.batch_size,
                               .standardise = config.data.standardise,
                               .training = config.train},
                              watch);
}

}  // namespace mgnn
