#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/divided.h"
#include "cli/graph_options.h"
#include "cli/motif_options.h"
#include "cli/notes.h"
#include "cli/option_flags.h"
#include "cli/verb.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/csv.h"
#include "mgnn/base/file.h"
#include "mgnn/base/human.h"
#include "mgnn/base/memory.h"
#include "mgnn/data/drawn_dataset.h"
#include "mgnn/io/text_writer.h"
#include "mgnn/sparse/csr.h"
#include "mgnn/task/census_table.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

struct CensusVerb {
  GraphSource source;
  Counting counting = Counting::subgraph;
  std::string per_node, per_edge, per_graph;
  bool roles = false;
  int null_graphs = 0;
  bool force = false;
};

struct CensusResult {
  Census census;
  NullModel null;  // graphs == 0 if not asked for
  double seconds = 0;
};

using Names = std::vector<std::string>;

Names motif_titles() {
  Names titles;
  for (const Motif& m : all_motifs()) titles.push_back(motif_label(m.number));
  return titles;
}

Names role_titles() {
  Names titles;
  for (const Role& r : all_roles()) titles.push_back(role_label(r.number));
  return titles;
}

// CSV or, if the file's name says so, TSV. One line for each of `rows`: its names, which `titles`
// are for, then its counts, counts(row, 1) and on, one for each of `count_titles`.
template <class RowNames, class Counts>
void write_counts(const std::string& path, bool overwrite, const Names& titles,
                  const Names& count_titles, int64_t rows, const RowNames& row_names,
                  const Counts& counts) {
  const char separator = csv_separator(path);
  const std::string between(1, separator);
  TextWriter file(path, overwrite);
  file.text(fmt::format("{}", fmt::join(titles, between)));
  for (const std::string& title : count_titles) file.text(between + title);
  file.text("\n");
  for (int64_t row = 0; row < rows; row++) {
    Names names = row_names(row);
    for (std::string& name : names) name = csv_field(name, separator);
    file.text(fmt::format("{}", fmt::join(names, between)));
    for (int k = 1; k <= int(count_titles.size()); k++) {
      file.text(between);
      file.number(counts(row, k));
    }
    file.text("\n");
  }
  file.commit();
}

void write_per_node(const CensusVerb& verb, NodeId nodes, const NodeIds& ids,
                    const Census& census) {
  write_counts(
      verb.per_node, verb.force, {"id"}, verb.roles ? role_titles() : motif_titles(), nodes,
      [&](int64_t row) { return Names{ids.name(NodeId(row))}; },
      [&](int64_t row, int k) {
        return verb.roles ? census.per_role[row][k - 1] : census.per_node[row][k - 1];
      });
}

// The graph, of which each node has its counts.
void draw_per_node(const CensusVerb& verb, const Dataset& dataset, const Census& census) {
  DrawnGraph drawn = drawn_graph(dataset, DrawnFeatures::no);
  const Names titles = verb.roles ? role_titles() : motif_titles();
  for (size_t k = 0; k < titles.size(); k++)
    drawn.node_attributes.push_back(
        {titles[k], DrawnAttribute::Kind::whole, [&, k](int64_t u, std::string& text) {
           text += std::to_string(verb.roles ? census.per_role[u][k] : census.per_node[u][k]);
           return true;
         }});
  write_drawn(verb.per_node, drawn, drawn_format(verb.per_node), verb.force);
}

void write_per_graph(const CensusVerb& verb, const Dataset& dataset, const Census& census) {
  write_counts(
      verb.per_graph, verb.force, {"graph"}, motif_titles(), dataset.num_graphs(),
      [&](int64_t row) { return Names{dataset.graph_ids.name(NodeId(row))}; },
      [&](int64_t row, int k) { return census.per_graph[row][k - 1]; });
}

// One line for every arc: the instances that contain it.
void write_per_edge(const CensusVerb& verb, const Dataset& dataset, const Census& census) {
  const MotifMatrices& m = census.per_arc;
  const Array<Offset> place = places_in(dataset.graph.out, m.pattern);
  const Array<Edge> edges = arcs(dataset.graph);
  write_counts(
      verb.per_edge, verb.force, {"from", "to"}, motif_titles(), int64_t(edges.size()),
      [&](int64_t row) {
        return Names{dataset.ids.name(edges[row].from), dataset.ids.name(edges[row].to)};
      },
      [&](int64_t row, int k) { return m.count(k, place[row]); });
}

