// The flags and messages of verbs that keep finished trainings in a folder.
#pragma once

#include <CLI/App.hpp>
#include <optional>

#include "cli/config_options.h"
#include "mgnn/task/trial_folder.h"

namespace mgnn {

struct TrialFlags {
  std::string folder, resume;
  bool no_folder = false;
  std::vector<const CLI::Option*> fixed = {};  // those that cannot be given with --resume

  bool resumes() const { return !resume.empty(); }
};
// --folder, --resume, --no-folder
void add_trial_flags(CLI::App& command, TrialFlags& to);

// With --resume: the folder, whose settings go into `config`. Throws Error (usage) if others are given.
std::optional<TrialFolder> folder_to_resume(const TrialFlags& flags, const std::string& verb,
                                            ConfigFlags& config, const Globals& globals);
// What every plan has: the verb, the version, the settings that were given, the data.
nlohmann::ordered_json plan_of(const std::string& verb, const ConfigFlags& config,
                               const Globals& globals, const Dataset& dataset);

// A checkpoint could not be written: a warning, see CheckpointOptions.
void warn_of_checkpoint(const std::string& sentence);

// Before data are loaded: throws Error if the folder cannot be made or has trials already.
void check_folder(const TrialFlags& flags, bool force);
// A new folder if none is resumed, unless none is wanted; else checks that the plan is the same.
void start_folder(std::optional<TrialFolder>& folder, const TrialFlags& flags,
                  const nlohmann::ordered_json& plan, const std::string& default_path, bool force);

// Throws Error (usage) on all ranks if a training on some of them would not give the same bits. Called by all.
void check_same_training(const Dataset& dataset);

// Of several ranks the first has the folder; the others put their checkpoints there, if they see it. Called
// by all ranks.
void share_folder(std::optional<TrialFolder>& folder);

// What stopped the verb, with the command that goes on.
Error with_resume_command(const Error& error, const std::optional<TrialFolder>& folder,
                          const std::string& verb);

}  // namespace mgnn
