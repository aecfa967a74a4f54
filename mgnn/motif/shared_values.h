// Which motif matrices are equal up to a factor.
#pragma once

#include "mgnn/motif/motifs.h"
#include "mgnn/motif/pair_forms.h"

namespace mgnn {

// Before counting: motifs whose forms are proportional on every graph with these pair types share
// one array. Forms are divided by what their coefficients have in common, so that the first motif
// of a group need not be the one with factor 1. `lane_of_array[a]` is the lane to compute.
struct SharedForms {
  PairForms forms;
  std::array<MotifRef, kNumMotifs> of;
  std::vector<int> lane_of_array;
};
SharedForms share_forms(const PairForms& forms, MotifSet motifs, const bool has_type[kNumTypes]);

// After counting: drops arrays that are zero, and joins arrays that are proportional.
void share_values(MotifMatrices& matrices);

}  // namespace mgnn
