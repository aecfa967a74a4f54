// Whether two datasets are the same.
#pragma once

#include <string>

#include "mgnn/data/dataset.h"

namespace mgnn {

// SHA-256 of graph, features, labels and targets, in hexadecimal: equal data have equal
// fingerprints. Names, ids and splits do not count, nor what arcs carry. Cost: one pass over the data.
std::string fingerprint(const Dataset& dataset);

// The same of the weights of arcs, and of the names and edges of relations; "" if there are none.
std::string fingerprint_of_weights(const Dataset& dataset);
std::string fingerprint_of_relations(const Dataset& dataset);

// Of all that a training sees: the three above, types and splits.
std::string fingerprint_for_training(const Dataset& dataset);

}  // namespace mgnn
