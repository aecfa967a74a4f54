// Looking up nodes by what the user calls them.
#pragma once

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "mgnn/base/lines.h"
#include "mgnn/graph/graph.h"

namespace mgnn {

// From a node's name to its number. Keeps views: the names must outlive it.
class NodeIndex {
 public:
  // Gives false if the name is there already.
  bool insert(std::string_view name, NodeId node) { return node_of_.emplace(name, node).second; }
  NodeId find(std::string_view name) const {  // -1: no such name
    const auto found = node_of_.find(name);
    return found == node_of_.end() ? -1 : found->second;
  }
  void reserve(size_t size) { node_of_.reserve(size); }

 private:
  std::unordered_map<std::string_view, NodeId> node_of_;
};

// From what the user calls a node to its number. `ids` must outlive it.
class NodesByName {
 public:
  NodesByName(const NodeIds& ids, NodeId num_nodes) : ids_(ids), num_nodes_(num_nodes) {
    if (ids.are_strings()) {
      by_text_.reserve(size_t(num_nodes));
      for (NodeId u = 0; u < num_nodes; u++) by_text_.insert(text(u), u);
    } else if (!ids.trivial()) {
      for (NodeId u = 0; u < num_nodes; u++) by_number_.emplace_back(ids.number[u], u);
      std::sort(by_number_.begin(), by_number_.end());
    }
  }

  NodeId find(std::string_view name) const {  // -1: no such node
    if (ids_.are_strings()) return by_text_.find(name);
    int64_t number = 0;
    if (!parse_number(name, number)) return -1;
    if (ids_.trivial()) return number >= 0 && number < num_nodes_ ? NodeId(number) : -1;
    const auto found =
        std::lower_bound(by_number_.begin(), by_number_.end(), std::pair(number, NodeId(0)));
    return found != by_number_.end() && found->first == number ? found->second : -1;
  }

 private:
  std::string_view text(NodeId u) const {
    const Offset start = ids_.text_start[u], end = ids_.text_start[u + 1];
    return {ids_.text.data() + start, size_t(end - start)};
  }

  const NodeIds& ids_;
  NodeId num_nodes_;
  NodeIndex by_text_;
  std::vector<std::pair<int64_t, NodeId>> by_number_;
};

}  // namespace mgnn
