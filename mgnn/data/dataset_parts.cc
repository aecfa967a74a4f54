#include "mgnn/data/dataset_parts.h"

namespace mgnn {

template <class Values>
void DatasetParts::add(const std::string& name, const Values& values) {
  using T = typename Values::value_type;
  if (!values.empty())
    parts.push_back({name, {int64_t(values.size())}, std::span<const T>(values)});
}

template <class T>
void DatasetParts::add_owned(const std::string& name, Array<T> values) {
  add(name, std::get<Array<T>>(owned_.emplace_back(std::move(values))));
}

void DatasetParts::add_texts(const std::string& name, std::vector<std::string> texts) {
  if (!texts.empty()) parts.push_back({name, {int64_t(texts.size())}, std::move(texts)});
}

void DatasetParts::add_ids(const std::string& name, const NodeIds& ids) {
  add(name + "/number", ids.number);
  add(name + "/text", ids.text);
  add(name + "/text_start", ids.text_start);
}

// Features of no columns are not the same as none.
void DatasetParts::add_features(const Features& features) {
  if (const Matrix* dense = std::get_if<Matrix>(&features)) {
    parts.push_back(
        {"features/dense", {dense->rows, dense->cols}, std::span<const float>(dense->data)});
  } else if (const SparseMatrix* sparse = std::get_if<SparseMatrix>(&features)) {
    add("features/start", sparse->pattern.start);
    add("features/index", sparse->pattern.index);
    add("features/value", sparse->value);
    add_owned<int64_t>("features/columns", {sparse->pattern.cols});
  }
}

void DatasetParts::add_relations(const std::vector<Relation>& relations) {
  if (relations.empty()) return;
  std::vector<std::string> names;
  Array<int64_t> start = {0};
  Array<int32_t> ends;
  for (const Relation& relation : relations) {
    names.push_back(relation.name);
    for (const Edge& edge : relation.edges) ends.insert(ends.end(), {edge.from, edge.to});
    start.push_back(int64_t(ends.size() / 2));
  }
  add_texts("relations/name", std::move(names));
  add_owned("relations/start", std::move(start));
  if (ends.empty()) return;
  add_owned("relations/edge", std::move(ends));
  parts.back().shape = {parts.back().shape[0] / 2, 2};
}

void DatasetParts::add_label_sets(const std::vector<std::vector<int32_t>>& sets) {
  if (sets.empty()) return;
  Array<int64_t> start = {0};
  Array<int32_t> labels;
  for (const std::vector<int32_t>& set : sets) {
    labels.insert(labels.end(), set.begin(), set.end());
    start.push_back(int64_t(labels.size()));
  }
  add_owned("label_sets/start", std::move(start));
  add_owned("label_sets/label", std::move(labels));
}

void DatasetParts::add_splits(const std::vector<Split>& splits) {
  if (splits.empty()) return;
  std::vector<std::string> names;
  Array<int64_t> start = {0};
  Array<int32_t> items;
  for (const Split& split : splits) {
    names.push_back(split.name);
    for (const auto* part : {&split.train, &split.validation, &split.test}) {
      items.insert(items.end(), part->begin(), part->end());
      start.push_back(int64_t(items.size()));
    }
  }
  add_texts("splits/name", std::move(names));
  add_owned("splits/start", std::move(start));
  add_owned("splits/item", std::move(items));
}

DatasetParts::DatasetParts(const Dataset& dataset) {
  const BuildStats& b = dataset.build;
  add_texts("name", {dataset.name});
  add("graph/start", dataset.graph.out.start);
  add("graph/index", dataset.graph.out.index);
  add_owned<int64_t>("build",
                     {b.arcs_given, b.loops_dropped, b.duplicates_dropped, b.nodes_dropped});
  add_ids("ids", dataset.ids);
  add("graph_start", dataset.graph_start);
  add_ids("graph_ids", dataset.graph_ids);
  add_features(dataset.features);
  add_texts("features_from", {dataset.features_from});
  if (dataset.num_attributes > 0) add_owned<int64_t>("num_attributes", {dataset.num_attributes});
  add_texts("feature_names", dataset.feature_names);
  add_texts("table_columns", dataset.table_columns);
  add("label", dataset.label);
  add_label_sets(dataset.label_set);
  add_texts("class_names", dataset.class_names);
  add("target", dataset.target);
  add("node_type", dataset.node_type);
  add_texts("node_type_names", dataset.node_type_names);
  add_relations(dataset.relations);
  add("arc_weight", dataset.arc_weight);
  add_splits(dataset.splits);
  add_texts("remarks", dataset.remarks);
}

}  // namespace mgnn
