// Weisfeiler and Lehman's colours of nodes.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "mgnn/embed/embedding.h"

namespace mgnn {

// Two nodes have the same colour at step 0 if they have the same label (or, without labels, the
// same degrees), and at step h + 1 if at step h they have the same colour and so have their
// neighbours, counted; out- and in-neighbours apart where they differ. Colours are numbered as they
// are met, those of different steps apart, and the numbers are kept: so graphs seen later are
// comparable with those seen first. No hash decides: keys are compared in full.
class WlColours {
 public:
  // (steps + 1) x (n). With `learn`, what was not seen before gets a new number; else -1.
  std::vector<std::vector<int32_t>> colours(const EmbedInput& input, int64_t steps, bool use_labels,
                                            bool learn);
  int32_t count() const { return int32_t(number_.size()); }

 private:
  int32_t number(bool learn);

  std::unordered_map<std::u32string, int32_t> number_;
  std::u32string key_;  // of the colour in question
};

}  // namespace mgnn
