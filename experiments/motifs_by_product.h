// Closed motifs by products of sparse matrices: the usual construction, kept for comparison.
#pragma once

#include "mgnn/motif/motifs.h"

namespace mgnn {

// The same matrices as motif_matrices with entry `edge`, each motif by itself, as entrywise
// products of whole sparse products such as (XX)∘Xᵀ (Zhao et al. 2018; X = A, or the one-way part
// of A for `induced`). One thread; O(Σ over arcs of degrees) for every product. Can be interrupted.
// Throws Error (usage) if an open motif is asked for.
MotifMatrices motif_matrices_by_product(const Graph& graph, Counting counting, MotifSet motifs);

}  // namespace mgnn
