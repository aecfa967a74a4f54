// Texts of tables and files as classes and node ids.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/graph/graph.h"

namespace mgnn {

// Labels as texts -> classes: in the order of their numbers if all are whole numbers, else of the
// alphabet. An empty text is an unknown label, -1.
struct Classes {
  std::vector<int32_t> label;
  std::vector<std::string> names;
};
Classes classes_of(std::span<const std::string_view> labels);

// The names of nodes as NodeIds: nothing if they are 0..n-1 in that order, numbers if all are.
NodeIds node_ids_of(std::span<const std::string_view> names);

}  // namespace mgnn
