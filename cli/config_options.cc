#include "cli/config_options.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/option_flags.h"
#include "mgnn/data/features.h"
#include "mgnn/task/tasks.h"

namespace mgnn {
namespace {

// Settings with a flag of another shape, or none.
bool has_own_flag(const std::string& name) {
  return name == "data.source" || name == "data.features" || name == "seed" ||
         name.starts_with("model.");
}

std::string group_of(const std::string& name) {
  if (name.starts_with("data.")) return "Data";
  if (name.starts_with("train.")) return "Training";
  for (const TaskEntry& entry : tasks())
    if (name.starts_with(entry.name + ".")) {
      std::string title = entry.title;
      title[0] = char(std::toupper(static_cast<unsigned char>(title[0])));
      return title;
    }
  return "Options";
}

void add_flags(CLI::App& command, ConfigFlags& to, bool (*wanted)(const std::string&)) {
  const std::unique_ptr<Config> defaults = resolve_config({});
  Options options;
  for (Option& option : defaults->options())
    if (!has_own_flag(option.name) && wanted(option.name)) options.push_back(std::move(option));
  add_option_flags(
      command, options,
      [&to](const std::string& name, const Value& value) { to.flags.emplace_back(name, value); },
      group_of);
}

void add_setting(CLI::App& command, ConfigFlags& to, const char* flag, const std::string& name,
                 const char* type, const std::string& help) {
  command
      .add_option_function<std::string>(
          flag, [&to, name](const std::string& value) { to.flags.emplace_back(name, value); }, help)
      ->type_name(type);
}

// Columns, or how features are made.
void add_features_flag(CLI::App& command, ConfigFlags& to) {
  const auto keep = [&to](const std::string& value) {
    const std::vector<std::string> makers = feature_maker_names();
    const bool made = value == "own" || value == "attributes" || value == "labels" ||
                      std::find(makers.begin(), makers.end(), value) != makers.end();
    to.flags.emplace_back(made ? "data.features" : "data.feature_columns", value);
  };
  command
      .add_option_function<std::string>(
          "--features", keep,
          fmt::format(
              "columns of the node table (a,b,c), attributes or labels of the data, or generated: "
              "{}",
              fmt::join(feature_maker_names(), ", ")))
      ->type_name("LIST|KIND")
      ->group("Data");
}

}  // namespace

void add_data_options(CLI::App& command, ConfigFlags& to, const char* help) {
  add_setting(command, to, "DATA", "data.source", "DATA", help);
  add_setting(command, to, "--edges", "data.source", "FILE", "edge list; the same as DATA");
  add_setting(
      command, to, "--graphs", "data.source", "DIR",
      "folder with a set of graphs; the same as DATA: graphs.csv (id, label), nodes.csv (graph, "
      "id, …), edges.csv (graph, from, to)");
  add_flags(command, to, [](const std::string& name) { return name.starts_with("data."); });
  add_features_flag(command, to);
}

void add_config_options(CLI::App& command, ConfigFlags& to) {
  add_data_options(
      command, to,
      "the name of a dataset (see mgnn datasets), a graph file or a folder (default: a "
      "small embedded dataset)");
  std::vector<std::string> networks;
  for (const Method& method : methods()) networks.emplace_back(method.name);
  add_setting(command, to, "-m,--model", "model.name", "NAME",
              fmt::format("network: {} (default: mgnn)", fmt::join(networks, ", ")));
  add_flags(command, to, [](const std::string& name) { return !name.starts_with("data."); });
  command
      .add_option("-c,--config", to.file, "TOML file with settings, as --show-config prints them")
      ->type_name("FILE");
  add_set_flag(
      command, to.sets,
      "change a setting, also of the network (dropout=0.3); may be repeated; --show-config "
      "lists all");
  to.seed = command.get_parent()->get_option("--seed");
}

Settings ConfigFlags::all_flags(const Globals& globals) const {
  Settings all = flags;
  if (seed && seed->count() > 0) all.emplace_back("seed", std::to_string(globals.seed));
  return all;
}

std::unique_ptr<Config> ConfigFlags::resolve(const Globals& globals) const {
  ConfigLayers layers{.file = file.empty() ? file_settings : read_config_file(file),
                      .flags = all_flags(globals),
                      .sets = sets,
                      .read_environment = true};
  std::unique_ptr<Config> config = resolve_config(std::move(layers));
  if (config->source.empty()) {
    const bool named = config->task_name != "auto";
    config->source = (named ? config->entry() : tasks()[0]).default_data;
    config->layers.file.emplace_back("data.source", config->source);
  }
  if (config->source.empty())
    fail_usage("no data; give the name of a dataset, a graph file or a folder");
  config->load.data_dir = globals.data_dir;
  config->load.seed = config->run.seed;
  return config;
}

}  // namespace mgnn
