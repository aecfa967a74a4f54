// Datasets of the caller's arrays.

#include <algorithm>

#include "c/handles.h"
#include "mgnn/base/borrowed.h"
#include "mgnn/data/feature_columns.h"

namespace mgnn::c {
namespace {

Dataset& changeable(mgnn_dataset* dataset) {
  needed(dataset, "dataset");
  check(!dataset->in_use, "{}: a training has used it, so that it can no longer be changed",
        dataset->data->name);
  return *dataset->data;
}

int64_t items_of(const Dataset& d) { return d.is_set() ? d.num_graphs() : d.graph.num_nodes(); }

void check_items(const Dataset& d, int64_t items, const char* what) {
  check(items == items_of(d), "{}: {} for {} {}", what, items, items_of(d),
        d.is_set() ? "graphs" : "nodes");
}

// What the caller calls classes or types, else their numbers.
std::vector<std::string> names_or_numbers(int64_t count, const char* const* names,
                                          std::span<const int32_t> value) {
  if (names) return names_of(count, names, "names");
  const int32_t most = value.empty() ? -1 : *std::max_element(value.begin(), value.end());
  std::vector<std::string> numbers;
  for (int64_t i = 0; i <= most; i++) numbers.push_back(std::to_string(i));
  return numbers;
}

// `least`: -1 where unknown is allowed.
std::vector<int32_t> small_numbers(const int64_t* value, int64_t count, int64_t least, int64_t end,
                                   const char* what) {
  if (count > 0) needed(value, what);
  std::vector<int32_t> result;
  result.reserve(size_t(count));
  for (int64_t i = 0; i < count; i++) {
    check(value[i] >= least && value[i] < end, "{} {} of item {} is not one of {} to {}", what,
          value[i], i, least, end - 1);
    result.push_back(int32_t(value[i]));
  }
  return result;
}

constexpr int64_t kMaxClasses = 1'000'000;
int64_t end_of(int64_t count, const char* const* names) { return names ? count : kMaxClasses; }

void check_features(const Dataset& d, int64_t rows, int64_t cols) {
  check(rows == d.graph.num_nodes() && cols >= 0, "features ({}, {}) for {} nodes", rows, cols,
        d.graph.num_nodes());
}

void set_attributes(Dataset& d, int64_t columns, int64_t num_attributes) {
  check(num_attributes <= columns, "{} measured columns of {}", num_attributes, columns);
  d.num_attributes = num_attributes < 0 ? columns : num_attributes;
  d.features_from = "given";
  d.feature_names.clear();
}

Array<Edge> pairs_of(const Dataset& d, int64_t count, const int64_t* source,
                     const int64_t* target) {
  check(count >= 0, "{} edges", count);
  if (count > 0) needed(source, "source"), needed(target, "target");
  const int64_t nodes = d.graph.num_nodes();
  Array<Edge> edges(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; i++) {
    check(source[i] >= 0 && source[i] < nodes && target[i] >= 0 && target[i] < nodes &&
              d.graph.has_arc(NodeId(source[i]), NodeId(target[i])),
          "edge {}: {} -> {} is not an arc of the graph", i, source[i], target[i]);
    edges[i] = {NodeId(source[i]), NodeId(target[i])};
  }
  return edges;
}

}  // namespace
}  // namespace mgnn::c

using namespace mgnn;
using namespace mgnn::c;

int mgnn_dataset_new(const mgnn_graph* graph, const char* name, mgnn_dataset** dataset) {
  return guarded([&] {
    needed(dataset, "dataset");
    Dataset d;
    d.name = text_of(name, "graph");
    d.graph = graph_of(graph);
    d.ids = *graph->ids;
    d.build = graph->build;
    *dataset = new_dataset(std::move(d));
  });
}

int mgnn_dataset_set_graphs(mgnn_dataset* dataset, int64_t num_graphs, const int64_t* graph_start) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    check(d.label.empty() && d.label_set.empty() && d.target.empty() && d.splits.empty(),
          "{}: say where graphs begin before what is known of them", d.name);
    std::vector<NodeId> start = graph_starts(graph_start, num_graphs, d.graph.num_nodes());
    for (int64_t g = 0; g < num_graphs; g++)
      for (NodeId u = start[g]; u < start[g + 1]; u++)
        for (const NodeId v : d.graph.out.row(u))
          check(v >= start[g] && v < start[g + 1], "arc {} -> {} joins two graphs", u, v);
    d.graph_start = std::move(start);
  });
}

int mgnn_dataset_set_features(mgnn_dataset* dataset, int64_t rows, int64_t cols,
                              const float* values, int64_t num_attributes) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    check_features(d, rows, cols);
    Matrix features;
    features.rows = rows, features.cols = cols;
    if (rows * cols > 0) features.data.assign(&needed(values, "values"), values + rows * cols);
    set_attributes(d, cols, num_attributes);
    d.features = std::move(features);
  });
}

int mgnn_dataset_borrow_features(mgnn_dataset* dataset, int64_t rows, int64_t cols,
                                 const float* values, int64_t num_attributes,
                                 void (*release)(void* context), void* context) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    check_features(d, rows, cols);
    check(rows * cols > 0, "there are no features ({}, {}) to borrow", rows, cols);
    needed(values, "values");
    set_attributes(d, cols, num_attributes);
    Matrix features;
    features.rows = rows, features.cols = cols;
    features.data = borrowed_array(values, size_t(rows * cols), [=] {
      if (release) release(context);
    });
    d.features = std::move(features);
  });
}

