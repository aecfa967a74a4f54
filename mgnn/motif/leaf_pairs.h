// `pair` entries of open motifs: the places where two nodes are leaves of one centre.
#pragma once

#include "mgnn/motif/shared_values.h"
#include "mgnn/motif/triangle_pass.h"

namespace mgnn {

struct LeafPairs {
  Csr pattern;             // S and all pairs of leaves
  Array<uint8_t> type_of;  // of every place of S
};

// Bytes of the values at a place of the pattern, and of the sums that a thread has at a node.
struct LeafSizes {
  int64_t values, sums;
};

// Finds the pattern of the matrices with all pairs of leaves; O(wedges). Throws Error as soon as
// they are seen to need more than `memory_limit` bytes (0: half of what there is), memory in
// between included.
LeafPairs leaf_pairs(const RankedPairs& pairs, const SharedForms& shared, LeafSizes sizes,
                     int64_t memory_limit);

// Moves the values, so far on S, to the larger pattern, and adds the pairs that are not joined.
void add_leaf_pairs(const RankedPairs& pairs, const SharedForms& shared, LeafPairs leaves,
                    MotifMatrices& matrices);

}  // namespace mgnn
