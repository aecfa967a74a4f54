#include "cli/trial_flags.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/ranks.h"
#include "mgnn/base/cpu.h"
#include "mgnn/base/folder.h"
#include "mgnn/data/fingerprint.h"

namespace mgnn {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Settings& settings) {
  Json texts = Json::array();
  for (const Setting& setting : settings) texts.push_back(setting.text());
  return texts;
}

Settings settings_in(const TrialFolder& folder, const char* layer) {
  Settings settings;
  try {
    for (const Json& text : folder.plan().at(layer)) settings.emplace_back(text.get<std::string>());
  } catch (const nlohmann::json::exception&) {
    fail_data("{}/plan.json: has no list {}", folder.path(), layer);
  }
  return settings;
}

[[noreturn]] void refuse_others(const TrialFlags& flags) {
  fail_usage("--resume goes on with the settings of {}; give no others", flags.resume);
}

// The first rank has the folder.
TrialFolder open_or_join(const std::string& path) {
  if (ranks().rank() == 0) return TrialFolder::open(path);
  if (auto folder = TrialFolder::join(path)) return std::move(*folder);
  fail_data("{}: rank {} does not see it; it must be in a file system that all ranks share", path,
            ranks().rank());
}

}  // namespace

void add_trial_flags(CLI::App& command, TrialFlags& to) {
  CLI::Option* folder =
      command
          .add_option("--folder", to.folder,
                      "folder for finished trainings (default: a new one in runs/)")
          ->type_name("DIR");
  command.add_option("--resume", to.resume, "continue what was interrupted")
      ->type_name("DIR")
      ->excludes(folder);
  command.add_flag("--no-folder", to.no_folder, "keep nothing, only print the result")
      ->excludes(folder);
}

std::optional<TrialFolder> folder_to_resume(const TrialFlags& flags, const std::string& verb,
                                            ConfigFlags& config, const Globals& globals) {
  if (!flags.resumes()) return {};
  bool given =
      !config.flags.empty() || !config.sets.empty() || !config.file.empty() || flags.no_folder;
  for (const CLI::Option* option : flags.fixed) given |= option->count() > 0;
  if (given) refuse_others(flags);
  TrialFolder folder = open_or_join(flags.resume);
  const std::string begun = folder.plan().value("verb", "");
  if (begun != verb)
    fail_usage("{}: was begun by mgnn {}; use mgnn {} --resume", flags.resume, begun, begun);
  config.file_settings = settings_in(folder, "file");
  config.flags = settings_in(folder, "flags");
  config.sets = settings_in(folder, "sets");
  // A seed may also come from the environment: the same one is no contradiction.
  const Setting seed("seed", std::to_string(globals.seed));
  if (config.seed && config.seed->count() > 0 &&
      std::find(config.flags.begin(), config.flags.end(), seed) == config.flags.end())
    refuse_others(flags);
  config.seed = nullptr;
  return folder;
}

Json plan_of(const std::string& verb, const ConfigFlags& config, const Globals& globals,
             const Dataset& dataset) {
  const Settings file = config.file.empty() ? config.file_settings : read_config_file(config.file);
  return {{"verb", verb},
          {"version", MGNN_VERSION},
          {"file", json_of(file)},
          {"flags", json_of(config.all_flags(globals))},
          {"sets", json_of(config.sets)},
          {"instruction_set", name_of(instruction_set())},
          {"data", fingerprint_for_training(dataset)}};
}

void warn_of_checkpoint(const std::string& sentence) {
  spdlog::warn("{}; the training goes on, and the next checkpoint is tried again", sentence);
}

void check_folder(const TrialFlags& flags, bool force) {
  if (ranks().rank() > 0) return;
  if (flags.resumes() || flags.no_folder) return;
  if (flags.folder.empty()) return check_folder_writable("runs");
  TrialFolder::check(flags.folder, force);
}

void start_folder(std::optional<TrialFolder>& folder, const TrialFlags& flags, const Json& plan,
                  const std::string& default_path, bool force) {
  if (folder) {
    folder->warn = warn_of_checkpoint;
    folder->check_plan(plan);
    if (const std::string note = folder->note(); !note.empty()) spdlog::warn("{}", note);
    return;
  }
  if (flags.no_folder || ranks().rank() > 0) return;
  folder = TrialFolder::create(flags.folder.empty() ? make_new_folder(default_path) : flags.folder,
                               plan, force);
  folder->warn = warn_of_checkpoint;
}

void check_same_training(const Dataset& dataset) {
  if (ranks().size() == 1) return;
  check_same(ranks(), "the data", fingerprint_for_training(dataset));
  check_same(ranks(), "the instruction set (set MGNN_ISA)",
             std::string(name_of(instruction_set())));
}

void share_folder(std::optional<TrialFolder>& folder) {
  const std::string path = broadcast_text(ranks(), folder ? folder->path() : "");
  if (ranks().rank() > 0 && !folder && !path.empty()) folder = TrialFolder::join(path);
}

Error with_resume_command(const Error& error, const std::optional<TrialFolder>& folder,
                          const std::string& verb) {
  if (!folder || error.kind() != ErrorKind::interrupted) return error;
  return Error(error.kind(), fmt::format("interrupted; mgnn {} --resume {} goes on from here", verb,
                                         shell_quoted(folder->path())));
}

}  // namespace mgnn