int mgnn_dataset_set_sparse_features(mgnn_dataset* dataset, int64_t rows, int64_t cols,
                                     const void* indptr, int32_t indptr_type, const void* indices,
                                     int32_t indices_type, const float* values,
                                     int64_t num_attributes) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    check(rows == d.graph.num_nodes(), "features ({}, {}) for {} nodes", rows, cols,
          d.graph.num_nodes());
    SparseMatrix features{csr_of(rows, cols, indptr, indptr_type, indices, indices_type), {}};
    const Offset entries = features.pattern.nnz();
    if (entries > 0) features.value.assign(&needed(values, "values"), values + entries);
    set_attributes(d, cols, num_attributes);
    d.features = std::move(features);
  });
}

int mgnn_dataset_set_feature_names(mgnn_dataset* dataset, int64_t count, const char* const* names) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    check(count == num_features(d.features), "{} names for {} features", count,
          num_features(d.features));
    d.feature_names = names_of(count, names, "names");
  });
}

int mgnn_dataset_set_labels(mgnn_dataset* dataset, int64_t items, const int64_t* label,
                            int64_t classes, const char* const* class_names) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    check_items(d, items, "labels");
    std::vector<int32_t> value =
        small_numbers(label, items, -1, end_of(classes, class_names), "class");
    d.class_names = names_or_numbers(classes, class_names, value);
    d.label = std::move(value);
    d.label_set.clear();
  });
}

int mgnn_dataset_set_label_sets(mgnn_dataset* dataset, int64_t items, const int64_t* start,
                                const int64_t* label, int64_t classes,
                                const char* const* class_names) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    check_items(d, items, "label sets");
    needed(start, "start");
    check(start[0] == 0, "label sets begin with {}", start[0]);
    for (int64_t i = 0; i < items; i++)
      check(start[i] <= start[i + 1], "label set {} ends before it begins", i);
    const std::vector<int32_t> all =
        small_numbers(label, start[items], 0, end_of(classes, class_names), "class");
    std::vector<std::vector<int32_t>> sets;
    for (int64_t i = 0; i < items; i++) {
      sets.emplace_back(all.begin() + start[i], all.begin() + start[i + 1]);
      check(std::adjacent_find(sets[i].begin(), sets[i].end(), std::greater_equal<>()) ==
                sets[i].end(),
            "the labels of item {} do not ascend", i);
    }
    d.class_names = names_or_numbers(classes, class_names, all);
    d.label_set = std::move(sets);
    d.label.clear();
  });
}

int mgnn_dataset_set_targets(mgnn_dataset* dataset, int64_t items, const double* target) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    check_items(d, items, "targets");
    if (items > 0) d.target.assign(&needed(target, "target"), target + items);
  });
}

int mgnn_dataset_set_types(mgnn_dataset* dataset, int64_t nodes, const int64_t* type, int64_t types,
                           const char* const* type_names) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    check(nodes == d.graph.num_nodes(), "types: {} for {} nodes", nodes, d.graph.num_nodes());
    std::vector<int32_t> value = small_numbers(type, nodes, 0, end_of(types, type_names), "type");
    d.node_type_names = names_or_numbers(types, type_names, value);
    d.node_type = std::move(value);
  });
}

int mgnn_dataset_set_arc_weights(mgnn_dataset* dataset, int64_t arcs, const float* weight) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    check(arcs == d.graph.num_arcs(), "{} weights for {} arcs", arcs, d.graph.num_arcs());
    if (arcs > 0) d.arc_weight.assign(&needed(weight, "weight"), weight + arcs);
  });
}

int mgnn_dataset_add_relation(mgnn_dataset* dataset, const char* name, int64_t edges,
                              const int64_t* source, const int64_t* target) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    const std::string called = &needed(name, "name");
    for (const Relation& relation : d.relations)
      check(relation.name != called, "there is a relation {} already", in_quotes(called));
    d.relations.push_back({called, pairs_of(d, edges, source, target)});
  });
}

int mgnn_dataset_add_split(mgnn_dataset* dataset, const char* name, int64_t items,
                           const uint8_t* role) {
  return guarded([&] {
    Dataset& d = changeable(dataset);
    check_items(d, items, "roles of a split");
    if (items > 0) needed(role, "role");
    Split split{.name = &needed(name, "name")};
    std::vector<NodeId>* const parts[] = {&split.train, &split.validation, &split.test};
    for (int64_t i = 0; i < items; i++) {
      check(role[i] <= MGNN_TEST, "role {} of item {} is not known", role[i], i);
      if (role[i] != MGNN_UNUSED) parts[role[i] - MGNN_TRAIN]->push_back(NodeId(i));
    }
    d.splits.push_back(std::move(split));
  });
}

int mgnn_dataset_choose_features(const mgnn_call* call, mgnn_dataset* dataset, const char* kind,
                                 uint64_t seed) {
  return in_call(call, [&] {
    Dataset d = changeable(dataset);  // it stays as it was if there are none of the kind
    choose_features(d, &needed(kind, "kind"), Rng(seed));
    *dataset->data = std::move(d);
  });
}
