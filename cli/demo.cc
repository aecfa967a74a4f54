#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/describe.h"
#include "cli/verb.h"
#include "mgnn/base/human.h"
#include "mgnn/data/load.h"
#include "mgnn/task/census_table.h"
#include "mgnn/task/config.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

// What the nodes of a class have in the mean: degrees, which are the same for all, and motifs.
struct ClassProfile {
  std::string name;
  int64_t nodes = 0;
  double out_degree = 0, in_degree = 0, cycles = 0, feed_forward_loops = 0;
};

std::vector<ClassProfile> class_profiles(const Dataset& dataset, const Census& census) {
  std::vector<ClassProfile> profiles;
  for (const std::string& name : dataset.class_names) profiles.push_back({name});
  for (NodeId u = 0; u < dataset.graph.num_nodes(); u++) {
    ClassProfile& p = profiles[dataset.label[u]];
    p.nodes++;
    p.out_degree += double(dataset.graph.out.row_size(u));
    p.in_degree += double(dataset.graph.in.row_size(u));
    p.cycles += double(census.per_node[u][1 - 1]);
    p.feed_forward_loops += double(census.per_node[u][5 - 1]);
  }
  for (ClassProfile& p : profiles)
    for (double* sum : {&p.out_degree, &p.in_degree, &p.cycles, &p.feed_forward_loops})
      *sum /= double(std::max<int64_t>(p.nodes, 1));
  return profiles;
}

TextTable table_of(const std::vector<ClassProfile>& profiles) {
  TextTable table{{{"class"},
                   {"nodes", Align::right},
                   {"out-degree", Align::decimal},
                   {"in-degree", Align::decimal},
                   {"M1 cycles", Align::decimal},
                   {"M5 feed-forward loops", Align::decimal}},
                  {}};
  for (const ClassProfile& p : profiles)
    table.rows.push_back(
        {p.name, p.nodes, p.out_degree, p.in_degree, p.cycles, p.feed_forward_loops});
  return table;
}

// MGNN, and GCN, which sees the same arcs but no motifs.
struct DemoNetwork {
  std::string model, name;
  Result result;
};
std::vector<DemoNetwork> trained_networks(const Dataset& dataset, uint64_t seed) {
  std::vector<DemoNetwork> networks = {{"mgnn", "MGNN: motifs", {}},
                                       {"gcn", "GCN: neighbours only", {}}};
  for (DemoNetwork& network : networks) {
    ConfigLayers layers;
    layers.flags = {"data.source=roles", "model.name=" + network.model, "train.epochs=150",
                    "train.patience=50", fmt::format("seed={}", seed)};
    const std::unique_ptr<Config> config = resolve_config(std::move(layers));
    network.result = run_task(*config, dataset, {.label = network.model});
  }
  return networks;
}

TextTable table_of(const std::vector<DemoNetwork>& networks) {
  TextTable table{{{"model"},
                   {"validation accuracy", Align::decimal, 3},
                   {"test accuracy", Align::decimal, 3},
                   {"epochs", Align::right},
                   {"time", Align::right}},
                  {}};
  for (const DemoNetwork& network : networks)
    table.rows.push_back({network.name, network.result.validation().mean,
                          network.result.test().mean, network.result.epochs(),
                          human_seconds(network.result.seconds_total)});
  return table;
}

Json json_of(const Dataset& dataset, const Census& counts,
             const std::vector<ClassProfile>& profiles, const std::vector<DemoNetwork>& networks) {
  Json motifs, classes = Json::array();
  for (const Motif& m : all_motifs()) motifs[motif_label(m.number)] = counts.total[m.number - 1];
  for (const ClassProfile& p : profiles)
    classes.push_back({{"class", p.name},
                       {"nodes", p.nodes},
                       {"out_degree", p.out_degree},
                       {"in_degree", p.in_degree},
                       {"M1", p.cycles},
                       {"M5", p.feed_forward_loops}});
  Json models;
  for (const DemoNetwork& network : networks)
    models[network.model] = {{"validation", network.result.validation().mean},
                             {"test", network.result.test().mean},
                             {"epochs", network.result.epochs()},
                             {"seconds", network.result.seconds_total}};
  return {{"dataset", dataset.name},
          {"nodes", dataset.graph.num_nodes()},
          {"arcs", dataset.graph.num_arcs()},
          {"counting", name_of(counts.counting)},
          {"motifs", motifs},
          {"classes", classes},
          {"models", models}};
}

}  // namespace

Action add_demo(CLI::App& command, const Globals& globals) {
  command.footer("  mgnn demo\n  mgnn demo --json");
  return [&globals] {
    const Dataset dataset = load_dataset("roles", {.seed = globals.seed});
    const Census counts = census(dataset.graph, {.per_node = true});
    const std::vector<ClassProfile> profiles = class_profiles(dataset, counts);
    if (globals.json)
      return print_json(
          json_of(dataset, counts, profiles, trained_networks(dataset, globals.seed)));
    print(emphasised("1. A directed graph whose nodes have roles\n\n"));
    print_dataset(dataset, summarise(dataset.graph));
    print(emphasised("\n2. Its motifs, next to 20 random graphs of the same degrees\n\n"));
    print(census_table(counts, null_model(counts.total, counts.counting, 20,
                                          rewiring_null(dataset.graph, Rng(globals.seed)))));
    print(emphasised("\n3. Degrees do not depend on a node's class; motif counts do (means)\n\n"));
    print(table_of(profiles));
    print(emphasised("\n4. So a network with motifs learns the roles, and one without cannot\n\n"));
    print(table_of(trained_networks(dataset, globals.seed)));
    print(
        "\nNext: mgnn train cora, mgnn train --edges e.csv --nodes n.csv --label-column type, "
        "mgnn census YOUR_EDGES.txt, mgnn help\n");
  };
}

}  // namespace mgnn
