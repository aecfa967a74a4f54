#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "cli/option_flags.h"
#include "cli/output_file.h"
#include "cli/verb.h"
#include "mgnn/base/lines.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/embedded.h"
#include "mgnn/graph/generators.h"
#include "mgnn/graph/graph.h"

namespace mgnn {
namespace {

struct ErOptions {
  NodeId nodes = 1000;
  Offset arcs = 0;           // 0: 10 per node
  double probability = NAN;  // of every arc, instead of `arcs`; NaN: not given
};

// The options of all kinds.
struct Sizes {
  ErOptions er;
  RmatOptions rmat{.arcs = 0};  // 0: 16 per node
  SbmOptions sbm;
  PowerLawOptions config;
  RolesOptions roles;
  TriadsOptions triads;
  ToykgOptions toykg;
  bool undirected = false, largest_component = false;  // of random graphs
};

template <class Integer>
Option size(const std::string& name, Integer& at, std::string help) {
  const auto read = [name](const std::string& text) {
    Integer value = 0;
    if (!parse_number(text, value) || value < 1)
      fail_usage("{} is {}; use a whole number from 1 on", flag_of(name), in_quotes(text));
    return value;
  };
  const auto write = [](Integer value) { return fmt::format("{}", value); };
  return text_option(name, at, "N", write, read, std::move(help));
}

Options with_graph_options(Options options, Sizes& s) {
  append(options, {option("undirected", s.undirected, "add the reverse of every arc"),
                   option("largest_component", s.largest_component,
                          "keep only the largest weakly connected component")});
  return options;
}

Options er_options(Sizes& s) {
  return with_graph_options(
      {size("nodes", s.er.nodes, "nodes"),
       size("arcs", s.er.arcs, "arcs drawn (default: 10 per node; rmat: 16)"),
       option("probability", s.er.probability, "of every arc (default: as many as --arcs)")},
      s);
}

Options rmat_options(Sizes& s) {
  return with_graph_options({size("nodes", s.rmat.nodes, ""), size("arcs", s.rmat.arcs, "")}, s);
}

Options sbm_options(Sizes& s) {
  return with_graph_options(
      {size("nodes", s.sbm.nodes, ""), size("blocks", s.sbm.blocks, "blocks"),
       option("p_in", s.sbm.p_in, "probability of an arc within a block"),
       option("p_out", s.sbm.p_out, "probability of an arc between two blocks")},
      s);
}

Options config_options(Sizes& s) {
  return with_graph_options(
      {size("nodes", s.config.nodes, ""),
       option("exponent", s.config.exponent, "of the power law of degrees"),
       size("min_degree", s.config.min_degree, "minimum degree"),
       size("max_degree", s.config.max_degree, "maximum degree (default: root of nodes)")},
      s);
}

Options roles_options(Sizes& s) {
  return {size("nodes", s.roles.nodes, ""),
          size("degree", s.roles.degree, "arcs out of and into every node")};
}

Options triads_options(Sizes& s) { return {size("graphs", s.triads.graphs, "graphs")}; }

Options toykg_options(Sizes& s) {
  return {size("compounds", s.toykg.compounds, "compounds"), size("genes", s.toykg.genes, "genes"),
          size("diseases", s.toykg.diseases, "diseases"),
          size("pathways", s.toykg.pathways, "pathways")};
}

Dataset graph_of(GeneratedEdges generated, const Sizes& sizes) {
  Dataset dataset;
  BuiltGraph built = build_graph(generated.num_nodes, std::move(generated.edges),
                                 {.symmetrise = sizes.undirected});
  dataset.graph = std::move(built.graph);
  dataset.build = built.stats;
  dataset.label = std::move(generated.block);
  if (sizes.largest_component) dataset = largest_component(std::move(dataset));
  for (const int32_t block : dataset.label)
    while (dataset.num_classes() <= block)
      dataset.class_names.push_back(fmt::format("block {}", dataset.num_classes()));
  return dataset;
}

GeneratedEdges er_edges(const ErOptions& er, Rng rng) {
  if (!std::isnan(er.probability)) return er_edges(er.nodes, er.probability, rng);
  return er_edges_exactly(er.nodes, er.arcs > 0 ? er.arcs : Offset(er.nodes) * 10, rng);
}

GeneratedEdges rmat_edges_of(RmatOptions rmat, Rng rng) {
  if (rmat.arcs == 0) rmat.arcs = Offset(rmat.nodes) * 16;
  return rmat_edges(rmat, rng);
}

struct Kind {
  const char* name;
  const char* what;
  Options (*options)(Sizes& sizes);
  Dataset (*make)(const Sizes& sizes, uint64_t seed);
};

constexpr Kind kKinds[] = {
    {"er", "Erdős–Rényi", er_options,
     [](const Sizes& s, uint64_t seed) { return graph_of(er_edges(s.er, Rng(seed)), s); }},
    {"rmat", "R-MAT or Kronecker, with hubs", rmat_options,
     [](const Sizes& s, uint64_t seed) { return graph_of(rmat_edges_of(s.rmat, Rng(seed)), s); }},
    {"sbm", "stochastic block model", sbm_options,
     [](const Sizes& s, uint64_t seed) { return graph_of(sbm_edges(s.sbm, Rng(seed)), s); }},
    {"config", "configuration model, power-law degrees", config_options,
     [](const Sizes& s, uint64_t seed) {
       return graph_of(power_law_edges(s.config, Rng(seed)), s);
     }},
    {"karate", "Zachary's karate club", [](Sizes&) { return Options(); },
     [](const Sizes&, uint64_t) { return karate_dataset(); }},
    {"roles", "classes are roles in planted motifs", roles_options,
     [](const Sizes& s, uint64_t seed) { return roles_dataset(s.roles, seed); }},
    {"triads", "graphs that differ in motifs only", triads_options,
     [](const Sizes& s, uint64_t seed) { return triads_dataset(s.triads, seed); }},
    {"toykg", "knowledge graph with a hidden rule", toykg_options,
     [](const Sizes& s, uint64_t seed) { return toykg_dataset(s.toykg, seed); }},
};

const Kind& kind_of(const std::string& name) {
  for (const Kind& kind : kKinds)
    if (name == kind.name) return kind;
  fail_usage("unknown kind {}; {}", in_quotes(name),
             did_you_mean(name, generator_kinds(), "mgnn help generate lists the kinds"));
}

// Refuses flags that the kind does not take.
void set_flags(const Kind& kind, const Settings& given, Sizes& sizes) {
  const Options options = kind.options(sizes);
  std::vector<std::string> flags;
  for (const Option& option : options) flags.push_back(flag_of(option.name));
  for (const Setting& setting : given) {
    const auto flag = std::find(flags.begin(), flags.end(), flag_of(setting.name));
    if (flag == flags.end())
      fail_usage(
          "generate {} takes no {}; {}", kind.name, flag_of(setting.name),
          flags.empty() ? "its size is fixed" : fmt::format("it takes {}", fmt::join(flags, ", ")));
    options[size_t(flag - flags.begin())].set(setting.value);
  }
}

// The help of each flag begins with the kinds that take it.
void add_size_flags(CLI::App& command, Settings& given) {
  Sizes defaults;
  Options options;
  std::map<std::string, std::string> takers;  // by the name of the option
  for (const Kind& kind : kKinds)
    for (Option& option : kind.options(defaults)) {
      std::string& names = takers[option.name];
      names += (names.empty() ? "" : ", ") + std::string(kind.name);
      option.name = kind.name + ("." + option.name);
      options.push_back(std::move(option));
    }
  for (Option& option : options) option.help = takers[last_part(option.name)] + ": " + option.help;
  add_option_flags(
      command, options,
      [&given](const std::string& name, const Value& value) { given.emplace_back(name, value); },
      [](const std::string&) { return "Flags of some kinds"; });
  command.get_option("--probability")->excludes("--arcs");
}

}  // namespace

std::vector<std::string> generator_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.push_back(kind.name);
  return names;
}

Action add_generate(CLI::App& command, const Globals& globals) {
  struct Flags {
    std::string kind;
    Settings sizes;
    OutputFile output;
  };
  const auto flags = std::make_shared<Flags>();
  std::string list;
  for (const Kind& kind : kKinds)
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", kind.name, kind.what);
  command.add_option("KIND", flags->kind, list)->required();
  command.add_option("-o,--output", flags->output.path, "file to write, or - for standard output")
      ->type_name("FILE")
      ->required();
  add_output_options(command, flags->output);
  add_size_flags(command, flags->sizes);
  command.footer(
      "  mgnn generate rmat --nodes 1000000 --arcs 10000000 -o web.npz\n"
      "  mgnn generate sbm --blocks 8 --p-in 0.05 --seed 7 -o blocks.safetensors\n"
      "  mgnn generate karate -o - | head");
  return [flags, &globals] {
    const Kind& kind = kind_of(flags->kind);
    Sizes sizes;
    set_flags(kind, flags->sizes, sizes);
    check_output(flags->output);
    Dataset dataset = kind.make(sizes, globals.seed);
    dataset.name = kind.name;
    write_output(flags->output, dataset, globals.json);
  };
}

}  // namespace mgnn
