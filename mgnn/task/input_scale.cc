#include "mgnn/task/input_scale.h"

#include <algorithm>
#include <numeric>

namespace mgnn {
namespace {

Parameter find_weight(const Parameters& weights, std::string_view name) {
  for (const NamedParameter& one : weights.all)
    if (one.name == name) return one;
  return {};
}

}  // namespace

int64_t scaled_columns(const Dataset& dataset) {
  const auto* dense = std::get_if<Matrix>(&dataset.features);
  const bool is_table = dataset.num_attributes > 0 || !dataset.feature_names.empty();
  return dense && is_table ? dense->cols : 0;
}

ColumnScale scale_of(const Dataset& dataset, std::span<const NodeId> nodes, bool standardise) {
  if (scaled_columns(dataset) == 0) return {};
  return column_scale(std::get<Matrix>(dataset.features), dataset.num_attributes, nodes,
                      standardise);
}

ColumnScale scale_of(const Dataset& dataset, bool standardise) {
  std::vector<NodeId> nodes(size_t(dataset.graph.num_nodes()));
  std::iota(nodes.begin(), nodes.end(), 0);
  return scale_of(dataset, nodes, standardise);
}

Dataset rescaled(const Dataset& dataset, const ColumnScale& scale) {
  Dataset result = dataset;
  if (auto* dense = std::get_if<Matrix>(&result.features)) rescale(*dense, scale);
  return result;
}

void build_with_scale(Model& model, const Shape& shape, int64_t scaled, Parameters& weights,
                      Rng& rng) {
  model.build(shape, weights, rng);
  if (scaled == 0) return;
  weights.add(kInputMean, 1, scaled, {.kind = Init::zeros, .learns = false}, rng);
  weights.add(kInputFactor, 1, scaled, {.kind = Init::ones, .learns = false}, rng);
  weights.add(kInputFill, 1, scaled, {.kind = Init::zeros, .learns = false}, rng);
}

ColumnScale scale_in(const Parameters& weights) {
  const auto copied = [&](const char* name) {
    const Parameter p = find_weight(weights, name);
    return Array<float>(weights.value_of(p), weights.value_of(p) + p.size());
  };
  return {copied(kInputMean), copied(kInputFactor), copied(kInputFill)};
}

void put_scale(const ColumnScale& scale, Parameters& weights) {
  const auto put = [&](const char* name, const Array<float>& values) {
    std::copy(values.begin(), values.end(), weights.value_of(find_weight(weights, name)));
  };
  put(kInputMean, scale.mean);
  put(kInputFactor, scale.factor);
  put(kInputFill, scale.fill);
}

}  // namespace mgnn
