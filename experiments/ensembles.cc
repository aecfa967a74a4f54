// MGNN next to networks of thirteen modules, for nodes and for graphs.

#include "experiments/experiments.h"
#include "experiments/method_tables.h"

namespace mgnn {

Section ensembles(Study& study) {
  Section section =
      method_tables(study, "Ensembles", "ensembles", ensemble_methods(Level::node),
                    node_data(study), Level::node, "Networks of thirteen modules next to MGNN. ");
  Section graphs = method_tables(study, "", "ensembles", ensemble_methods(Level::graph),
                                 graph_data(study), Level::graph, "The same for sets of graphs. ");
  for (Block& block : graphs.blocks) section.blocks.push_back(std::move(block));
  return section;
}

}  // namespace mgnn
