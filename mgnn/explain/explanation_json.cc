#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "mgnn/explain/explanation_text.h"
#include "mgnn/io/drawn_graph.h"
#include "mgnn/motif/motifs.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

Json labels(const std::vector<int>& motifs) {
  Json list = Json::array();
  for (const int motif : motifs) list.push_back(motif_label(motif));
  return list;
}

Json optional(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json shares_of(const Explanation& e) {
  Json motifs = Json::array(), others = Json::array();
  for (const MotifShare& share : e.motifs) {
    Json parts = Json::object();
    for (size_t i = 0; i < share.motifs.size(); i++)
      parts[motif_label(share.motifs[i])] = share.part[i];
    motifs.push_back({{"motifs", labels(share.motifs)},
                      {"share", share.share},
                      {"parts", parts},
                      {"absent", share.absent}});
  }
  for (const NamedShare& other : e.others)
    others.push_back({{"name", other.name}, {"share", other.share}});
  return {{"kind", std::string(name_of(e.kind))},
          {"motifs", motifs},
          {"others", others},
          {"bias", e.bias},
          {"rest", e.rest}};
}

Json arc_of(const ArcShare& arc, const Dataset& dataset) {
  return {{"from", dataset.ids.name(arc.from)},
          {"to", dataset.ids.name(arc.to)},
          {"mutual", arc.mutual},
          {"share", arc.share},
          {"motif", arc.strongest > 0 ? Json(motif_label(arc.strongest)) : Json()}};
}

Json arcs_of(const std::vector<ArcShare>& arcs, const Dataset& dataset) {
  Json list = Json::array();
  for (const ArcShare& arc : arcs) list.push_back(arc_of(arc, dataset));
  return list;
}

Json instance_of(const InstanceShare& instance, const Dataset& dataset) {
  Json nodes = Json::array(), arcs = Json::array();
  for (const NodeId v : instance.nodes) nodes.push_back(dataset.ids.name(v));
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      if (a != b && instance.arcs & arc_bit(a, b)) arcs.push_back({nodes[a], nodes[b]});
  return {{"motif", motif_label(instance.motif)},
          {"name", motif(instance.motif).name},
          {"text", instance_text(instance, dataset)},
          {"nodes", nodes},
          {"arcs", arcs},
          {"share", instance.share}};
}

Json neighbour_of(const NeighbourShare& n, const Dataset& dataset) {
  return {{"node", dataset.ids.name(n.node)},
          {"share", n.share},
          {"messages", n.messages},
          {"motifs", labels(n.strongest)}};
}

Json fidelity_of(const Fidelity& f) {
  return {{"arcs", f.arcs},
          {"plus", f.plus},
          {"minus", f.minus},
          {"random_plus", f.random_plus},
          {"random_minus", f.random_minus},
          {"random_draws", f.random_draws}};
}

Json counterfactual_of(const Counterfactual& c, const Dataset& dataset) {
  return {{"found", c.found},
          {"arcs", arcs_of(c.arcs, dataset)},
          {"answer", c.answer},
          {"score", c.score},
          {"probability", optional(c.probability)}};
}

template <class Items, class Make>
Json list_of(const Items& items, Make make) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(make(item));
  return list;
}

}  // namespace

Json json_of(const Explanation& e, const Dataset& dataset) {
  Json json = {{"schema", "mgnn-explanation"},
               {"version", Explanation::kSchema},
               {"dataset", dataset.name},
               {"subject", std::string(name_of(e.subject))},
               {"nodes", list_of(e.nodes, [&](NodeId v) { return Json(dataset.ids.name(v)); })},
               {"graph", e.graph < 0 ? Json() : Json(dataset.graph_ids.name(e.graph))},
               {"answer", e.answer.empty() ? Json() : Json(e.answer)},
               {"explained", e.explained},
               {"score", e.score},
               {"probability", optional(e.probability)},
               {"shares", shares_of(e)}};
  json["neighbours"] =
      list_of(e.neighbours, [&](const auto& n) { return neighbour_of(n, dataset); });
  json["instances"] = list_of(e.instances, [&](const auto& i) { return instance_of(i, dataset); });
  json["arcs"] = arcs_of(e.arcs, dataset);
  json["features"] = list_of(e.features, [](const auto& f) {
    return Json{{"name", f.name}, {"share", f.share}};
  });
  json["fidelity"] = e.fidelity ? fidelity_of(*e.fidelity) : Json();
  json["counterfactual"] =
      e.counterfactual ? counterfactual_of(*e.counterfactual, dataset) : Json();
  json["remarks"] = e.remarks;
  return json;
}