CensusResult count(const CensusVerb& verb, const Dataset& dataset, const Globals& globals) {
  const Stopwatch watch;
  CensusResult result;
  result.census = census(dataset.graph, {.counting = verb.counting,
                                         .per_node = !verb.per_node.empty() && !verb.roles,
                                         .per_role = verb.roles,
                                         .per_arc = !verb.per_edge.empty(),
                                         .graph_start = dataset.graph_start});
  result.seconds = watch.seconds();
  if (verb.null_graphs > 0)
    result.null = null_model(result.census.total, verb.counting, verb.null_graphs,
                             rewiring_null(dataset.graph, Rng(globals.seed)));
  return result;
}

// JSON has no infinity: null stands for a z-score without spread.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// Over all nodes: the instances times the nodes of each that have the role.
Json role_sums(const Array<RoleCounts>& per_role) {
  RoleCounts sums{};
  for (const RoleCounts& counts : per_role)
    for (size_t r = 0; r < kNumRoles; r++) sums[r] += counts[r];
  Json json;
  for (const Role& r : all_roles()) json[role_label(r.number)] = sums[r.number - 1];
  return json;
}

Json json_of(NodeId nodes, Offset arcs, NodeId graphs, const CensusResult& result) {
  Json motifs, null;
  for (const Motif& m : all_motifs()) {
    const auto k = size_t(m.number - 1);
    motifs[motif_label(m.number)] = result.census.total[k];
    if (result.null.graphs > 0)
      null[motif_label(m.number)] = {{"mean", result.null.mean[k]},
                                     {"std", result.null.deviation[k]},
                                     {"z", finite(result.null.z_score[k])},
                                     {"p", result.null.p_value[k]},
                                     {"q", result.null.q_value[k]}};
  }
  Json json = {{"nodes", nodes},
               {"arcs", arcs},
               {"counting", name_of(result.census.counting)},
               {"motifs", motifs}};
  if (graphs > 0) json["graphs"] = graphs;
  if (!result.census.per_role.empty()) json["roles"] = role_sums(result.census.per_role);
  if (result.null.graphs > 0)
    json["null"] = {{"graphs", result.null.graphs},
                    {"smallest_p", smallest_p_value(result.null.graphs)},
                    {"motifs", null}};
  json["seconds"] = result.seconds;
  json["peak_memory_bytes"] = peak_memory_bytes();
  return json;
}

// What p and q are, and what they cannot be.
std::string null_legend(int graphs) {
  return fmt::format(
      "\np: two-sided, over {} rewired graphs and the graph itself, never below {:.2g}; q: p "
      "adjusted "
      "for the 13 motifs (Benjamini-Hochberg)\n",
      graphs, smallest_p_value(graphs));
}

void print_result(NodeId nodes, Offset arcs, const CensusResult& result) {
  print(census_table(result.census, result.null));
  if (result.null.graphs > 0) print(null_legend(result.null.graphs));
  print(fmt::format("\n{} counting of {} nodes and {} arcs in {}, {} of memory\n",
                    name_of(result.census.counting), human_count(nodes), human_count(arcs),
                    human_seconds(result.seconds), human_bytes(peak_memory_bytes())));
}

void check_flags(const CensusVerb& verb) {
  if (verb.roles && verb.per_node.empty())
    fail_usage(
        "--roles tells apart the places of a node in a motif and needs --per-node FILE; over a "
        "whole "
        "graph each role has the motif's instances times the nodes that have it");
  for (const std::string& path : {verb.per_node, verb.per_edge, verb.per_graph})
    check_writable(path, verb.force);
  for (const std::string& path : {verb.per_edge, verb.per_graph})
    if (drawn_format(path)) fail_usage("{}: write .csv or .tsv", path);
  if (drawn_format(verb.per_node) == draw_sif)
    fail_usage("{}: SIF files hold no counts; write .graphml, .gexf, .json, .csv or .tsv",
               verb.per_node);
}

