#include "mgnn/explain/scene.h"

#include <algorithm>
#include <set>

#include "mgnn/data/edges.h"

namespace mgnn {

Features rows_of(const Features& features, std::span<const NodeId> nodes) {
  if (const auto* dense = std::get_if<Matrix>(&features)) {
    Matrix part(int64_t(nodes.size()), dense->cols);
    for (size_t r = 0; r < nodes.size(); r++)
      std::copy_n(dense->row(nodes[r]).data(), dense->cols, part.row(int64_t(r)).data());
    return part;
  }
  const auto* sparse = std::get_if<SparseMatrix>(&features);
  if (!sparse) return {};
  SparseMatrix part;
  part.pattern.rows = NodeId(nodes.size()), part.pattern.cols = sparse->pattern.cols;
  for (const NodeId v : nodes) {
    for (Offset e = sparse->pattern.start[size_t(v)]; e < sparse->pattern.start[size_t(v) + 1];
         e++) {
      part.pattern.index.push_back(sparse->pattern.index[size_t(e)]);
      part.value.push_back(sparse->value[size_t(e)]);
    }
    part.pattern.start.push_back(Offset(part.pattern.index.size()));
  }
  return part;
}

namespace {

// The place of each node in `nodes`; -1: not there.
std::vector<NodeId> places_of(NodeId num_nodes, std::span<const NodeId> nodes) {
  std::vector<NodeId> place(size_t(num_nodes), -1);
  for (size_t i = 0; i < nodes.size(); i++) place[size_t(nodes[i])] = NodeId(i);
  return place;
}

// In the order of the arcs among `nodes`.
Array<float> weights_among(const Dataset& data, std::span<const NodeId> nodes,
                           const std::vector<NodeId>& place) {
  Array<float> weight;
  if (data.arc_weight.empty()) return weight;
  const Csr& out = data.graph.out;
  for (const NodeId v : nodes)
    for (Offset e = out.start[size_t(v)]; e < out.start[size_t(v) + 1]; e++)
      if (place[size_t(out.index[size_t(e)])] >= 0) weight.push_back(data.arc_weight[size_t(e)]);
  return weight;
}

}  // namespace

Dataset part_of(const Dataset& data, std::span<const NodeId> nodes, bool one_of_set) {
  const std::vector<NodeId> place = places_of(data.graph.num_nodes(), nodes);
  Dataset part;
  part.name = data.name;
  part.graph = induced_subgraph(data.graph, nodes);
  part.features = rows_of(data.features, nodes);
  part.arc_weight = weights_among(data, nodes, place);
  for (const Relation& relation : data.relations) {
    part.relations.push_back({relation.name, {}});
    for (const Edge& e : relation.edges)
      if (place[size_t(e.from)] >= 0 && place[size_t(e.to)] >= 0)
        part.relations.back().edges.push_back({place[size_t(e.from)], place[size_t(e.to)]});
  }
  if (one_of_set) part.graph_start = {0, NodeId(nodes.size())};
  return part;
}

std::vector<NodeId> ball(const Graph& graph, std::span<const NodeId> centres, int radius) {
  std::vector<uint8_t> inside(size_t(graph.num_nodes()), 0);
  std::vector<NodeId> nodes, frontier(centres.begin(), centres.end());
  for (const NodeId v : frontier) inside[size_t(v)] = 1;
  for (int step = 0; step < radius; step++) {
    std::vector<NodeId> next;
    for (const NodeId v : frontier)
      for (const Csr* rows : {&graph.out, &graph.in})
        for (const NodeId w : rows->row(v))
          if (!std::exchange(inside[size_t(w)], uint8_t(1))) next.push_back(w);
    frontier = std::move(next);
  }
  for (NodeId v = 0; v < graph.num_nodes(); v++)
    if (inside[size_t(v)]) nodes.push_back(v);
  return nodes;
}

Dataset with_pairs(const Dataset& data, std::span<const NodePair> pairs, PairUse use) {
  std::set<NodePair> chosen;
  for (const auto& [u, v] : pairs) chosen.insert({u, v}), chosen.insert({v, u});
  Array<Edge> kept;
  for (const Edge& e : arcs(data.graph))
    if (chosen.contains({e.from, e.to}) == (use == PairUse::kept)) kept.push_back(e);
  Dataset result = arcs_of_part(data, make_graph(data.graph.num_nodes(), std::move(kept)));
  result.features = data.features;
  result.graph_start = data.graph_start;
  return result;
}

}  // namespace mgnn
