// Views of graphs: the same graph with something left out, for learning without labels.
#pragma once

#include "mgnn/base/options.h"
#include "mgnn/base/rng.h"
#include "mgnn/data/dataset.h"

namespace mgnn {

enum class Augmentation {
  drop_nodes,    // with all their arcs
  drop_edges,    // u -> v and v -> u are one edge and go together
  mask_nodes,    // all features of some nodes become 0
  mask_columns,  // some features of all nodes become 0
  subgraph,      // what is left grows from a random node, one neighbour of it after the other
};
constexpr auto enum_names(Augmentation) {
  return std::to_array<Named<Augmentation>>({{"drop-nodes", Augmentation::drop_nodes},
                                             {"drop-edges", Augmentation::drop_edges},
                                             {"mask-nodes", Augmentation::mask_nodes},
                                             {"mask-columns", Augmentation::mask_columns},
                                             {"subgraph", Augmentation::subgraph}});
}

struct AugmentOptions {
  // A view goes through all of them in turn, or through `one` that is drawn for every graph.
  std::vector<Augmentation> kinds = {Augmentation::drop_edges, Augmentation::mask_columns};
  bool one = false;
  double ratio = 0.2;  // share that is left out: this much of the nodes, edges or columns, rounded
                       // down; at least one node stays
};
Options augment_options(AugmentOptions& options);
// Throws Error (usage) unless there is something to do and 0 <= ratio < 1.
void check_augment(const AugmentOptions& options);

// `count` views of each of some graphs, as one set of graphs: all first views in the order of the
// graphs, then all second ones.
struct Views {
  Dataset data;              // graph with weights and relations of arcs, graph_start, features
  std::vector<NodeId> node;  // (n) number of each node in the dataset that the views are of
};

// The random numbers of a graph's view follow from `rng`, the graph and the number of the view
// alone. `graphs` are numbers of a set of graphs; of one graph it is {0}. O(size of the views).
Views make_views(const Dataset& dataset, std::span<const NodeId> graphs, int count,
                 const AugmentOptions& options, const Rng& rng);

}  // namespace mgnn
