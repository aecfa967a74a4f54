// Table of node classification: all methods on citation graphs and a knowledge graph.

#include "experiments/experiments.h"
#include "experiments/method_tables.h"

namespace mgnn {

Section node_classification_table(Study& study) {
  return method_tables(study, "Node classification", "node_classification", node_methods(),
                       node_data(study), Level::node,
                       settings_remark(" on the public split of 20 labels a class"));
}

}  // namespace mgnn
