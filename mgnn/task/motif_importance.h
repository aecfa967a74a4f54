// How much a trained network relies on each motif.
#pragma once

#include "mgnn/task/result.h"

namespace mgnn {

struct MotifImportance {
  int motif = 0;        // 1..13
  double accuracy = 0;  // on the items looked at, without the motif
  double drop = 0;      // of accuracy, from that with all of the network's motifs
  int64_t changed = 0;  // items whose predicted class is another one
};

// The network of the best run on its validation items with the matrix of one motif after the other
// replaced by zeros in all layers, as if the graph had no instance of it; weights stay as they are.
// Of motifs whose matrices are equal, as all closed ones are on an undirected graph, each alone can
// be done without though all together cannot. Test items are not used.
// Empty if the network has no motifs or there are no validation items. REQUIRES: the result is of a
// classification.
std::vector<MotifImportance> motif_importance(const Dataset& dataset, const Result& result);

}  // namespace mgnn
