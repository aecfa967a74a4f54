// Flags from a list of options: the one place that turns settings into flags.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <functional>

#include "mgnn/base/options.h"

namespace mgnn {

// "train.learning_rate" -> "--learning-rate"
std::string flag_of(std::string_view option);

// Adds a flag for each option, with its help, type and default; options with the same last part
// share one. `set` is called with the option's name (of shared flags its last part) and what was
// given, verbatim; it must outlive the parsing. `group_of`: the heading in the help, of shared flags
// those of all.
using SetOption = std::function<void(const std::string& name, const Value& value)>;
void add_option_flags(CLI::App& command, const Options& options, const SetOption& set,
                      const std::function<std::string(const std::string& name)>& group_of);

// One flag, "-s,--seed", or an argument, "SHELL", for an option of its own.
CLI::Option* add_option_flag(CLI::App& command, const std::string& flag, const Option& option);

// For a whole number that CLI11 converts: 010 is ten, as in settings, not eight; 0x10 and 1_000 are
// refused.
CLI::Validator decimal();

// --set KEY=VALUE, as often as needed. `sets` must outlive the parsing.
void add_set_flag(CLI::App& command, Settings& sets, const std::string& help);

}  // namespace mgnn
