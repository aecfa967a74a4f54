// The two levels at which methods have an output.
#pragma once

#include "mgnn/base/names.h"

namespace mgnn {

enum class Level { node, graph };  // one row for every node, or one for every graph
constexpr auto enum_names(Level) {
  return std::to_array<Named<Level>>({{"node", Level::node}, {"graph", Level::graph}});
}

}  // namespace mgnn
