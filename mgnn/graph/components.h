// Weakly connected components.
#pragma once

#include "mgnn/graph/graph.h"

namespace mgnn {

struct Components {
  Array<NodeId> of;    // (n) component of each node, numbered by smallest node
  Array<NodeId> size;  // nodes in each component
};
Components weak_components(const Graph& graph);

}  // namespace mgnn
