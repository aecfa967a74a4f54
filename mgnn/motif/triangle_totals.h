// How many triangles there are of each kind; for counts of the whole graph, which need no histogram of
// a pair.
#pragma once

#include "mgnn/motif/ranked_pairs.h"

namespace mgnn {

// Triangles by the types of (v, x), (v, k), (x, k): v is the node of the three that is ranked last,
// 3 · type(v, k) + type(x, k) the second index; which of the others is x follows from their order.
struct TriangleTotals {
  int64_t count[kNumTypes][9] = {};
};

// Parallel; the same sums for any number of threads. As triangle_pass, with half of its look-ups.
// REQUIRES: pairs.upper and pairs.lower. Can be interrupted.
TriangleTotals triangle_totals(const RankedPairs& pairs);

}  // namespace mgnn
