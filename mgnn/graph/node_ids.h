// What the user calls the nodes 0..n-1.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mgnn/base/types.h"

namespace mgnn {

// Names are whole numbers, or strings kept in one piece of memory, or the numbers 0..n-1
// themselves (then nothing is stored).
struct NodeIds {
  Array<int64_t> number;     // (n) if the names are whole numbers
  Array<char> text;          // all names, one after the other, if they are strings
  Array<Offset> text_start;  // (n + 1) name i is text[text_start[i]] .. text_start[i + 1]

  bool trivial() const { return number.empty() && text_start.empty(); }
  bool are_strings() const { return !text_start.empty(); }
  std::string name(NodeId node) const;    // REQUIRES: 0 <= node < n
  void push_back(std::string_view name);  // REQUIRES: not numbers

  // The names of `kept` nodes, in that order; `this` with n nodes may be trivial.
  NodeIds subset(const Array<NodeId>& nodes) const;
};

}  // namespace mgnn
