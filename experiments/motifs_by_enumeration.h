// Open motifs by going through all their instances: the usual construction, kept for comparison.
#pragma once

#include "mgnn/motif/motifs.h"

namespace mgnn {

// The same matrices as motif_matrices with entry `edge`, each motif by itself, by visiting every
// pair of neighbours of every node. One thread; O(Σ degree²) for every motif. Can be interrupted.
// Throws Error (usage) if a closed motif is asked for, or counting `published`.
MotifMatrices motif_matrices_by_enumeration(const Graph& graph, Counting counting, MotifSet motifs);

}  // namespace mgnn
