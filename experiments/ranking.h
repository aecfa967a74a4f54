// Which motifs do best alone; the heat map looks at the first and last three.
#pragma once

#include "experiments/cells.h"

namespace mgnn {

struct RankedMotif {
  int motif = 0;
  CellScores ours;
};
std::vector<RankedMotif> motif_ranking(Study& study);  // best first

}  // namespace mgnn
