// The flags of every verb that resolves a training configuration.
#pragma once

#include <CLI/App.hpp>

#include "cli/verb.h"
#include "mgnn/task/config.h"

namespace mgnn {

// What was given on the command line.
struct ConfigFlags {
  std::string file;                   // -c
  Settings file_settings = {};        // instead of a file: of a run that is resumed
  Settings flags, sets;               // sets: --set
  const CLI::Option* seed = nullptr;  // the global flag

  Settings all_flags(const Globals& globals) const;  // with the seed, if given
  // Without data: the embedded dataset of the task.
  std::unique_ptr<Config> resolve(const Globals& globals) const;
};

// DATA and a flag for each data setting. `to` must outlive the parsing.
void add_data_options(CLI::App& command, ConfigFlags& to, const char* help);
// Those, --model, --task, --profile, --seeds, a flag for each training setting, -c, --set.
void add_config_options(CLI::App& command, ConfigFlags& to);

}  // namespace mgnn
