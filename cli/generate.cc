#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/graph_options.h"
#include "cli/output_file.h"
#include "cli/verb.h"
#include "mgnn/graph/builder.h"
#include "mgnn/graph/generators.h"

namespace mgnn {
namespace {

// Flags of all kinds together; 0 and -1 stand for "not given".
struct Sizes {
  NodeId nodes = 0;
  Offset arcs = 0;
  double probability = -1;
  int blocks = 0;
  double p_in = -1, p_out = -1;
  double exponent = 0;
  NodeId least_degree = 0, most_degree = 0;
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
  options.least = given_or(s.least_degree, options.least);
  options.most = given_or(s.most_degree, options.most);
  return power_law_edges(options, rng);
}

struct Kind {
  const char* name;
  const char* what;
  std::vector<std::string> flags;                  // those of Sizes that it takes
  GeneratedEdges (*edges)(const Sizes&, Rng rng);  // null: an embedded dataset
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"er", "Erdős–Rényi", {"--nodes", "--arcs", "--probability"}, er},
      {"rmat", "R-MAT (Kronecker), skewed degrees", {"--nodes", "--arcs"}, rmat},
      {"sbm", "stochastic block model", {"--nodes", "--blocks", "--p-in", "--p-out"}, sbm},
      {"config",
       "configuration model, power-law degrees",
       {"--nodes", "--exponent", "--least-degree", "--most-degree"},
       config},
      {"karate", "Zachary's karate club", {}, nullptr},
      {"roles", "classes are roles in planted motifs", {}, nullptr},
      {"triads", "graphs that differ in motifs only", {}, nullptr},
      {"toykg", "knowledge graph with a hidden rule", {}, nullptr},
  };
  return all;
}

const Kind& kind_of(const std::string& name) {
  for (const Kind& kind : kinds())
    if (name == kind.name) return kind;
  const std::string near = nearest(name, generator_kinds());
  fail_usage(
      "unknown kind {}; {}", mgnn::quoted(name),
      near.empty() ? "mgnn help generate lists the kinds" : fmt::format("did you mean {}?", near));
}

// A size flag that the kind does not take would be ignored silently: refuse it.
void check_flags(const CLI::App& command, const Kind& kind) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() != "Sizes" || option->count() == 0) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (std::find(kind.flags.begin(), kind.flags.end(), name) != kind.flags.end()) continue;
    fail_usage("generate {} takes no {}; {}", kind.name, name,
               kind.flags.empty() ? "its size is fixed"
                                  : fmt::format("it takes {}", fmt::join(kind.flags, ", ")));
  }
}

Dataset generated(const Kind& kind, const Sizes& sizes, const BuildOptions& build, uint64_t seed) {
  if (!kind.edges) return load_dataset(kind.name, {.seed = seed, .build = build});
  Dataset dataset;
  dataset.name = kind.name;
  GeneratedEdges made = kind.edges(sizes, Rng(seed));
  BuiltGraph built = build_graph(made.num_nodes, std::move(made.edges), build);
  dataset.graph = std::move(built.graph);
  dataset.build = built.stats;
  dataset.label = std::move(made.block);
  if (!built.kept.empty() && !dataset.label.empty()) {
    for (size_t i = 0; i < built.kept.size(); i++)
      dataset.label[i] = dataset.label[size_t(built.kept[i])];
    dataset.label.resize(built.kept.size());
  }
  for (const int32_t block : dataset.label)
    while (dataset.num_classes() <= block)
      dataset.class_names.push_back(fmt::format("block {}", dataset.num_classes()));
  return dataset;
}

void add_sizes(CLI::App& command, Sizes& sizes) {
  command.option_defaults()->group("Sizes")->always_capture_default(false);
  const auto count = CLI::PositiveNumber.description("");
  command.add_option("--nodes", sizes.nodes, "nodes (default: 1000; rmat: 65536)")
      ->type_name("N")
      ->check(count);
  command.add_option("--arcs", sizes.arcs, "arcs drawn (default: 10 a node; rmat: 16)")
      ->type_name("N")
      ->check(count);
  const auto share = CLI::Range(0., 1.).description("");
  command.add_option("--probability", sizes.probability, "er: of every arc, instead of --arcs")
      ->type_name("P")
      ->check(share)
      ->excludes("--arcs");
  command.add_option("--blocks", sizes.blocks, "sbm: blocks (default: 4)")
      ->type_name("N")
      ->check(count);
  command.add_option("--p-in", sizes.p_in, "sbm: arc within a block (default: 0.02)")
      ->type_name("P")
      ->check(share);
  command.add_option("--p-out", sizes.p_out, "sbm: arc between blocks (default: 0.002)")
      ->type_name("P")
      ->check(share);
  command.add_option("--exponent", sizes.exponent, "config: of the power law (default: 2.5)")
      ->type_name("X")
      ->check(count);
  command.add_option("--least-degree", sizes.least_degree, "config: (default: 1)")
      ->type_name("N")
      ->check(count);
  command.add_option("--most-degree", sizes.most_degree, "config: (default: root of nodes)")
      ->type_name("N")
      ->check(count);
  command.option_defaults()->group("Options")->always_capture_default(true);
}

}  // namespace

std::vector<std::string> generator_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) names.push_back(kind.name);
  return names;
}

Action add_generate(CLI::App& command, const Globals& globals) {
  struct Options {
    std::string kind;
    Sizes sizes;
    BuildOptions build;
    OutputFile output;
  };
  const auto options = std::make_shared<Options>();
  std::string list;
  for (const Kind& kind : kinds())
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", kind.name, kind.what);
  command.add_option("KIND", options->kind, list)->required();
  command
      .add_option("-o,--output", options->output.path, "file to write, or - for standard output")
      ->type_name("FILE")
      ->required();
  add_output_options(command, options->output);
  command.add_flag("--undirected", options->build.symmetrise, "add the reverse of every arc");
  command.add_flag("--largest-component", options->build.largest_component,
                   "keep only the largest weakly connected component");
  add_sizes(command, options->sizes);
  command.footer(
      "  mgnn generate rmat --nodes 1000000 --arcs 10000000 -o web.npz\n"
      "  mgnn generate sbm --blocks 8 --p-in 0.05 --seed 7 -o blocks.h5\n"
      "  mgnn generate karate -o - | head");
  return [options, &command, &globals] {
    const Kind& kind = kind_of(options->kind);
    check_flags(command, kind);
    check_output(options->output);
    write_output(options->output, generated(kind, options->sizes, options->build, globals.seed),
                 globals.json);
  };
}

}  // namespace mgnn
