#include "cli/graph_options.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>

#include "mgnn/base/clock.h"
#include "mgnn/base/human.h"
#include "mgnn/data/registry.h"

namespace mgnn {

Dataset GraphSource::load(const Globals& globals) const {
  LoadOptions full = options;
  full.data_dir = globals.data_dir;
  full.seed = globals.seed;
  const Stopwatch watch;
  Dataset dataset = load_dataset(what, full);
  spdlog::info("read {}: {} nodes, {} arcs in {}", what, human_count(dataset.graph.num_nodes()),
               human_count(dataset.graph.num_arcs()), human_seconds(watch.seconds()));
  return dataset;
}

DatasetEntry known_entry(const std::string& name) {
  if (const auto entry = find_dataset_entry(name)) return *entry;
  std::vector<std::string> names;
  for (const DatasetEntry& entry : dataset_entries()) names.push_back(entry.name);
  fail_usage("unknown dataset {}; {}", in_quotes(name),
             did_you_mean(name, names, "mgnn datasets lists those known"));
}

void add_graph_options(CLI::App& command, GraphSource& source) {
  LoadOptions& load = source.options;
  EdgeListOptions& list = load.edge_list;
  CLI::Option* data = command.add_option(
      "DATA", source.what,
      "the name of a dataset (see mgnn datasets), a graph file, a folder, or - for standard input");
  if (source.what.empty()) data->required();

  command.add_flag("--undirected", load.undirected, "add the reverse of every arc");
  command.add_flag("--largest-component", load.largest_component,
                   "keep only the largest weakly connected component");
  command.add_flag("!--no-download", load.download, "do not fetch a dataset that is not here");

  command.option_defaults()->group("Edge lists");
  add_choice(command, "--separator", list.separator, "what stands between columns");
  add_choice(command, "--ids", list.ids, "what node ids are");
  add_choice(command, "--header", list.header, "whether the first line names the columns");
  command.add_flag("--trim", list.trim, "drop blanks around ids");
  const auto column = [&](const char* flag, std::string& value, const char* text) {
    command.add_option(flag, value, text)->type_name("COLUMN");
  };
  column("--from-column", list.from_column, "arcs begin here: a column's name or number");
  column("--to-column", list.to_column, "arcs end here");
  column("--relation-column", list.relation_column, "type of the arc");
  column("--weight-column", list.weight_column, "weight of the arc");

  command.option_defaults()->group("Node tables");
  command.add_option("--nodes", load.nodes, "CSV or TSV with a header, joined to the graph by id")
      ->type_name("FILE");
  column("--id-column", load.id_column, "id in the node table (default: id)");
  column("--label-column", load.label_column, "class (default: label)");
  column("--type-column", load.type_column, "node type (default: type)");
  column("--split-column", load.split_column, "train, validation or test (default: split)");
  column("--target-column", load.target_column,
         "numbers to predict, of nodes or graphs (default: target)");
  command
      .add_option("--feature-columns", load.feature_columns,
                  "features (default: all other numeric columns)")
      ->type_name("A,B,…")
      ->delimiter(',');
  command.option_defaults()->group("Options");
}

}  // namespace mgnn
