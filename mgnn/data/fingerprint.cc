#include "mgnn/data/fingerprint.h"

#include "mgnn/base/sha256.h"

namespace mgnn {
namespace {

template <class Values>
std::string_view bytes_of(const Values& values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(typename Values::value_type)};
}

}  // namespace

std::string fingerprint(const Dataset& dataset) {
  Sha256 sum;
  sum.update(bytes_of(dataset.graph.out.start));
  sum.update(bytes_of(dataset.graph.out.index));
  if (const auto* dense = std::get_if<Matrix>(&dataset.features)) {
    sum.update(bytes_of(dense->data));
  } else if (const auto* sparse = std::get_if<SparseMatrix>(&dataset.features)) {
    sum.update(bytes_of(sparse->pattern.start));
    sum.update(bytes_of(sparse->pattern.index));
    sum.update(bytes_of(sparse->value));
  }
  sum.update(bytes_of(dataset.label));
  sum.update(bytes_of(dataset.target));
  for (const std::vector<int32_t>& labels : dataset.label_set) {
    const std::vector<int32_t> count = {int32_t(labels.size())};
    sum.update(bytes_of(count));
    sum.update(bytes_of(labels));
  }
  return sum.hex();
}

std::string fingerprint_of_weights(const Dataset& dataset) {
  return dataset.arc_weight.empty() ? "" : sha256_of(bytes_of(dataset.arc_weight));
}

std::string fingerprint_of_relations(const Dataset& dataset) {
  if (dataset.relations.empty()) return "";
  Sha256 sum;
  for (const Relation& relation : dataset.relations) {
    sum.update(relation.name);
    sum.update(std::string_view("", 1));  // no name holds it
    sum.update(bytes_of(relation.edges));
  }
  return sum.hex();
}

}  // namespace mgnn
