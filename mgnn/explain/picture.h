// Explanations as drawings.
#pragma once

#include "mgnn/explain/explanation_text.h"

namespace mgnn {

// At most `max_nodes` nodes: those of the strongest arcs, and what is explained. Places minimise the stress
// (distances on paper against steps in the drawn graph), from a fixed start: the same explanation gives the
// same picture.
Figure picture_of(const Explanation& explanation, const Dataset& dataset, int64_t max_nodes = 60);

// The page of one explanation: its picture, its tables.
Page page_of(const Explanation& explanation, const Dataset& dataset);

}  // namespace mgnn
