// The scale on which a network is given the measured columns of its features. It is kept beside the
// weights, so that whoever has them can give the network what it was trained on.
#pragma once

#include "mgnn/data/column_scale.h"
#include "mgnn/models/model.h"

namespace mgnn {

inline constexpr const char* kInputMean = "input.mean";
inline constexpr const char* kInputFactor = "input.factor";

// How many columns to scale: those measured, if they are dense and `standardise`.
int64_t scaled_columns(const Dataset& dataset, bool standardise);
// To mean 0 and variance 1 over all nodes.
ColumnScale scale_of(const Dataset& dataset, int64_t columns);
Dataset rescaled(const Dataset& dataset, const ColumnScale& scale);

// The network's weights, and beside them room for the scale of the first `scaled` columns, which
// learns nothing.
void build_with_scale(Model& model, const Shape& shape, int64_t scaled, Parameters& weights,
                      Rng& rng);
ColumnScale scale_in(const Parameters& weights);  // no columns if there is none
void put_scale(const ColumnScale& scale, Parameters& weights);

}  // namespace mgnn
