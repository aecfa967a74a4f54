#include "mgnn/embed/wl_colours.h"

#include <algorithm>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

using Colours = std::vector<int32_t>;

// Sorted colours of the neighbours; false if one of them is -1.
bool append_colours(std::span<const NodeId> neighbours, const Colours& colour,
                    std::u32string& key) {
  const auto first = std::ptrdiff_t(key.size());
  for (const NodeId v : neighbours) {
    if (colour[v] < 0) return false;
    key.push_back(char32_t(colour[v]));
  }
  std::sort(key.begin() + first, key.end());
  return true;
}

Colours first_colours(const EmbedInput& input, bool labels, auto number_of) {
  const Graph& graph = input.graph;
  Colours colour;
  std::u32string key;
  for (NodeId u = 0; u < graph.num_nodes(); u++) {
    key = {0, char32_t(labels)};
    if (labels)
      key.push_back(char32_t(input.node_label[u]));
    else
      key.append({char32_t(graph.out.row_size(u)), char32_t(graph.in.row_size(u))});
    colour.push_back(number_of(key));
  }
  return colour;
}

Colours next_colours(const Graph& graph, const Colours& before, size_t step, auto number_of) {
  Colours colour;
  std::u32string key;
  for (NodeId u = 0; u < graph.num_nodes(); u++) {
    const std::span<const NodeId> out = graph.out.row(u), in = graph.in.row(u);
    const bool directed = !std::equal(out.begin(), out.end(), in.begin(), in.end());
    // The number of out-neighbours tells where the in-neighbours begin.
    key = {char32_t(step), char32_t(before[u]), char32_t(directed), char32_t(out.size())};
    const bool complete = before[u] >= 0 && append_colours(out, before, key) &&
                          (!directed || append_colours(in, before, key));
    colour.push_back(complete ? number_of(key) : -1);
  }
  return colour;
}

std::vector<Colours> all_colours(const EmbedInput& input, int64_t steps, bool use_labels,
                                 auto number_of) {
  const auto n = size_t(input.graph.num_nodes());
  const bool labels = use_labels && !input.node_label.empty();
  check(!labels || input.node_label.size() == n, "{} node labels for {} nodes",
        input.node_label.size(), n);
  std::vector<Colours> colours = {first_colours(input, labels, number_of)};
  while (int64_t(colours.size()) <= steps)
    colours.push_back(next_colours(input.graph, colours.back(), colours.size(), number_of));
  return colours;
}

}  // namespace

std::vector<Colours> WlColours::colours(const EmbedInput& input, int64_t steps, bool use_labels) {
  return all_colours(input, steps, use_labels, [&](const std::u32string& key) {
    return number_.try_emplace(key, count()).first->second;
  });
}

std::vector<Colours> WlColours::known_colours(const EmbedInput& input, int64_t steps,
                                              bool use_labels) const {
  return all_colours(input, steps, use_labels, [&](const std::u32string& key) {
    const auto place = number_.find(key);
    return place == number_.end() ? -1 : place->second;
  });
}

}  // namespace mgnn
