// Table of graph classification: all methods on sets of molecules and proteins.

#include "experiments/experiments.h"
#include "experiments/method_tables.h"

namespace mgnn {

Section graph_classification_table(Study& study) {
  return method_tables(study, "Graph classification", "graph_classification", graph_methods(),
                       graph_data(study), Level::graph, settings_remark(""));
}

}  // namespace mgnn
