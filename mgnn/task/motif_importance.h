// How much a trained network relies on each motif.
#pragma once

#include "mgnn/task/config.h"
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
// What remains may say the same: of motifs whose matrices are equal, as all closed ones are on an
// undirected graph, each can be missed though all together cannot. Test items are not looked at.
// Empty if the network uses no motif matrices, the task is not classification, or there are no
// validation items.
std::vector<MotifImportance> motif_importance(const Config& config, const Dataset& dataset,
                                              const Result& result);

}  // namespace mgnn
