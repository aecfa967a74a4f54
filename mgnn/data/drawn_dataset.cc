#include "mgnn/data/drawn_dataset.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

using Kind = DrawnAttribute::Kind;

Offset place_of(const Graph& graph, const Edge& arc) {
  const auto row = graph.out.row(arc.from);
  const auto found = std::lower_bound(row.begin(), row.end(), arc.to);
  return found == row.end() || *found != arc.to
             ? -1
             : graph.out.start[arc.from] + Offset(found - row.begin());
}

bool is_symmetric(const Dataset& d) {
  if (!d.relations.empty()) return false;
  Offset e = 0;
  for (const Edge& arc : arcs(d.graph)) {
    const Offset reverse = place_of(d.graph, {arc.to, arc.from});
    if (reverse < 0 || (!d.arc_weight.empty() && d.arc_weight[reverse] != d.arc_weight[e]))
      return false;
    e++;
  }
  return true;
}

void add_edges(const Dataset& d, DrawnGraph& drawn) {
  const Array<Edge> all = arcs(d.graph);
  std::vector<int32_t> relations;  // (edges) -1: none
  std::vector<Offset> places;      // (edges) of arcs
  std::vector<int32_t> listed(all.size(), 0);
  const auto add = [&](const Edge& edge, int32_t relation, Offset place) {
    drawn.edges.push_back(edge);
    relations.push_back(relation);
    places.push_back(place);
  };
  bool several = false;
  for (size_t r = 0; r < d.relations.size(); r++) {
    std::vector<bool> seen(all.size(), false);  // a relation lists some arcs twice
    for (const Edge& edge : d.relations[r].edges) {
      const Offset place = place_of(d.graph, edge);
      if (place < 0 || seen[size_t(place)]) continue;
      seen[size_t(place)] = true;
      several = several || ++listed[size_t(place)] > 1;
      add(edge, int32_t(r), place);
    }
  }
  for (size_t e = 0; e < all.size(); e++)
    if (listed[e] == 0 && (drawn.directed || all[e].from < all[e].to)) add(all[e], -1, Offset(e));
  if (several && !d.arc_weight.empty())
    fail_data(
        "{}: an arc of several relations has one weight, which cannot be written; leave the "
        "weights out",
        d.name);
  if (!d.relations.empty())
    drawn.edge_attributes.push_back(
        {"relation", Kind::text, [&d, relations](int64_t e, std::string& text) {
           if (relations[size_t(e)] >= 0) text += d.relations[size_t(relations[size_t(e)])].name;
           return relations[size_t(e)] >= 0;
         }});
  if (!d.arc_weight.empty())
    drawn.edge_attributes.push_back(
        {"weight", Kind::number, [&d, places](int64_t e, std::string& text) {
           return append_number(d.arc_weight[places[size_t(e)]], text);
         }});
}

void add_answers(const Dataset& d, DrawnGraph& drawn) {
  auto& attributes = drawn.node_attributes;
  if (!d.is_set() && !d.label.empty())
    attributes.push_back({"class", Kind::text, [&d](int64_t u, std::string& text) {
                            const int32_t label = d.label[size_t(u)];
                            if (label >= 0) text += d.class_names[size_t(label)];
                            return label >= 0;
                          }});
  if (!d.is_set() && !d.label_set.empty())
    attributes.push_back({"class", Kind::text, [&d](int64_t u, std::string& text) {
                            std::vector<std::string> names;
                            for (const int32_t label : d.label_set[size_t(u)])
                              names.push_back(d.class_names[size_t(label)]);
                            text += fmt::format("{}", fmt::join(names, "|"));
                            return !names.empty();
                          }});
  if (!d.is_set() && !d.target.empty())
    attributes.push_back({"target", Kind::number, [&d](int64_t u, std::string& text) {
                            return append_number(d.target[size_t(u)], text);
                          }});
  if (!d.node_type.empty())
    attributes.push_back({"type", Kind::text, [&d](int64_t u, std::string& text) {
                            text += d.node_type_names[size_t(d.node_type[size_t(u)])];
                            return true;
                          }});
}

void add_split(const Dataset& d, DrawnGraph& drawn) {
  if (d.is_set() || d.splits.size() != 1) return;
  std::vector<const char*> part(size_t(d.graph.num_nodes()), nullptr);
  for (const NodeId u : d.splits[0].train) part[size_t(u)] = "train";
  for (const NodeId u : d.splits[0].validation) part[size_t(u)] = "val";
  for (const NodeId u : d.splits[0].test) part[size_t(u)] = "test";
  drawn.node_attributes.push_back({"split", Kind::text, [part](int64_t u, std::string& text) {
                                     if (part[size_t(u)]) text += part[size_t(u)];
                                     return part[size_t(u)] != nullptr;
                                   }});
}

void add_graphs(const Dataset& d, DrawnGraph& drawn) {
  if (!d.is_set()) return;
  drawn.node_attributes.push_back({"graph", Kind::text, [&d](int64_t u, std::string& text) {
                                     const auto& start = d.graph_start;
                                     const auto next =
                                         std::upper_bound(start.begin(), start.end(), NodeId(u));
                                     text += d.graph_ids.name(NodeId(next - start.begin() - 1));
                                     return true;
                                   }});
}

void add_features(const Dataset& d, DrawnGraph& drawn) {
  const int64_t columns = num_features(d.features);
  if (columns > kMaxDrawnFeatures) return;
  for (int64_t c = 0; c < columns; c++) {
    std::string name =
        d.feature_names.empty() ? fmt::format("feature {}", c + 1) : d.feature_names[size_t(c)];
    const bool is_taken = std::any_of(drawn.node_attributes.begin(), drawn.node_attributes.end(),
                                      [&](const DrawnAttribute& a) { return a.name == name; });
    if (is_taken) name = "feature " + name;
    drawn.node_attributes.push_back(
        {std::move(name), Kind::number, [&d, c](int64_t u, std::string& text) {
           if (const Matrix* dense = std::get_if<Matrix>(&d.features))
             return append_number((*dense)(u, c), text);
           const SparseMatrix& sparse = std::get<SparseMatrix>(d.features);
           const auto row = sparse.pattern.row(NodeId(u));
           const auto found = std::lower_bound(row.begin(), row.end(), NodeId(c));
           if (found == row.end() || *found != c) return append_number(0.0F, text);
           return append_number(
               sparse.value[size_t(sparse.pattern.start[u] + (found - row.begin()))], text);
         }});
  }
}

}  // namespace

DrawnGraph drawn_graph(const Dataset& dataset, DrawnFeatures features) {
  DrawnGraph drawn;
  drawn.num_nodes = dataset.graph.num_nodes();
  drawn.name = [&dataset](NodeId u) { return dataset.ids.name(u); };
  drawn.directed = !is_symmetric(dataset);
  add_edges(dataset, drawn);
  add_answers(dataset, drawn);
  add_split(dataset, drawn);
  add_graphs(dataset, drawn);
  if (features == DrawnFeatures::yes) add_features(dataset, drawn);
  return drawn;
}

}  // namespace mgnn
