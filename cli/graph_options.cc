#include "cli/graph_options.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>

#include "cli/notes.h"
#include "cli/option_flags.h"
#include "mgnn/base/clock.h"
#include "mgnn/base/human.h"
#include "mgnn/data/registry.h"

namespace mgnn {

Dataset GraphSource::load(const Globals& globals) const {
  Dataset dataset = load_without_notes(globals);
  tell_notes(dataset, globals);
  return dataset;
}

Dataset GraphSource::load_without_notes(const Globals& globals) const {
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
  CLI::Option* data = command.add_option(
      "DATA", source.what,
      "the name of a dataset (see mgnn datasets), a graph file, a folder, or - for standard input");
  if (source.what.empty()) data->required();
  const auto options = std::make_shared<Options>(load_options(source.options));
  add_option_flags(
      command, *options,
      [options, &source](const std::string& name, const Value& value) {
        find_option(*options, name).set(value);
        source.stated.emplace_back("data." + name, value);
      },
      [](const std::string&) { return "Data"; });
}

}  // namespace mgnn
