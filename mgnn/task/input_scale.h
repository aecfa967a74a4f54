// The scale on which a network is given the measured columns of its features. It is kept beside the
// weights, so that whoever has them can give the network what it was trained on.
#pragma once

#include "mgnn/data/column_scale.h"
#include "mgnn/models/model.h"

namespace mgnn {

inline constexpr const char* kInputMean = "input.mean";
inline constexpr const char* kInputFactor = "input.factor";
inline constexpr const char* kInputFill = "input.fill";

// How many columns to scale: all if they are dense and some are measured or have names, else 0.
int64_t scaled_columns(const Dataset& dataset);
// What is learned of the features of some nodes, with RunOptions::standardise.
ColumnScale scale_of(const Dataset& dataset, std::span<const NodeId> nodes, bool standardise);
ColumnScale scale_of(const Dataset& dataset, bool standardise);  // of all nodes
Dataset rescaled(const Dataset& dataset, const ColumnScale& scale);

// The network's weights, and beside them room for the scale of `scaled` columns, which learns
// nothing.
void build_with_scale(Model& model, const Shape& shape, int64_t scaled, Parameters& weights,
                      Rng& rng);
ColumnScale scale_in(const Parameters& weights);  // no columns if there is none
void put_scale(const ColumnScale& scale, Parameters& weights);

}  // namespace mgnn
