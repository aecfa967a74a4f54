// Motif matrices of a graph whose pairs have been ranked and, perhaps, whose triangles have been
// counted already.
#pragma once

#include <optional>

#include "mgnn/motif/motifs.h"
#include "mgnn/motif/triangle_pass.h"

namespace mgnn {

// What motif_matrices gives for the graph of `pairs`. Without `histograms` the triangle pass is run
// if a matrix needs it. Throws as motif_matrices does.
MotifMatrices pair_matrices(RankedPairs pairs, std::optional<PairHistograms> histograms,
                            const MotifOptions& options);

}  // namespace mgnn
