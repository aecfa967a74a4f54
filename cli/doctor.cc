#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/verb.h"
#include "cli/version.h"
#include "mgnn/base/error.h"
#include "mgnn/base/file.h"
#include "mgnn/base/folder.h"
#include "mgnn/base/human.h"
#include "mgnn/base/memory.h"
#include "mgnn/comm/launch.h"
#include "mgnn/data/load.h"
#include "mgnn/data/locate.h"

namespace mgnn {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

// The first line of `path` that begins with `key`, behind its colon.
std::string system_line(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key) && line.find(':') != std::string::npos) {
      line.erase(0, line.find(':') + 1);
      line.erase(0, line.find_first_not_of(" \t"));
      return line;
    }
  return "unknown";
}

// What is to be known of a folder of datasets: nothing, if all is well.
std::string state_of(const std::string& folder, bool is_cache) {
  try {
    if (!is_directory(folder) && !is_cache) return ", not there";
    if (is_cache) check_folder_writable(folder);
    return is_directory(folder) ? "" : ", will be made";
  } catch (const Error& error) {
    return fmt::format(", not usable: {}", error.what());
  }
}

// "22 GiB by the system, 3.9 GiB by cgroup /jobs/7"
std::string limits_text() {
  std::string text;
  for (const MemoryLimit& limit : memory_limits())
    text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", human_bytes(limit.available),
                        limit.source);
  return text.empty() ? "none" : text;
}

Facts machine_facts() {
  const int64_t page = sysconf(_SC_PAGESIZE);
  const MemoryLimit limit = tightest_memory_limit();
  return {{"processor", system_line("/proc/cpuinfo", "model name")},
          {"cores", fmt::format("{}", std::thread::hardware_concurrency())},
          {"memory", fmt::format("{}, {} available by {}",
                                 human_bytes(int64_t(sysconf(_SC_PHYS_PAGES)) * page),
                                 human_bytes(limit.available), limit.source)},
          {"memory limits", limits_text()},
          {"MPI", mpi_version()}};
}

Facts data_facts(const Globals& globals) {
  const LoadOptions load{.data_dir = globals.data_dir};
  Facts facts;
  const std::vector<std::string> folders = data_folders(load);
  for (size_t i = 0; i < folders.size(); i++) {
    const bool cache = i + 1 == folders.size();
    facts.push_back({cache ? "cache" : "data folder", folders[i] + state_of(folders[i], cache)});
  }
  std::string here, missing;
  for (const DatasetEntry& entry : dataset_entries()) {
    std::string& list = dataset_folder(entry, load) ? here : missing;
    list += (list.empty() ? "" : ", ") + entry.name;
  }
  facts.push_back({"datasets here", here});
  facts.push_back({"not here", missing.empty() ? "none" : missing});
  return facts;
}

}  // namespace

Action add_doctor(CLI::App& command, const Globals& globals) {
  command.footer("  mgnn doctor\n  mgnn doctor --json");
  return [&globals] {
    const std::pair<const char*, Facts> parts[] = {
        {"build", build_facts()}, {"machine", machine_facts()}, {"data", data_facts(globals)}};
    nlohmann::ordered_json json;
    TextTable table{.columns = {{""}, {""}}, .rows = {}};
    for (const auto& [part, facts] : parts)
      for (const auto& [what, value] : facts) {
        json[part][what] = value;
        table.rows.push_back({what, value});
      }
    return globals.json ? print_json(json) : print(table);
  };
}

}  // namespace mgnn
