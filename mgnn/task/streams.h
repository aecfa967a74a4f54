// Streams of random numbers of one repetition; a task uses some of them.
#pragma once

#include <cstdint>

namespace mgnn {

enum Stream : uint64_t {
  kSplitStream,
  kWeightStream,
  kBatchStream,
  kHeldOutStream,   // pairs that are no edges, for validation and test
  kNegativeStream,  // such pairs for training
  kFeatureStream,
  kMemberStream,  // seeds of the members of an ensemble
  kReportStream,  // pairs that regressions are fitted to, and further negatives of the test
};

}  // namespace mgnn
