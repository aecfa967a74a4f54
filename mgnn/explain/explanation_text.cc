#include "mgnn/explain/explanation_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "mgnn/motif/motifs.h"

namespace mgnn {
namespace {

TextTable table_of(std::vector<TableColumn> columns) { return {std::move(columns), {}}; }

TableColumn share_column() { return {"share", Align::decimal, 4}; }

const char* kind_text(ShareKind kind) {
  switch (kind) {
    case ShareKind::exact:
      return "exact: shares and bias add up to the score";
    case ShareKind::piecewise:
      return "exact as long as no unit is switched on or off: shares and bias add up to the score";
    case ShareKind::first_order:
      return "gradient × input: what is not attributed stands as rest";
    case ShareKind::none:
      break;
  }
  return "";
}

TableBlock motif_block(const Explanation& e) {
  TextTable table = table_of({{"motifs"}, {"drawing"}, share_column()});
  for (const MotifShare& share : e.motifs)
    table.rows.push_back({motifs_text(share.motifs),
                          share.absent              ? "no instance in the graph"
                          : share.motifs.size() > 1 ? "equal matrices"
                                                    : motif(share.motifs[0]).drawing,
                          share.share});
  for (const NamedShare& other : e.others) table.rows.push_back({other.name, "", other.share});
  table.rows.push_back({"bias", "", e.bias});
  if (e.kind == ShareKind::first_order) table.rows.push_back({"rest", "", e.rest});
  table.rows.push_back({"sum", "", e.score});
  return {fmt::format("What each motif adds ({})", kind_text(e.kind)), std::move(table)};
}

TableBlock neighbour_block(const Explanation& e, const Dataset& dataset) {
  TextTable table = table_of({{"neighbour"},
                              share_column(),
                              {"by messages", Align::decimal, 4, "messages"},
                              {"most by", Align::left, 0, "motifs"}});
  for (const NeighbourShare& n : e.neighbours)
    table.rows.push_back({dataset.ids.name(n.node), n.share, n.messages,
                          n.strongest.empty() ? Cell() : Cell(motifs_text(n.strongest))});
  return {"Neighbours (gradient × input on the entries of the matrices)", std::move(table)};
}

TableBlock instance_block(const Explanation& e, const Dataset& dataset) {
  TextTable table = table_of({{"instance"}, {"motif"}, {"name"}, share_column()});
  for (const InstanceShare& i : e.instances)
    table.rows.push_back(
        {instance_text(i, dataset), motif_label(i.motif), motif(i.motif).name, i.share});
  return {"Instances of motifs", std::move(table)};
}

TableBlock feature_block(const Explanation& e) {
  TextTable table = table_of({{"feature"}, share_column()});
  for (const NamedShare& f : e.features) table.rows.push_back({f.name, f.share});
  return {"Features (gradient × input, over all nodes that matter)", std::move(table)};
}

std::string fidelity_text(const Fidelity& f) {
  return fmt::format(
      "Without its {} strongest arcs the answer falls by {:.4f} (fidelity+; as many random arcs: "
      "{:.4f}), with "
      "them alone by {:.4f} (fidelity-; random: {:.4f}; mean of {} draws).",
      f.arcs, f.plus, f.random_plus, f.minus, f.random_minus, f.random_draws);
}

std::string counterfactual_text(const Explanation& e, const Dataset& dataset) {
  const Counterfactual& c = *e.counterfactual;
  std::string arcs;
  for (const ArcShare& arc : c.arcs) arcs += (arcs.empty() ? "" : ", ") + arc_text(arc, dataset);
  const std::string chance =
      c.probability ? fmt::format(", probability {:.3f}", *c.probability) : "";
  if (!c.found)
    return fmt::format(
        "No {} arcs were found without which the answer is another one (score then {:.4f}{}).",
        c.arcs.size(), c.score, chance);
  const std::string then =
      e.subject == Subject::pair ? "the pair is rather no edge" : "the answer is " + c.answer;
  return fmt::format("Without {} {}{}: {}.", c.arcs.size() == 1 ? "the arc" : "the arcs", then,
                     chance, arcs);
}

}  // namespace

std::string motifs_text(const std::vector<int>& motifs) {
  MotifSet set;
  for (const int motif : motifs) set.insert(motif);
  return set == MotifSet::all() ? "M1-M13" : set.text();
}

namespace {

const char* relation(int arcs, int a, int b) {
  const bool forward = arcs & arc_bit(a, b), back = arcs & arc_bit(b, a);
  return forward && back ? "↔" : forward ? "→" : back ? "←" : nullptr;
}

}  // namespace

std::string instance_text(const InstanceShare& instance, const Dataset& dataset) {
  int order[3] = {0, 1, 2};  // the centre of two joined pairs in the middle
  for (const auto& candidate : kNodeOrders) {
    const int* o = candidate;
    if (!relation(instance.arcs, o[0], o[1]) || !relation(instance.arcs, o[1], o[2])) continue;
    std::copy(o, o + 3, order);
    // Along the arrows, where one can.
    if (instance.arcs & arc_bit(o[0], o[1]) && instance.arcs & arc_bit(o[1], o[2])) break;
  }
  const auto name = [&](int place) { return dataset.ids.name(instance.nodes[size_t(place)]); };
  const auto [a, b, c] = order;
  const char* const first = relation(instance.arcs, a, b);
  const char* const second = relation(instance.arcs, b, c);
  std::string text = fmt::format("{} {} {} {} {}", name(a), first ? first : "·", name(b),
                                 second ? second : "·", name(c));
  if (const char* third = relation(instance.arcs, a, c))
    text += fmt::format(", {} {} {}", name(a), third, name(c));
  return text;
}

std::string arc_text(const ArcShare& arc, const Dataset& dataset) {
  return fmt::format("{} {} {}", dataset.ids.name(arc.from), arc.mutual ? "↔" : "→",
                     dataset.ids.name(arc.to));
}

std::string headline(const Explanation& e, const Dataset& dataset) {
  std::string text = std::string(name_of(e.subject)) + " ";
  if (e.subject == Subject::graph) text += dataset.graph_ids.name(e.graph);
  for (size_t i = 0; i < e.nodes.size(); i++)
    text += (i > 0 ? " – " : "") + dataset.ids.name(e.nodes[i]);
  if (e.subject != Subject::pair) text += ": " + e.answer;
  if (e.subject != Subject::pair && e.explained != e.answer && e.explained != "value")
    text += fmt::format("; explained: {}", e.explained);
  text += fmt::format("{} {:.4f}",
                      e.subject == Subject::pair ? ": score"
                      : e.explained == "value"   ? ", output"
                                                 : ", logit",
                      e.score);
  if (e.probability) text += fmt::format(", probability {:.3f}", *e.probability);
  return text;
}

std::vector<Block> blocks_of(const Explanation& e, const Dataset& dataset) {
  std::vector<Block> blocks;
  if (!e.motifs.empty()) blocks.push_back(motif_block(e));
  if (!e.neighbours.empty()) blocks.push_back(neighbour_block(e, dataset));
  if (!e.instances.empty()) blocks.push_back(instance_block(e, dataset));
  if (!e.features.empty()) blocks.push_back(feature_block(e));
  if (e.fidelity) blocks.push_back(Paragraph{fidelity_text(*e.fidelity)});
  if (e.counterfactual) blocks.push_back(Paragraph{counterfactual_text(e, dataset)});
  for (const std::string& remark : e.remarks) blocks.push_back(Paragraph{"Note: " + remark + "."});
  return blocks;
}

std::vector<Block> blocks_of(const Summary& s) {
  std::vector<Block> blocks;
  const size_t groups = s.groups.size();
  TextTable table{.columns = {{"motifs"}, {"drawing"}}, .rows = {}};
  if (!s.z.empty()) table.columns.push_back({"census z", Align::decimal, 1, "z"});
  HeatMap map{.row_axis = "predicted class", .column_axis = "motif"};
  for (size_t c = 0; c < s.classes.size(); c++) {
    if (s.items[c] == 0) continue;
    table.columns.push_back({s.classes[c], Align::decimal, 3});
    map.rows.push_back(s.classes[c]);
    map.value.insert(map.value.end(), s.magnitude.begin() + std::ptrdiff_t(c * groups),
                     s.magnitude.begin() + std::ptrdiff_t((c + 1) * groups));
  }
  for (size_t g = 0; g < groups; g++) {
    map.columns.push_back(motifs_text(s.groups[g]));
    const std::string drawing = s.absent[g]              ? "no instance in the graph"
                                : s.groups[g].size() > 1 ? "equal matrices"
                                                         : motif(s.groups[g][0]).drawing;
    table.rows.emplace_back();
    table.rows.back().emplace_back(map.columns.back());
    table.rows.back().emplace_back(drawing);
    if (!s.z.empty()) table.rows.back().emplace_back(s.z[g]);
    for (size_t c = 0; c < s.classes.size(); c++)
      if (s.items[c] > 0) table.rows.back().emplace_back(s.share[c * groups + g]);
  }
  blocks.push_back(TableBlock{"Mean share of each motif, by predicted class", std::move(table)});
  blocks.push_back(Figure{"motif-shares", "Mean size of the shares", std::move(map)});
  return blocks;
}

std::string text_of(const SanityCheck& check) {
  return fmt::format(
      "Check: with shuffled weights arc shares correlate by {:.3f} ({}); with nodes numbered anew "
      "they differ "
      "by at most {:.1e} ({}).",
      check.shuffled_correlation,
      check.depends_on_weights ? "passed: below 0.9" : "FAILED: 0.9 or more",
      check.renumbered_difference, check.equal_for_equal ? "passed" : "FAILED");
}

}  // namespace mgnn
