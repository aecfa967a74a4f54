// What makes a ranking doubtful.
#pragma once

#include "mgnn/task/link_prediction.h"

namespace mgnn {

// A network for links, and what it is asked for.
struct RankEvidence {
  const Dataset& dataset;
  const LinkOptions& trained;
  const LinkOptions& asked;
  const NodePairs& training_pairs;
  double validation_auroc = 0;
  int64_t positives = 0, negatives = 0;  // of validation
  Calibration calibration = {};
};
// One sentence each: validation is not clearly (by two standard deviations) above chance; there was no
// training edge between the types asked for, or they are of another relation; higher scores do not
// mean higher probabilities.
std::vector<std::string> rank_warnings(const RankEvidence& evidence);

}  // namespace mgnn
