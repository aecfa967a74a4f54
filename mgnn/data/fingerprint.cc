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

std::string fingerprint_for_training(const Dataset& dataset) {
  Sha256 sum;
  sum.update(fingerprint(dataset));
  // Each part ends with what no part holds, so that nothing can move from one to the next.
  const auto add = [&](std::string_view part) {
    sum.update(part);
    sum.update("|");
  };
  add(fingerprint_of_weights(dataset));
  add(fingerprint_of_relations(dataset));
  add(sha256_of(bytes_of(dataset.graph_start)));
  add(sha256_of(bytes_of(dataset.node_type)));
  for (const Split& split : dataset.splits)
    for (const std::string_view part : {std::string_view(split.name), bytes_of(split.train),
                                        bytes_of(split.validation), bytes_of(split.test)})
      add(sha256_of(part));
  return sum.hex();
}

}  // namespace mgnn
