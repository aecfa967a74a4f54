// Settings found good for a model on a dataset.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/options.h"

namespace mgnn {

struct Profile {
  const char* model;    // one or several, with blanks between them; "*": any
  const char* dataset;  // likewise
  // published: the released code's; tuned: found by `mgnn search`; paper: those that the paper
  // states; fair: found by `mgnn search` with the same trials for every network
  const char* name;
  const char* settings;                 // "key=value key=value"; no blanks inside
  const char* from;                     // where they are from
  const char* task = "classification";  // of nodes or graphs; or link
  const char* base = "";                // another profile, whose settings come first
};
std::span<const Profile> profiles();
bool has_profile(std::string_view model, std::string_view dataset, std::string_view name);

// The settings of a profile; of `auto` those of the first one in the table that fits and is
// neither `paper` nor `fair`, or none.
// Throws Error (usage) if one is asked for by name that is not there.
Settings profile_settings(std::string_view model, std::string_view dataset, std::string_view name,
                          std::string_view task = "auto");

}  // namespace mgnn
