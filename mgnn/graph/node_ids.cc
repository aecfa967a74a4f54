#include <fmt/core.h>

#include "mgnn/graph/graph.h"

namespace mgnn {

std::string NodeIds::name(NodeId node) const {
  if (are_strings())
    return std::string(text.data() + text_start[node], text.data() + text_start[node + 1]);
  return fmt::format("{}", number.empty() ? int64_t(node) : number[node]);
}

void NodeIds::push_back(std::string_view name) {
  if (text_start.empty()) text_start.push_back(0);
  text.insert(text.end(), name.begin(), name.end());
  text_start.push_back(Offset(text.size()));
}

NodeIds NodeIds::subset(const Array<NodeId>& nodes) const {
  NodeIds result;
  for (NodeId node : nodes) {
    if (are_strings())
      result.push_back(name(node));
    else
      result.number.push_back(number.empty() ? int64_t(node) : number[node]);
  }
  return result;
}

}  // namespace mgnn
