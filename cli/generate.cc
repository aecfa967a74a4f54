#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/output_file.h"
#include "cli/verb.h"
#include "mgnn/base/error.h"
#include "mgnn/data/edges.h"
#include "mgnn/data/embedded.h"
#include "mgnn/graph/builder.h"
#include "mgnn/graph/generators.h"

namespace mgnn {
namespace {

constexpr const char* kKindFlags = "Flags of some kinds";

// Flags of all kinds together; 0 and -1 stand for "not given".
struct Sizes {
  NodeId nodes = 0;
  Offset arcs = 0;
  double probability = -1;
  int blocks = 0;
  double p_in = -1, p_out = -1;
  double exponent = 0;
  NodeId min_degree = 0, max_degree = 0;
  int degree = 0;
  int graphs = 0;
  NodeId compounds = 0, genes = 0, diseases = 0, pathways = 0;
  bool undirected = false, largest_component = false;
};

template <class T>
T given_or(T given, T otherwise) {
  return given > 0 ? given : otherwise;
}

GeneratedEdges er(const Sizes& s, Rng rng) {
  const NodeId nodes = given_or(s.nodes, NodeId(1000));
  if (s.probability >= 0) return er_edges(nodes, s.probability, rng);
  return er_edges_exactly(nodes, given_or(s.arcs, Offset(nodes) * 10), rng);
}

GeneratedEdges rmat(const Sizes& s, Rng rng) {
  RmatOptions options;
  options.nodes = given_or(s.nodes, options.nodes);
  options.arcs = given_or(s.arcs, Offset(options.nodes) * 16);
  return rmat_edges(options, rng);
}

GeneratedEdges sbm(const Sizes& s, Rng rng) {
  SbmOptions options;
  options.nodes = given_or(s.nodes, options.nodes);
  options.blocks = given_or(s.blocks, options.blocks);
  if (s.p_in >= 0) options.p_in = s.p_in;
  if (s.p_out >= 0) options.p_out = s.p_out;
  return sbm_edges(options, rng);
}

GeneratedEdges config(const Sizes& s, Rng rng) {
  PowerLawOptions options;
  options.nodes = given_or(s.nodes, options.nodes);
  options.exponent = given_or(s.exponent, options.exponent);
  options.min_degree = given_or(s.min_degree, options.min_degree);
  options.max_degree = given_or(s.max_degree, options.max_degree);
  return power_law_edges(options, rng);
}

template <GeneratedEdges (*make)(const Sizes&, Rng)>
Dataset graph_of(const Sizes& sizes, uint64_t seed) {
  Dataset dataset;
  GeneratedEdges generated = make(sizes, Rng(seed));
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

Dataset karate(const Sizes&, uint64_t) { return karate_dataset(); }

Dataset roles(const Sizes& s, uint64_t seed) {
  RolesOptions options;
  options.nodes = given_or(s.nodes, options.nodes);
  options.degree = given_or(s.degree, options.degree);
  return roles_dataset(options, seed);
}

Dataset triads(const Sizes& s, uint64_t seed) {
  TriadsOptions options;
  options.graphs = given_or(s.graphs, options.graphs);
  return triads_dataset(options, seed);
}

Dataset toykg(const Sizes& s, uint64_t seed) {
  ToykgOptions options;
  options.compounds = given_or(s.compounds, options.compounds);
  options.genes = given_or(s.genes, options.genes);
  options.diseases = given_or(s.diseases, options.diseases);
  options.pathways = given_or(s.pathways, options.pathways);
  return toykg_dataset(options, seed);
}

struct Kind {
  const char* name;
  const char* what;
  std::vector<std::string> flags;  // those of Sizes that it takes
  Dataset (*make)(const Sizes& sizes, uint64_t seed);
};

const std::vector<Kind>& kinds() {
  const char *undirected = "--undirected", *component = "--largest-component";
  static const std::vector<Kind> all = {
      {"er",
       "Erdős–Rényi",
       {"--nodes", "--arcs", "--probability", undirected, component},
       graph_of<er>},
      {"rmat",
       "R-MAT or Kronecker, with hubs",
       {"--nodes", "--arcs", undirected, component},
       graph_of<rmat>},
      {"sbm",
       "stochastic block model",
       {"--nodes", "--blocks", "--p-in", "--p-out", undirected, component},
       graph_of<sbm>},
      {"config",
       "configuration model, power-law degrees",
       {"--nodes", "--exponent", "--min-degree", "--max-degree", undirected, component},
       graph_of<config>},
      {"karate", "Zachary's karate club", {}, karate},
      {"roles", "classes are roles in planted motifs", {"--nodes", "--degree"}, roles},
      {"triads", "graphs that differ in motifs only", {"--graphs"}, triads},
      {"toykg",
       "knowledge graph with a hidden rule",
       {"--compounds", "--genes", "--diseases", "--pathways"},
       toykg},
  };
  return all;
}

const Kind& kind_of(const std::string& name) {
  for (const Kind& kind : kinds())
    if (name == kind.name) return kind;
  fail_usage("unknown kind {}; {}", in_quotes(name),
             did_you_mean(name, generator_kinds(), "mgnn help generate lists the kinds"));
}

// A size flag that the kind does not take would be ignored silently: refuse it.
void check_flags(const CLI::App& command, const Kind& kind) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() != kKindFlags || option->count() == 0) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (std::find(kind.flags.begin(), kind.flags.end(), name) != kind.flags.end()) continue;
    fail_usage("generate {} takes no {}; {}", kind.name, name,
               kind.flags.empty() ? "its size is fixed"
                                  : fmt::format("it takes {}", fmt::join(kind.flags, ", ")));
  }
}

