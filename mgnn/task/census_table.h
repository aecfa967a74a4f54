// A census as a table.
#pragma once

#include "mgnn/motif/census.h"
#include "mgnn/report/table.h"

namespace mgnn {

// One row for each motif; with the random graphs of `null` beside it unless that has none.
TextTable census_table(const Census& census, const NullModel& null);

}  // namespace mgnn
