// Tarjan's algorithm (1972) with its recursion on a stack of our own.

#include "mgnn/sparse/components.h"

#include <algorithm>

namespace mgnn {

StrongComponents strong_components(const Csr& pattern, std::span<const double> value) {
  constexpr NodeId kUnseen = -1;
  const auto n = size_t(pattern.rows);
  struct Visit {
    NodeId row;
    Offset next;  // entry to look at when the visit goes on
  };
  std::vector<NodeId> order(n, kUnseen), low(n);
  std::vector<NodeId> path;  // seen, component not yet known
  std::vector<Visit> visits;
  StrongComponents result{std::vector<NodeId>(n, kUnseen), {}, {0}};
  NodeId seen = 0;

  const auto enter = [&](NodeId r) {
    order[r] = low[r] = seen++;
    path.push_back(r);
    visits.push_back({r, pattern.start[r]});
  };
  const auto close_component = [&](NodeId r) {
    const auto first = std::find(path.rbegin(), path.rend(), r).base() - 1;
    std::sort(first, path.end());
    for (auto member = first; member != path.end(); member++) result.of[*member] = result.count();
    result.member.insert(result.member.end(), first, path.end());
    result.start.push_back(Offset(result.member.size()));
    path.erase(first, path.end());
  };
  for (NodeId root = 0; root < pattern.rows; root++) {
    if (order[root] == kUnseen) enter(root);
    while (!visits.empty()) {
      const NodeId r = visits.back().row;
      if (visits.back().next < pattern.start[r + 1]) {
        const Offset e = visits.back().next++;
        const NodeId c = pattern.index[e];
        if (value[e] == 0) continue;
        if (order[c] == kUnseen)
          enter(c);
        else if (result.of[c] == kUnseen)
          low[r] = std::min(low[r], order[c]);
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) low[visits.back().row] = std::min(low[visits.back().row], low[r]);
      if (low[r] == order[r]) close_component(r);
    }
  }
  return result;
}

}  // namespace mgnn
