#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/graph_options.h"
#include "cli/verb.h"
#include "mgnn/data/locate.h"

namespace mgnn {

Action add_download(CLI::App& command, const Globals& globals) {
  struct Flags {
    std::vector<std::string> names;
    bool force = false, dry_run = false;
  };
  const auto options = std::make_shared<Flags>();
  command.add_option("NAME", options->names, "datasets to fetch, see mgnn datasets")->required();
  command.add_flag("--force", options->force, "download again and overwrite existing files");
  command.add_flag("-n,--dry-run", options->dry_run, "show what would be fetched, fetch nothing");
  command.footer("  mgnn download cora citeseer\n  mgnn download mutag --data-dir data");
  return [options, &globals] {
    const LoadOptions load{.data_dir = globals.data_dir};
    std::vector<DatasetEntry> entries;  // all names first: a wrong one stops before any download
    for (const std::string& name : options->names) entries.push_back(known_entry(name));
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const DatasetEntry& entry : entries) {
      const auto here = dataset_folder(entry, load);
      std::string folder = here.value_or("");
      std::string status = entry.embedded ? "embedded" : "here already";
      if (!entry.embedded && (!here || options->force)) {
        status = options->dry_run ? "would be fetched" : "fetched";
        folder = options->dry_run ? download_folder(entry, load)
                                  : download_dataset(entry, load, options->force);
      }
      list.push_back({{"name", entry.name}, {"status", status}, {"folder", folder}});
      if (!globals.json)
        print(fmt::format("{}: {}{}\n", entry.name, status, folder.empty() ? "" : ", " + folder));
      for (const RemoteFile& file : entry.files)
        if (options->dry_run && !globals.json && status == "would be fetched")
          print(fmt::format("  {}\n",
                            file.url.empty() ? file.path + " (no public address)" : file.url));
    }
    if (globals.json) print_json(nlohmann::ordered_json{{"datasets", list}});
  };
}

}  // namespace mgnn
