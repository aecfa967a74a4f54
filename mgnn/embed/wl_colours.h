// Weisfeiler-Lehman colours of nodes.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "mgnn/embed/embedding.h"

namespace mgnn {

// Two nodes have the same colour at step 0 if they have the same label (or, without labels, the
// same degrees), and at step h + 1 if at step h they have the same colour and so have their
// neighbours, counted; out- and in-neighbours apart where they differ. Colours are numbered as they
// appear, those of different steps apart, and numbers do not change: so graphs of several calls are
// comparable. Keys are compared in full: there are no hash collisions.
class WlColours {
 public:
  // (steps + 1, n). New colours get new numbers.
  std::vector<std::vector<int32_t>> colours(const EmbedInput& input, int64_t steps,
                                            bool use_labels);
  // The same, but colours without a number are -1.
  std::vector<std::vector<int32_t>> known_colours(const EmbedInput& input, int64_t steps,
                                                  bool use_labels) const;
  int32_t count() const { return int32_t(number_.size()); }

 private:
  std::unordered_map<std::u32string, int32_t> number_;
};

}  // namespace mgnn
