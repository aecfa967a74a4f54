// One pass over all triangles: for every connected pair, how its common neighbours are joined to
// it.
#pragma once

#include <vector>

#include "mgnn/motif/ranked_pairs.h"

namespace mgnn {

// Common neighbours w of a pair by (type of w as the lower node sees it, as the upper node sees
// it), cell 3 · lower + upper. Where a count does not fit into 16 bits, count[0] is kWide and all
// nine are in PairHistograms::wide.
struct PairHistogram {
  static constexpr uint16_t kWide = 0xFFFF;
  uint16_t count[9];
};

struct WideCounts {
  uint32_t slot;
  uint32_t count[9];
};

struct PairHistograms {
  LargeArray<PairHistogram> of_slot;  // (pairs)
  std::vector<WideCounts> wide;       // by ascending slot

  std::array<uint32_t, 9> counts(uint32_t slot) const;
};

// Parallel; the same for any number of threads. O(Σ over nodes of (number of neighbours of larger
// degree)²), at most O(pairs^1.5). Can be interrupted.
PairHistograms triangle_pass(const RankedPairs& pairs);

}  // namespace mgnn
