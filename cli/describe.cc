#include "cli/describe.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "mgnn/base/error.h"
#include "mgnn/base/human.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(double part, double whole) {
  return whole == 0 ? "0 %" : fmt::format("{:.3g} %", 100 * part / whole);
}

std::string plural(int64_t count, const std::string& noun) {
  return human_count(count) + " " + noun + (count == 1 ? "" : "s");
}

// Share of non-zero values.
double density(const Features& features) {
  if (const auto* sparse = std::get_if<SparseMatrix>(&features)) {
    const double cells = double(sparse->pattern.rows) * double(sparse->pattern.cols);
    return cells == 0 ? 0 : double(sparse->pattern.nnz()) / cells;
  }
  if (const auto* dense = std::get_if<Matrix>(&features)) {
    const auto zeros = std::count(dense->data.begin(), dense->data.end(), 0.f);
    return dense->data.empty() ? 0 : 1 - double(zeros) / double(dense->data.size());
  }
  return 0;
}

struct SizeRange {
  NodeId min = 0, max = 0;
};
SizeRange graph_sizes(const Dataset& dataset) {
  SizeRange range{dataset.graph.num_nodes(), 0};
  for (NodeId g = 0; g < dataset.num_graphs(); g++) {
    const NodeId size = dataset.graph_start[g + 1] - dataset.graph_start[g];
    range = {std::min(range.min, size), std::max(range.max, size)};
  }
  return range;
}

// How often each number 0..kinds-1 occurs; others (unknown labels) last.
std::vector<int64_t> counts(const std::vector<int32_t>& of, size_t kinds) {
  std::vector<int64_t> count(kinds + 1, 0);
  for (const int32_t i : of) count[i < 0 ? kinds : size_t(i)]++;
  return count;
}

struct TargetSummary {
  int64_t count = 0;
  double min = std::numeric_limits<double>::infinity(), max = -min, mean = 0;
};
TargetSummary summary_of(const std::vector<double>& targets) {
  TargetSummary s;
  for (const double target : targets) {
    if (std::isnan(target)) continue;
    s.count++;
    s.min = std::min(s.min, target);
    s.max = std::max(s.max, target);
    s.mean += target;
  }
  s.mean /= double(std::max<int64_t>(s.count, 1));
  return s;
}

std::string kind(const Dataset& dataset, const GraphSummary& summary) {
  const bool undirected = summary.arcs > 0 && 2 * summary.reciprocal_pairs == summary.arcs;
  const std::string direction = undirected ? "undirected" : "directed";
  return dataset.is_set()
             ? fmt::format("{} {} graphs", human_count(dataset.num_graphs()), direction)
             : fmt::format("{} graph", direction);
}

std::string splits_text(const std::vector<Split>& splits) {
  std::vector<std::string> texts;
  for (const Split& split : splits)
    texts.push_back(fmt::format("{} {}/{}/{}", split.name, human_count(int64_t(split.train.size())),
                                human_count(int64_t(split.validation.size())),
                                human_count(int64_t(split.test.size()))));
  return human_list(texts, 3);
}

TextTable facts(const Dataset& d, const GraphSummary& s) {
  TextTable table{.columns = {{""}, {""}}, .rows = {}};
  const auto row = [&](const std::string& what, const std::string& value) {
    table.rows.push_back({what, value});
  };
  if (d.is_set()) {
    const SizeRange sizes = graph_sizes(d);
    row("graphs", fmt::format("{}, of {} to {} nodes", human_count(d.num_graphs()),
                              human_count(sizes.min), human_count(sizes.max)));
  }
  row("nodes", human_count(s.nodes) +
                   (s.isolated ? fmt::format(", {} without arcs", human_count(s.isolated)) : ""));
  row("arcs",
      fmt::format("{} in {}", human_count(s.arcs), plural(s.undirected_edges, "undirected edge")));
  row("reciprocity", fmt::format("{} of the arcs, {}", percent(s.reciprocity(), 1),
                                 plural(s.reciprocal_pairs, "pair")));
  if (!d.is_set())
    row("components", fmt::format("{}, the largest with {} of the nodes", human_count(s.components),
                                  percent(s.largest_component, s.nodes)));
  std::string dropped = fmt::format("{}, {}", plural(d.build.loops_dropped, "loop"),
                                    plural(d.build.duplicates_dropped, "duplicate"));
  if (d.build.nodes_dropped) dropped += ", " + plural(d.build.nodes_dropped, "node");
  row("dropped", dropped);
  if (num_features(d.features) > 0)
    row("features",
        fmt::format("{}, {}, {} non-zero{}", human_count(num_features(d.features)),
                    std::holds_alternative<Matrix>(d.features) ? "dense" : "sparse",
                    percent(density(d.features), 1),
                    d.features_from.empty() ? "" : fmt::format(" ({})", d.features_from)));
  else
    row("features", "none");
  row("classes", d.num_classes() ? human_count(d.num_classes()) : "none");
  if (const TargetSummary t = summary_of(d.target); t.count > 0)
    row("targets", fmt::format("{} numbers, {:.4g} to {:.4g}, mean {:.4g}", human_count(t.count),
                               t.min, t.max, t.mean));
  if (!d.arc_weight.empty()) row("weights", "on arcs");
  if (!d.splits.empty()) row("splits", splits_text(d.splits));
  return table;
}

