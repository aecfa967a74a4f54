#include "mgnn/data/edges.h"

#include <algorithm>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"
#include "mgnn/graph/components.h"
#include "mgnn/sparse/csr.h"

namespace mgnn {
namespace {

std::vector<Relation> split_by_relation(const EdgeList& list) {
  std::vector<Relation> relations;
  for (const std::string& name : list.relation_names) relations.push_back({name, {}});
  for (size_t e = 0; e < list.relation.size(); e++)
    relations[list.relation[e]].edges.push_back(list.edges[e]);
  return relations;
}

void append_reverse(Array<Edge>& edges, Array<float>& weight) {
  const size_t given = edges.size();
  for (size_t e = 0; e < given; e++) {
    if (edges[e].from == edges[e].to) continue;
    edges.push_back({edges[e].to, edges[e].from});
    weight.push_back(weight[e]);
  }
}

Features feature_rows(const Features& features, std::span<const NodeId> kept) {
  if (const Matrix* dense = std::get_if<Matrix>(&features)) {
    Matrix rows(int64_t(kept.size()), dense->cols);
    for (size_t i = 0; i < kept.size(); i++)
      std::copy_n(dense->row(kept[i]).begin(), dense->cols, rows.row(int64_t(i)).begin());
    return rows;
  }
  const SparseMatrix* sparse = std::get_if<SparseMatrix>(&features);
  if (!sparse) return {};
  SparseMatrix rows;
  rows.pattern.rows = NodeId(kept.size());
  rows.pattern.cols = sparse->pattern.cols;
  for (const NodeId u : kept) {
    const Offset start = sparse->pattern.start[u], end = sparse->pattern.start[u + 1];
    rows.pattern.index.insert(rows.pattern.index.end(), sparse->pattern.index.begin() + start,
                              sparse->pattern.index.begin() + end);
    rows.value.insert(rows.value.end(), sparse->value.begin() + start, sparse->value.begin() + end);
    rows.pattern.start.push_back(Offset(rows.pattern.index.size()));
  }
  return rows;
}

// Keeps the `kept` nodes, ascending.
Dataset cut(const Dataset& whole, const Array<NodeId>& kept) {
  std::vector<NodeId> number(size_t(whole.graph.num_nodes()), -1);
  for (size_t i = 0; i < kept.size(); i++) number[kept[i]] = NodeId(i);
  const auto pick = [&]<class T>(const std::vector<T>& values) {
    std::vector<T> picked;
    if (!values.empty())
      for (const NodeId u : kept) picked.push_back(values[u]);
    return picked;
  };
  const auto renumber = [&](const std::vector<NodeId>& nodes) {
    std::vector<NodeId> result;
    for (const NodeId u : nodes)
      if (number[u] >= 0) result.push_back(number[u]);
    return result;
  };

  Dataset part = whole;
  part.graph = induced_subgraph(whole.graph, kept);
  part.build.nodes_dropped += whole.graph.num_nodes() - NodeId(kept.size());
  part.ids = whole.ids.subset(kept);
  part.features = feature_rows(whole.features, kept);
  part.label = pick(whole.label);
  part.label_set = pick(whole.label_set);
  part.target = pick(whole.target);
  part.node_type = pick(whole.node_type);
  for (Relation& relation : part.relations) {
    Array<Edge> edges;
    for (const Edge& e : relation.edges)
      if (number[e.from] >= 0 && number[e.to] >= 0) edges.push_back({number[e.from], number[e.to]});
    relation.edges = std::move(edges);
  }
  if (!whole.arc_weight.empty()) {
    part.arc_weight.clear();
    for (const NodeId u : kept)
      for (Offset e = whole.graph.out.start[u]; e < whole.graph.out.start[u + 1]; e++)
        if (number[whole.graph.out.index[e]] >= 0) part.arc_weight.push_back(whole.arc_weight[e]);
  }
  for (Split& split : part.splits)
    split = {split.name, renumber(split.train), renumber(split.validation), renumber(split.test)};
  return part;
}

}  // namespace

Dataset dataset_of_edges(EdgeList list, const std::string& name, BuildOptions options) {
  options.symmetrise |= list.undirected;
  Dataset dataset;
  dataset.name = name;
  dataset.ids = std::move(list.ids);
  if (!list.guess.empty()) dataset.remarks.push_back(list.guess);
  dataset.reading = std::move(list.reading);
  dataset.relations = split_by_relation(list);
  Array<Edge> weighted = list.weight.empty() ? Array<Edge>() : list.edges;
  BuiltGraph built = build_graph(list.num_nodes, std::move(list.edges), options);
  dataset.graph = std::move(built.graph);
  dataset.build = built.stats;
  if (!list.weight.empty()) {
    if (options.symmetrise) append_reverse(weighted, list.weight);
    dataset.arc_weight = arc_values(dataset.graph, weighted, list.weight);
  }
  return dataset;
}

Dataset symmetrised(Dataset dataset) {
  Array<Edge> edges = arcs(dataset.graph);
  if (!dataset.arc_weight.empty() && dataset.arc_weight.size() != edges.size())
    fail_data("{}: {} weights for {} arcs", dataset.name, dataset.arc_weight.size(), edges.size());
  dataset.graph = build_graph(dataset.graph.num_nodes(), edges, {.symmetrise = true}).graph;
  if (dataset.arc_weight.empty()) return dataset;
  Array<float> weight = std::move(dataset.arc_weight);
  append_reverse(edges, weight);
  dataset.arc_weight = arc_values(dataset.graph, edges, weight);
  return dataset;
}

Dataset arcs_of_part(const Dataset& dataset, Graph part) {
  Dataset result;
  result.name = dataset.name;
  result.graph = std::move(part);
  for (const Relation& relation : dataset.relations) {
    result.relations.push_back({relation.name, {}});
    for (const Edge& e : relation.edges)
      if (result.graph.has_arc(e.from, e.to)) result.relations.back().edges.push_back(e);
  }
  if (dataset.arc_weight.empty()) return result;
  const Array<Offset> place = places_in(result.graph.out, dataset.graph.out);
  for (const Offset e : place) result.arc_weight.push_back(dataset.arc_weight[e]);
  return result;
}

Dataset largest_component(Dataset dataset) {
  const NodeId num_nodes = dataset.graph.num_nodes();
  check(!dataset.is_set(), "{}: has many graphs; the largest component is that of one graph",
        dataset.name);
  if (num_nodes == 0) return dataset;
  const Components components = weak_components(dataset.graph);
  const auto largest = std::max_element(components.size.begin(), components.size.end());
  if (*largest == num_nodes) return dataset;
  const auto number = NodeId(largest - components.size.begin());
  Array<NodeId> nodes;
  for (NodeId u = 0; u < num_nodes; u++)
    if (components.of[u] == number) nodes.push_back(u);
  return cut(dataset, nodes);
}

void add_isolated_nodes(Dataset& dataset, std::span<const std::string_view> names) {
  if (num_features(dataset.features) > 0 || !dataset.node_type.empty())
    fail_data("node {} is not in the graph, and {} has features or types that it would lack",
              in_quotes(names[0]), dataset.name);
  const NodeId given = dataset.graph.num_nodes();
  check(int64_t(given) + int64_t(names.size()) < std::numeric_limits<NodeId>::max(),
        "{}: there are too many nodes", dataset.name);
  const auto num_nodes = NodeId(size_t(given) + names.size());
  for (Csr* part : {&dataset.graph.out, &dataset.graph.in}) {
    part->start.resize(size_t(num_nodes) + 1, part->nnz());
    part->rows = part->cols = num_nodes;
  }
  NodeIds& ids = dataset.ids;
  if (ids.trivial())
    for (NodeId u = 0; u < given; u++) ids.number.push_back(u);
  for (const std::string_view name : names)
    if (int64_t number = 0; ids.are_strings())
      ids.push_back(name);
    else if (parse_number(name, number))
      ids.number.push_back(number);
  if (!dataset.label.empty()) dataset.label.resize(size_t(num_nodes), -1);
  if (!dataset.label_set.empty()) dataset.label_set.resize(size_t(num_nodes));
  if (!dataset.target.empty())
    dataset.target.resize(size_t(num_nodes), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace mgnn
