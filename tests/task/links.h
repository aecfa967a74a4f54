// Data and settings of the tests of link prediction.
#pragma once

#include <set>

#include "mgnn/data/load.h"
#include "mgnn/graph/graph.h"
#include "mgnn/task/config.h"
#include "mgnn/task/link_prediction.h"
#include "tests/util.h"

namespace mgnn::testing {

using Pair = std::pair<NodeId, NodeId>;

inline const Dataset& toykg() {
  static const Dataset dataset = load_dataset("toykg");
  return dataset;
}

inline Dataset plain(const Graph& graph) {
  Dataset dataset;
  dataset.name = "plain";
  dataset.graph = graph;
  return dataset;
}

// Groups, dense within and sparse between.
inline Dataset blocks_of(NodeId nodes, int groups, double within, double between, uint64_t seed) {
  Rng rng(seed);
  Array<Edge> edges;
  for (NodeId u = 0; u < nodes; u++)
    for (NodeId v = 0; v < u; v++)
      if (rng.chance(u % groups == v % groups ? within : between)) edges.push_back({v, u});
  return plain(build_graph(nodes, std::move(edges), {.symmetrise = true}).graph);
}

inline std::set<Pair> unordered(std::initializer_list<const NodePairs*> parts) {
  std::set<Pair> found;
  for (const NodePairs* pairs : parts)
    for (size_t i = 0; i < pairs->size(); i++)
      found.insert(std::minmax(pairs->from[i], pairs->to[i]));
  return found;
}

inline std::unique_ptr<Config> link_config(Settings settings) {
  ConfigLayers layers;
  layers.flags = {"task=link", "data.source=toykg"};
  layers.sets = std::move(settings);
  return resolve_config(layers);
}

inline Result trained(Config& config) { return run_task(config, load_for_training(config)); }

}  // namespace mgnn::testing
