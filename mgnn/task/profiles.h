// Settings found good for a model on a dataset.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mgnn {

struct Profile {
  const char* model;
  const char* dataset;   // "*": any
  const char* name;      // published: the released code's; tuned: found by `mgnn search`
  const char* settings;  // "key=value key=value"; no blanks inside
  const char* from;      // where they are from
};
std::span<const Profile> profiles();

// The settings of a profile; of `auto` those of the first one in the table that fits, or none.
// Throws Error (usage) if one is asked for by name that is not there.
std::vector<std::string> profile_settings(std::string_view model, std::string_view dataset,
                                          std::string_view name);

}  // namespace mgnn
