#include "cli/config_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "mgnn/data/features.h"

namespace mgnn {
namespace {

std::string flag_of(const std::string& name) {
  std::string flag = "--" + name.substr(name.rfind('.') + 1);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

void add_flag(CLI::App& command, const Option& one, ConfigFlags& to) {
  const std::string flag = flag_of(one.name), name = one.name;
  if (one.type == "BOOL") {
    const std::string names = flag + ",!--no-" + flag.substr(2);
    command.add_flag_function(
        names, [&to, name](int64_t count) { to.flags.emplace_back(name, count > 0); }, one.help);
    return;
  }
  const std::string standard = text_of(one.get());
  const bool says = standard.empty() || one.help.find("default") < one.help.size();
  const std::string shown = says ? "" : fmt::format(" (default: {})", standard);
  command
      .add_option_function<std::string>(
          flag, [&to, name](const std::string& value) { to.flags.emplace_back(name, value); },
          one.help + shown)
      ->type_name(one.type);
}

// Settings with a flag of another shape, or none.
bool has_own_flag(const std::string& name) {
  return name == "data.source" || name == "data.features" || name == "seed" ||
         name.ends_with(".dimension") || name.starts_with("model.");
}

const char* group_of(const std::string& name) {
  if (name.starts_with("data.")) return "Data";
  if (name.starts_with("unsupervised.")) return "Learning without labels";
  if (name.starts_with("link.")) return "Links";
  return name.starts_with("train.") ? "Training" : "Options";
}

void add_flags(CLI::App& command, ConfigFlags& to, bool (*wanted)(const std::string&)) {
  Config defaults;
  for (const Option& one : defaults.options()) {
    if (has_own_flag(one.name) || !wanted(one.name)) continue;
    command.option_defaults()->group(group_of(one.name));
    add_flag(command, one, to);
  }
  command.option_defaults()->group("Options");
}

void add_setting(CLI::App& command, ConfigFlags& to, const char* flag, const std::string& name,
                 const char* type, const char* help) {
  command
      .add_option_function<std::string>(
          flag, [&to, name](const std::string& value) { to.flags.emplace_back(name, value); }, help)
      ->type_name(type);
}

// Columns, or the name of a maker.
void add_features_flag(CLI::App& command, ConfigFlags& to) {
  const auto keep = [&to](const std::string& value) {
    const auto& makers = feature_makers();
    const bool made = value == "own" || value == "attributes" || value == "labels" ||
                      std::find(makers.begin(), makers.end(), value) != makers.end();
    to.flags.emplace_back(made ? "data.features" : "data.feature_columns", value);
  };
  command
      .add_option_function<std::string>(
          "--features", keep,
          fmt::format(
              "columns of the node table (a,b,c), attributes or labels of the data, or made: {}",
              fmt::join(feature_makers(), ", ")))
      ->type_name("LIST|KIND")
      ->group("Data");
}

// One flag for the tasks that give vectors: no run is of two.
void add_dimension_flag(CLI::App& command, ConfigFlags& to) {
  const Config defaults;
  const auto keep = [&to](const std::string& value) {
    for (const char* task : {"unsupervised", "link"})
      to.flags.emplace_back(fmt::format("{}.dimension", task), value);
  };
  command
      .add_option_function<std::string>(
          "--dimension", keep,
          fmt::format("columns of the vectors that links or learning without labels make "
                      "(default: {} for links, else {})",
                      defaults.link.dimension, defaults.unsupervised.dimension))
      ->type_name("N");
}

}  // namespace

void add_data_options(CLI::App& command, ConfigFlags& to, const char* help) {
  add_setting(command, to, "DATA", "data.source", "DATA", help);
  add_setting(command, to, "--edges", "data.source", "FILE", "the same as DATA");
  add_setting(
      command, to, "--graphs", "data.source", "DIR",
      "a set of graphs: graphs.csv (id, label), nodes.csv (graph, id, …), edges.csv (graph, "
      "from, to)");
  add_flags(command, to, [](const std::string& name) { return name.starts_with("data."); });
  add_features_flag(command, to);
}

void add_config_options(CLI::App& command, ConfigFlags& to) {
  add_data_options(command, to, "the name of a dataset, a graph file or a folder");
  add_setting(command, to, "-m,--model", "model.name", "NAME",
              "the network (default: mgnn; --show-config lists its settings)");
  add_flags(command, to, [](const std::string& name) { return !name.starts_with("data."); });
  add_dimension_flag(command, to);
  command.add_option("-c,--config", to.file, "TOML file with any of the settings")
      ->type_name("FILE");
  command
      .add_option_function<std::vector<std::string>>(
          "--set",
          [&to](const std::vector<std::string>& given) {
            to.sets.assign(given.begin(), given.end());
          },
          "any setting, over all others; --show-config lists them")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  to.seed = command.get_parent()->get_option("--seed");
}

ConfigLayers ConfigFlags::layers(const Globals& globals, const std::string& data_default) const {
  ConfigLayers layers{{}, {}, flags, sets};
  if (!data_default.empty()) layers.file.emplace_back("data.source", data_default);
  if (!file.empty())
    for (const Setting& setting : read_config_file(file)) layers.file.push_back(setting);
  if (seed->count() > 0) layers.flags.emplace_back("seed", std::to_string(globals.seed));
  // A first look finds the model, whose settings the environment may name.
  layers.environment = environment_settings(resolve_config(layers)->options());
  return layers;
}

std::unique_ptr<Config> ConfigFlags::resolve(const Globals& globals,
                                             const std::string& data_default) const {
  std::unique_ptr<Config> config = resolve_config(layers(globals, data_default));
  if (config->data.source.empty())
    fail_usage("no data; give the name of a dataset, a graph file or a folder");
  config->data.load.data_dir = globals.data_dir;
  config->data.load.seed = config->seed;
  return config;
}

}  // namespace mgnn
