#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/graph_options.h"
#include "cli/verb.h"
#include "mgnn/data/locate.h"

namespace mgnn {
namespace {

Cell known(int64_t count) { return count ? Cell(count) : Cell(); }

std::string whereabouts(const DatasetEntry& entry, const LoadOptions& load) {
  if (entry.embedded) return "embedded";
  return dataset_folder(entry, load) ? "here" : "not here";
}

TextTable table_of(const std::vector<DatasetEntry>& entries, const LoadOptions& load) {
  TextTable table{.columns = {{"name"},
                              {"task"},
                              {"graphs", Align::right},
                              {"nodes", Align::right},
                              {"arcs", Align::right},
                              {"features", Align::right},
                              {"classes", Align::right},
                              {"where"},
                              {"what it is", Align::left, 0, "summary"}},
                  .rows = {}};
  for (const DatasetEntry& e : entries)
    table.rows.push_back({e.name, e.task, known(e.graphs), known(e.nodes), known(e.arcs),
                          known(e.features), known(e.classes), whereabouts(e, load), e.summary});
  return table;
}

void print_entry(const DatasetEntry& entry, const LoadOptions& load) {
  const auto folder = dataset_folder(entry, load);
  print(emphasised(entry.name) + ": " + entry.summary + "\n\n");
  TextTable table{.columns = {{""}, {""}}, .rows = {{"task", entry.task}}};
  if (!entry.citation.empty()) table.rows.push_back({"cite", entry.citation});
  if (!entry.embedded)
    table.rows.push_back({"folder", folder ? *folder : "not here; mgnn download " + entry.name});
  for (const RemoteFile& file : entry.files)
    table.rows.push_back({"file", file.path + (file.url.empty() ? "" : "  " + file.url)});
  print(table);
}

nlohmann::ordered_json json_of(const DatasetEntry& e, const LoadOptions& load) {
  const auto folder = dataset_folder(e, load);
  const auto known_json = [](int64_t n) { return n ? nlohmann::json(n) : nlohmann::json(); };
  return {{"name", e.name},
          {"task", e.task},
          {"summary", e.summary},
          {"citation", e.citation},
          {"where", whereabouts(e, load)},
          {"folder", folder ? nlohmann::json(*folder) : nlohmann::json()},
          {"graphs", known_json(e.graphs)},
          {"nodes", known_json(e.nodes)},
          {"arcs", known_json(e.arcs)},
          {"features", known_json(e.features)},
          {"classes", known_json(e.classes)}};
}

}  // namespace

Action add_datasets(CLI::App& command, const Globals& globals) {
  struct Flags {
    std::string name;
    bool here = false;
  };
  const auto options = std::make_shared<Flags>();
  command.add_option("NAME", options->name, "show this one in detail");
  command.add_flag("--here", options->here, "only those that are on this machine");
  command.footer("  mgnn datasets\n  mgnn datasets cora\n  mgnn datasets --here --json");
  return [options, &globals] {
    const LoadOptions load{.data_dir = globals.data_dir};
    std::vector<DatasetEntry> entries;
    for (const DatasetEntry& entry : dataset_entries())
      if (!options->here || dataset_folder(entry, load)) entries.push_back(entry);
    if (!options->name.empty()) entries = {known_entry(options->name)};
    if (globals.json) {
      nlohmann::ordered_json list = nlohmann::ordered_json::array();
      for (const DatasetEntry& entry : entries) list.push_back(json_of(entry, load));
      return print_json(nlohmann::ordered_json{{"datasets", list}});
    }
    if (!options->name.empty()) return print_entry(entries.front(), load);
    print(table_of(entries, load));
    print("\nAny set of the TU collection is known as tu:NAME. mgnn datasets NAME shows more.\n");
  };
}

}  // namespace mgnn
