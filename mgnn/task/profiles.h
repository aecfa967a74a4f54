// Settings recorded for a model on a dataset: the table is task/profiles.toml, compiled in.
#pragma once

#include <span>

#include "mgnn/base/options.h"

namespace mgnn {

struct Profile {
  std::string name;
  std::vector<std::string> models, datasets;  // "*": any
  std::string task = "classification";        // the kind of tasks it is for: TaskEntry::profiles
  std::string base = {};                      // another profile, whose settings come first
  std::string from = {};                      // where the settings are from
  Settings settings = {};                     // a * in a name is any text
};
std::span<const Profile> profiles();
bool has_profile(std::string_view model, std::string_view dataset, std::string_view name);

// The settings of a profile; of `auto` those of the first one in the table that fits and is
// neither `paper` nor `fair`, or none.
// Throws Error (usage) if one is asked for by name that is not there.
Settings profile_settings(std::string_view model, std::string_view dataset, std::string_view name,
                          std::string_view task = "classification");

// The options that a name with or without * means; none is an error (usage) only without.
std::vector<const Option*> options_like(const Options& options, std::string_view pattern);

}  // namespace mgnn
