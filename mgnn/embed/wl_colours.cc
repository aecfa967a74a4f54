#include "mgnn/embed/wl_colours.h"

#include <algorithm>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

using Colours = std::vector<int32_t>;

// Sorted colours of the neighbours; false if one of them is unknown.
bool append_colours(std::span<const NodeId> neighbours, const Colours& colour,
                    std::u32string& key) {
  const size_t first = key.size();
  for (const NodeId v : neighbours) {
    if (colour[size_t(v)] < 0) return false;
    key.push_back(char32_t(colour[size_t(v)]));
  }
  std::sort(key.begin() + std::ptrdiff_t(first), key.end());
  return true;
}

}  // namespace

int32_t WlColours::number(bool learn) {
  if (!learn) {
    const auto found = number_.find(key_);
    return found == number_.end() ? -1 : found->second;
  }
  return number_.try_emplace(key_, count()).first->second;
}

std::vector<Colours> WlColours::colours(const EmbedInput& input, int64_t steps, bool use_labels,
                                        bool learn) {
  check(steps >= 0, "there cannot be {} steps of colours", steps);
  const Graph& graph = input.graph;
  const auto n = size_t(graph.num_nodes());
  const bool labels = use_labels && !input.node_label.empty();
  check(!labels || input.node_label.size() == n, "{} node labels for {} nodes",
        input.node_label.size(), n);
  std::vector<Colours> colour(size_t(steps) + 1, Colours(n));
  for (NodeId u = 0; u < graph.num_nodes(); u++) {
    key_ = {0, char32_t(labels)};
    if (labels)
      key_.push_back(char32_t(input.node_label[size_t(u)]));
    else
      key_.append({char32_t(graph.out.row_size(u)), char32_t(graph.in.row_size(u))});
    colour[0][size_t(u)] = number(learn);
  }
  for (size_t h = 1; h <= size_t(steps); h++)
    for (NodeId u = 0; u < graph.num_nodes(); u++) {
      const std::span<const NodeId> out = graph.out.row(u), in = graph.in.row(u);
      const bool one_way = !std::equal(out.begin(), out.end(), in.begin(), in.end());
      const Colours& before = colour[h - 1];
      // The number of out-neighbours says where the in-neighbours begin.
      key_ = {char32_t(h), char32_t(before[size_t(u)]), char32_t(one_way), char32_t(out.size())};
      const bool known = before[size_t(u)] >= 0 && append_colours(out, before, key_) &&
                         (!one_way || append_colours(in, before, key_));
      colour[h][size_t(u)] = known ? number(learn) : -1;
    }
  return colour;
}

}  // namespace mgnn