Json json_of(const Summary& s) {
  Json groups = Json::array(), classes = Json::array();
  for (size_t g = 0; g < s.groups.size(); g++)
    groups.push_back({{"motifs", labels(s.groups[g])},
                      {"absent", s.absent[g] != 0},
                      {"z", s.z.empty() ? Json() : Json(s.z[g])}});
  for (size_t c = 0; c < s.classes.size(); c++) {
    const auto row = [&](const std::vector<double>& all) {
      const auto first = all.begin() + std::ptrdiff_t(c * s.groups.size());
      return Json(std::vector<double>(first, first + std::ptrdiff_t(s.groups.size())));
    };
    classes.push_back({{"class", s.classes[c]},
                       {"items", s.items[c]},
                       {"share", row(s.share)},
                       {"magnitude", row(s.magnitude)}});
  }
  return {{"schema", "mgnn-explanation-summary"},
          {"version", Explanation::kSchema},
          {"groups", groups},
          {"classes", classes}};
}

Json json_of(const SanityCheck& check) {
  return {{"shuffled_correlation", check.shuffled_correlation},
          {"depends_on_weights", check.depends_on_weights},
          {"renumbered_difference", check.renumbered_difference},
          {"equal_for_equal", check.equal_for_equal}};
}

namespace {

std::vector<NodeId> nodes_of(const Explanation& e) {
  std::vector<NodeId> nodes = e.nodes;
  for (const ArcShare& arc : e.arcs) nodes.insert(nodes.end(), {arc.from, arc.to});
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

std::string graphml_of(const Explanation& e, const Dataset& dataset) {
  using Kind = DrawnAttribute::Kind;
  const std::vector<NodeId> nodes = nodes_of(e);
  const auto place_of = [&](NodeId v) {
    return NodeId(std::lower_bound(nodes.begin(), nodes.end(), v) - nodes.begin());
  };
  const auto truth = [](bool value, std::string& text) {
    text += value ? "true" : "false";
    return true;
  };
  DrawnGraph drawn{.num_nodes = NodeId(nodes.size()),
                   .name = [&](NodeId u) { return dataset.ids.name(nodes[size_t(u)]); }};
  for (const ArcShare& arc : e.arcs) drawn.edges.push_back({place_of(arc.from), place_of(arc.to)});
  drawn.node_attributes.push_back(
      {"explained", Kind::truth, [&](int64_t u, std::string& text) {
         const NodeId v = nodes[size_t(u)];
         return truth(std::find(e.nodes.begin(), e.nodes.end(), v) != e.nodes.end(), text);
       }});
  if (!dataset.node_type.empty())
    drawn.node_attributes.push_back({"type", Kind::text, [&](int64_t u, std::string& text) {
                                       const int32_t type =
                                           dataset.node_type[size_t(nodes[size_t(u)])];
                                       text += dataset.node_type_names[size_t(type)];
                                       return true;
                                     }});
  drawn.edge_attributes.push_back({"share", Kind::number, [&](int64_t a, std::string& text) {
                                     return append_number(e.arcs[size_t(a)].share, text);
                                   }});
  drawn.edge_attributes.push_back({"mutual", Kind::truth, [&](int64_t a, std::string& text) {
                                     return truth(e.arcs[size_t(a)].mutual, text);
                                   }});
  std::string text;
  draw_graphml(drawn, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace mgnn
