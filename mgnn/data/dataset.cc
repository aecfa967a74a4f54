#include "mgnn/data/dataset.h"

#include <algorithm>
#include <cmath>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

// `subject` for the messages: "cora: ".
struct Checks {
  const Dataset& d;

  template <class... Args>
  void that(bool ok, fmt::format_string<Args...> format, Args&&... args) const {
    if (!ok) fail_data("{}: {}", d.name, fmt::format(format, std::forward<Args>(args)...));
  }

  NodeId items() const { return d.is_set() ? d.num_graphs() : d.graph.num_nodes(); }
  const char* item_word() const { return d.is_set() ? "graphs" : "nodes"; }

  void set_of_graphs() const {
    if (!d.is_set()) return;
    const auto& start = d.graph_start;
    that(start.front() == 0 && start.back() == d.graph.num_nodes() &&
             std::is_sorted(start.begin(), start.end()),
         "the graphs of the set do not follow each other from node 0 to node {}",
         d.graph.num_nodes() - 1);
    for (NodeId g = 0; g < d.num_graphs(); g++)
      for (NodeId u = start[g]; u < start[g + 1]; u++)
        for (NodeId v : d.graph.out.row(u))
          that(v >= start[g] && v < start[g + 1], "arc {} -> {} leaves graph {}", u, v, g);
  }

  void names() const {
    if (d.ids.trivial()) return;
    const size_t count = d.ids.are_strings() ? d.ids.text_start.size() - 1 : d.ids.number.size();
    that(count == size_t(d.graph.num_nodes()), "{} node names for {} nodes", count,
         d.graph.num_nodes());
  }

  void graph_names() const {
    if (d.graph_ids.trivial()) return;
    const NodeIds& ids = d.graph_ids;
    const size_t count = ids.are_strings() ? ids.text_start.size() - 1 : ids.number.size();
    that(d.is_set() && count == size_t(d.num_graphs()), "{} names of graphs for {} graphs", count,
         d.num_graphs());
  }

  void features() const {
    if (const auto* dense = std::get_if<Matrix>(&d.features)) {
      rows(dense->rows);
      that(dense->data.size() == size_t(dense->rows * dense->cols), "{} feature values for {} x {}",
           dense->data.size(), dense->rows, dense->cols);
    } else if (const auto* sparse = std::get_if<SparseMatrix>(&d.features)) {
      const Csr& p = sparse->pattern;
      rows(p.rows);
      that(p.start.size() == size_t(p.rows) + 1 && p.nnz() == Offset(p.index.size()) &&
               p.index.size() == sparse->value.size(),
           "the sparse features' rows, columns and values differ in length");
      for (NodeId column : p.index)
        that(column >= 0 && column < p.cols, "feature {} of {} does not exist", column, p.cols);
    }
    for (const float x : values()) that(!std::isinf(x), "a feature is infinite");  // NaN: unknown
    const int64_t columns = num_features(d.features);
    that(d.num_attributes >= 0 && d.num_attributes <= columns, "{} of {} features are attributes",
         d.num_attributes, columns);
    that(d.feature_names.empty() || int64_t(d.feature_names.size()) == columns,
         "{} names for {} features", d.feature_names.size(), columns);
  }
  std::span<const float> values() const {
    if (const auto* dense = std::get_if<Matrix>(&d.features)) return dense->data;
    if (const auto* sparse = std::get_if<SparseMatrix>(&d.features)) return sparse->value;
    return {};
  }
  void rows(int64_t count) const {
    that(count == d.graph.num_nodes(), "{} rows of features for {} nodes", count,
         d.graph.num_nodes());
  }

  void labels() const {
    that(d.label.empty() || d.label.size() == size_t(items()), "{} labels for {} {}",
         d.label.size(), items(), item_word());
    for (size_t i = 0; i < d.label.size(); i++)
      that(d.label[i] >= -1 && d.label[i] < d.num_classes(), "label {} of item {}, but {} classes",
           d.label[i], i, d.num_classes());
  }

  void label_sets() const {
    that(d.label_set.empty() || d.label_set.size() == size_t(items()),
         "{} sets of labels for {} {}", d.label_set.size(), items(), item_word());
    that(d.label_set.empty() || d.label.empty(), "items have a label and several labels");
    for (size_t i = 0; i < d.label_set.size(); i++) {
      const std::vector<int32_t>& labels = d.label_set[i];
      for (size_t k = 0; k < labels.size(); k++)
        that(labels[k] >= (k > 0 ? labels[k - 1] + 1 : 0) && labels[k] < d.num_classes(),
             "labels of item {} are not ascending numbers of {} classes", i, d.num_classes());
    }
  }

  void targets() const {
    that(d.target.empty() || d.target.size() == size_t(items()), "{} targets for {} {}",
         d.target.size(), items(), item_word());
    for (size_t i = 0; i < d.target.size(); i++)
      that(!std::isinf(d.target[i]), "the target of item {} is infinite", i);
  }

  void types() const {
    const NodeId n = d.graph.num_nodes();
    that(d.node_type.empty() || d.node_type.size() == size_t(n), "{} node types for {} nodes",
         d.node_type.size(), n);
    for (const int32_t type : d.node_type)
      that(type >= 0 && size_t(type) < d.node_type_names.size(), "node type {}, but {} types", type,
           d.node_type_names.size());
    for (const Relation& r : d.relations)
      for (const Edge& e : r.edges)
        that(e.from >= 0 && e.from < n && e.to >= 0 && e.to < n,
             "relation {} has the edge {} -> {}, but the nodes are 0 to {}", in_quotes(r.name),
             e.from, e.to, n - 1);
    that(d.arc_weight.empty() || Offset(d.arc_weight.size()) == d.graph.num_arcs(),
         "{} weights for {} arcs", d.arc_weight.size(), d.graph.num_arcs());
    for (const float weight : d.arc_weight)
      that(std::isfinite(weight), "the weight {} of an arc is not a finite number", weight);
  }

  void splits() const {
    std::vector<int8_t> used;
    for (const Split& split : d.splits) {
      used.assign(size_t(items()), 0);
      for (const auto* part : {&split.train, &split.validation, &split.test}) {
        that(std::is_sorted(part->begin(), part->end()), "split {} is not in ascending order",
             in_quotes(split.name));
        for (const NodeId i : *part) {
          that(i >= 0 && i < items(), "split {} names item {}, but there are {} {}",
               in_quotes(split.name), i, items(), item_word());
          that(!used[i]++, "split {} uses item {} twice", in_quotes(split.name), i);
        }
      }
    }
  }
};

}  // namespace

int64_t num_features(const Features& features) {
  if (const auto* dense = std::get_if<Matrix>(&features)) return dense->cols;
  if (const auto* sparse = std::get_if<SparseMatrix>(&features)) return sparse->pattern.cols;
  return 0;
}

void validate(const Dataset& dataset) {
  const Checks check_that{dataset};
  check_that.set_of_graphs();
  check_that.names();
  check_that.graph_names();
  check_that.features();
  check_that.label_sets();
  check_that.labels();
  check_that.targets();
  check_that.types();
  check_that.splits();
}

}  // namespace mgnn
