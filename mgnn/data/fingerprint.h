// Whether two datasets are the same.
#pragma once

#include <string>

#include "mgnn/data/dataset.h"

namespace mgnn {

// SHA-256 of graph, features, labels and targets, in hexadecimal: equal data have equal
// fingerprints. Names, ids and splits do not count. Cost: one pass over the data.
std::string fingerprint(const Dataset& dataset);

}  // namespace mgnn
