// Which version of the released code's matrices belongs to data.
#pragma once

#include "mgnn/data/dataset.h"
#include "mgnn/motif/motifs.h"

namespace mgnn {

// `published` becomes the version for sets of graphs and knowledge graphs (data with several relations),
// or that for nodes of one graph; other countings are what they are.
inline Counting counting_for(Counting counting, const Dataset& dataset) {
  if (counting != Counting::published) return counting;
  const bool of_graphs = dataset.is_set() || dataset.relations.size() > 1;
  return of_graphs ? Counting::published_graph : Counting::published_node;
}

}  // namespace mgnn