void run_divided(const CensusVerb& verb, const Globals& globals) {
  all_or_none(ranks(), [&] {
    if (ranks().rank() == 0) check_flags(verb);
    if (drawn_format(verb.per_node))
      fail_usage("{}: of several ranks none has the whole graph; write .csv or .tsv",
                 verb.per_node);
    if (!verb.per_edge.empty() || !verb.per_graph.empty() || verb.null_graphs > 0)
      fail_usage("--per-edge, --per-graph and --null are not divided among ranks; start it once");
  });
  const RankGraph graph = load_divided(verb.source, globals);
  const Stopwatch watch;
  CensusResult result;
  result.census = divided_census(ranks(), graph,
                                 {.counting = verb.counting,
                                  .per_node = !verb.per_node.empty() && !verb.roles,
                                  .per_role = verb.roles});
  result.seconds = watch.seconds();
  const CountedGraph counted = counted_graph(graph);
  all_or_none(ranks(), [&] {
    if (ranks().rank() > 0) return;
    if (!verb.per_node.empty()) write_per_node(verb, counted.nodes, counted.ids, result.census);
    if (globals.json) return print_json(json_of(counted.nodes, counted.arcs, 0, result));
    print_result(counted.nodes, counted.arcs, result);
  });
}

void run(const CensusVerb& verb, const Globals& globals) {
  if (ranks().size() > 1) return run_divided(verb, globals);
  check_flags(verb);
  const Dataset dataset = verb.source.load_without_notes(globals);
  std::vector<std::string> notes;
  if (!dataset.arc_weight.empty())
    notes.push_back(dataset.name + ": the weights of arcs are not used: instances are counted");
  tell_notes(dataset, globals, notes);
  if (!verb.per_graph.empty() && !dataset.is_set())
    fail_usage("--per-graph: {} is one graph, not a set of graphs", verb.source.what);
  const CensusResult result = count(verb, dataset, globals);
  if (drawn_format(verb.per_node))
    draw_per_node(verb, dataset, result.census);
  else if (!verb.per_node.empty())
    write_per_node(verb, dataset.graph.num_nodes(), dataset.ids, result.census);
  if (!verb.per_edge.empty()) write_per_edge(verb, dataset, result.census);
  if (!verb.per_graph.empty()) write_per_graph(verb, dataset, result.census);
  const NodeId nodes = dataset.graph.num_nodes();
  const Offset arcs = dataset.graph.num_arcs();
  if (globals.json)
    return print_json(json_of(nodes, arcs, dataset.is_set() ? dataset.num_graphs() : 0, result));
  print_result(nodes, arcs, result);
}

}  // namespace

Action add_census(CLI::App& command, const Globals& globals) {
  const auto verb = std::make_shared<CensusVerb>();
  add_graph_options(command, verb->source);
  add_counting_option(command, verb->counting);
  const auto file = [&](const char* flag, std::string& path, const char* text) {
    command.add_option(flag, path, text)->type_name("FILE");
  };
  file("--per-node", verb->per_node,
       "write the instances that each node is part of (.csv, .tsv), or the graph with them for "
       "Cytoscape and Gephi (.graphml, .gexf, .json)");
  command.add_flag("--roles", verb->roles,
                   "with --per-node: one column for each of the 30 roles of a node (M8.centre, "
                   "M8.leaf, …) in place of the 13 motifs");
  file("--per-edge", verb->per_edge, "write the instances that contain each arc");
  file("--per-graph", verb->per_graph, "write the counts of each graph of a set");
  command
      .add_option("--null", verb->null_graphs,
                  "compare with N rewired graphs of the same degrees and reciprocity: z-scores and "
                  "p-values, which are at least 2 / (N + 1)")
      ->type_name("N")
      ->transform(decimal())
      ->check(CLI::Range(2, 1'000'000).description(""));
  add_force_flag(command, verb->force);
  command.footer(
      "  mgnn census wiki-vote --counting induced\n"
      "  mgnn census edges.txt --per-node counts.csv\n"
      "  mgnn census edges.txt --per-node counts.graphml\n"
      "  mgnn census edges.txt --per-node roles.csv --roles\n"
      "  mgnn census cora-directed --null 100 --json\n\n" +
      motif_legend());
  return [verb, &globals] { run(*verb, globals); };
}

}  // namespace mgnn
