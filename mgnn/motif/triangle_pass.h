// One pass over all triangles: for every connected pair, how its common neighbours are joined to
// it.
#pragma once

#include <vector>

#include "mgnn/motif/ranked_pairs.h"

namespace mgnn {

// Common neighbours w of a pair by (type of w as the lower node sees it, as the upper node sees
// it), cell 3 · lower + upper: those of larger degree than both nodes' smaller one (`above`: ranked
// before the lower node) and the rest (`below`). 16 bits hold any count of `above`; where a count
// of `below` does not fit, below[0] is kWide and the counts are in PairHistograms::wide.
struct PairHistogram {
  static constexpr uint16_t kWide = 0xFFFF;
  uint16_t above[9];
  uint16_t below[9];
};

struct WideCounts {
  uint32_t slot;
  uint32_t below[9];
};

struct PairHistograms {
  LargeArray<PairHistogram> of_slot;  // (pairs)
  std::vector<WideCounts> wide;       // by ascending slot

  // The sum of both parts.
  std::array<uint32_t, 9> counts(uint32_t slot) const;
};

// Parallel; the same for any number of threads. O(Σ over nodes of (number of neighbours of larger
// degree)²), at most O(pairs^1.5). Can be interrupted.
PairHistograms triangle_pass(const RankedPairs& pairs);

}  // namespace mgnn