TextTable degree_table(const GraphSummary& s) {
  TextTable table{.columns = {{"degree"},
                              {"min", Align::right},
                              {"mean", Align::decimal},
                              {"median", Align::decimal, 1},
                              {"max", Align::right}},
                  .rows = {}};
  for (const auto& [name, d] : {std::pair{"out", s.out}, {"in", s.in}})
    table.rows.push_back({name, d.min, d.mean, d.median, d.max});
  return table;
}

constexpr size_t kMaxRows = 20;

// Name, count, share; the largest first beyond kMaxRows.
void print_counts(const std::string& title, const std::string& of,
                  const std::vector<std::string>& names, std::vector<int64_t> count) {
  int64_t total = 0;
  for (const int64_t c : count) total += c;
  std::vector<size_t> order;
  for (size_t i = 0; i < count.size(); i++)
    if (i < names.size() || count[i] > 0) order.push_back(i);
  if (order.size() > kMaxRows)
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return count[a] > count[b]; });
  TextTable table{.columns = {{title}, {of, Align::right}, {"share", Align::decimal, 1}},
                  .rows = {}};
  for (size_t i = 0; i < std::min(order.size(), kMaxRows); i++)
    table.rows.push_back(
        {order[i] < names.size() ? names[order[i]] : "(unknown)", count[order[i]],
         fmt::format("{:.1f} %", total ? 100. * double(count[order[i]]) / double(total) : 0.)});
  print("\n");
  print(table);
  if (order.size() > kMaxRows) print(fmt::format("and {} more\n", order.size() - kMaxRows));
}

std::vector<int64_t> class_counts(const Dataset& d) {
  if (d.label_set.empty()) return counts(d.label, d.class_names.size());
  std::vector<int64_t> count(d.class_names.size());
  for (const std::vector<int32_t>& labels : d.label_set)
    for (const int32_t label : labels) count[label]++;
  return count;
}

void print_relations(const std::vector<Relation>& relations) {
  std::vector<std::string> names;
  std::vector<int64_t> sizes;
  for (const Relation& relation : relations) {
    names.push_back(relation.name);
    sizes.push_back(int64_t(relation.edges.size()));
  }
  print_counts("relation", "edges", names, sizes);
}

Json named_counts(const std::vector<std::string>& names, const std::vector<int64_t>& count) {
  Json list = Json::array();
  for (size_t i = 0; i < names.size(); i++)
    list.push_back(Json{{"name", names[i]}, {"count", count[i]}});
  return list;
}

Json degree_json(const DegreeSummary& d) {
  return {{"min", d.min}, {"mean", d.mean}, {"median", d.median}, {"max", d.max}};
}

}  // namespace

void print_dataset(const Dataset& d, const GraphSummary& summary) {
  print(emphasised(d.name) + ": " + kind(d, summary) + "\n\n");
  print(facts(d, summary));
  print("\n");
  print(degree_table(summary));
  const std::string items = d.is_set() ? "graphs" : "nodes";
  if (d.num_classes())
    print_counts(d.label_set.empty() ? "class" : "label", items, d.class_names, class_counts(d));
  if (!d.node_type_names.empty() && d.node_type != d.label)  // else the same table twice
    print_counts("node type", "nodes", d.node_type_names,
                 counts(d.node_type, d.node_type_names.size()));
  if (!d.relations.empty()) print_relations(d.relations);
  if (!d.remarks.empty()) print("\n");
  for (const std::string& remark : d.remarks) print("note: " + remark + "\n");
}

Json dataset_json(const Dataset& d, const GraphSummary& s) {
  Json json = {{"nodes", s.nodes},
               {"arcs", s.arcs},
               {"undirected_edges", s.undirected_edges},
               {"reciprocal_pairs", s.reciprocal_pairs},
               {"self_loops_dropped", d.build.loops_dropped},
               {"duplicates_dropped", d.build.duplicates_dropped},
               {"features", num_features(d.features)},
               {"classes", d.num_classes()},
               {"graphs", d.num_graphs()},
               {"name", d.name},
               {"arcs_given", d.build.arcs_given},
               {"nodes_dropped", d.build.nodes_dropped},
               {"isolated", s.isolated},
               {"components", s.components},
               {"largest_component", s.largest_component},
               {"reciprocity", s.reciprocity()},
               {"out_degree", degree_json(s.out)},
               {"in_degree", degree_json(s.in)},
               {"features_from", d.features_from},
               {"features_density", density(d.features)},
               {"class_counts", named_counts(d.class_names, class_counts(d))},
               {"node_types",
                named_counts(d.node_type_names, counts(d.node_type, d.node_type_names.size()))}};
  json["relations"] = Json::array();
  for (const Relation& relation : d.relations)
    json["relations"].push_back(Json{{"name", relation.name}, {"count", relation.edges.size()}});
  json["splits"] = Json::array();
  for (const Split& split : d.splits)
    json["splits"].push_back(Json{{"name", split.name},
                                  {"train", split.train.size()},
                                  {"validation", split.validation.size()},
                                  {"test", split.test.size()}});
  if (const TargetSummary t = summary_of(d.target); t.count > 0)
    json["targets"] = {{"count", t.count}, {"min", t.min}, {"max", t.max}, {"mean", t.mean}};
  if (d.is_set()) {
    const SizeRange sizes = graph_sizes(d);
    json["graph_nodes"] = {{"min", sizes.min}, {"max", sizes.max}};
  }
  json["remarks"] = d.remarks;
  return json;
}

}  // namespace mgnn