void add_sizes(CLI::App& command, Sizes& sizes) {
  command.option_defaults()->group(kKindFlags)->always_capture_default(false);
  const auto size = [&](const char* flag, auto& value, const char* text) {
    return command.add_option(flag, value, text)
        ->type_name("N")
        ->check(CLI::PositiveNumber.description(""));
  };
  const auto share = [&](const char* flag, double& value, const char* text) {
    return command.add_option(flag, value, text)
        ->type_name("P")
        ->check(CLI::Range(0., 1.).description(""));
  };
  size("--nodes", sizes.nodes, "nodes (default: 1000; rmat: 65536; roles: 1800)");
  size("--arcs", sizes.arcs, "er, rmat: arcs drawn (default: 10 a node; rmat: 16)");
  share("--probability", sizes.probability, "er: of every arc, instead of --arcs")
      ->excludes("--arcs");
  size("--blocks", sizes.blocks, "sbm: blocks (default: 4)");
  share("--p-in", sizes.p_in, "sbm: an arc within a block (default: 0.02)");
  share("--p-out", sizes.p_out, "sbm: an arc between two blocks (default: 0.002)");
  size("--exponent", sizes.exponent, "config: of the power law (default: 2.5)")->type_name("X");
  size("--min-degree", sizes.min_degree, "config: minimum degree (default: 1)");
  size("--max-degree", sizes.max_degree, "config: maximum degree (default: root of nodes)");
  size("--degree", sizes.degree, "roles: arcs out of and into every node (default: 4)");
  size("--graphs", sizes.graphs, "triads: graphs (default: 300)");
  size("--compounds", sizes.compounds, "toykg: nodes of that type (default: 150)");
  size("--genes", sizes.genes, "toykg: the same (default: 400)");
  size("--diseases", sizes.diseases, "toykg: the same (default: 100)");
  size("--pathways", sizes.pathways, "toykg: the same (default: 40)");
  command.add_flag("--undirected", sizes.undirected,
                   "er, rmat, sbm, config: add the reverse of every arc");
  command.add_flag("--largest-component", sizes.largest_component,
                   "er, rmat, sbm, config: keep only the largest weakly connected component");
  command.option_defaults()->group("Options")->always_capture_default(true);
}

}  // namespace

std::vector<std::string> generator_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) names.push_back(kind.name);
  return names;
}

Action add_generate(CLI::App& command, const Globals& globals) {
  struct Flags {
    std::string kind;
    Sizes sizes;
    OutputFile output;
  };
  const auto options = std::make_shared<Flags>();
  std::string list;
  for (const Kind& kind : kinds())
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", kind.name, kind.what);
  command.add_option("KIND", options->kind, list)->required();
  command
      .add_option("-o,--output", options->output.path, "file to write, or - for standard output")
      ->type_name("FILE")
      ->required();
  add_output_options(command, options->output);
  add_sizes(command, options->sizes);
  command.footer(
      "  mgnn generate rmat --nodes 1000000 --arcs 10000000 -o web.npz\n"
      "  mgnn generate sbm --blocks 8 --p-in 0.05 --seed 7 -o blocks.h5\n"
      "  mgnn generate karate -o - | head");
  return [options, &command, &globals] {
    const Kind& kind = kind_of(options->kind);
    check_flags(command, kind);
    check_output(options->output);
    Dataset dataset = kind.make(options->sizes, globals.seed);
    dataset.name = kind.name;
    write_output(options->output, dataset, globals.json);
  };
}

}  // namespace mgnn
