#include "mgnn/task/profiles.h"

#include <algorithm>

#include "mgnn/base/toml.h"

namespace mgnn {

extern const std::string_view kProfilesToml;  // made of profiles.toml by CMake

namespace {

constexpr std::string_view kSettings = "settings.";

Profile profile_in(const Settings& table) {
  Profile profile;
  const Options fields = {
      option("name", profile.name, ""),         option("models", profile.models, ""),
      option("datasets", profile.datasets, ""), option("task", profile.task, ""),
      option("base", profile.base, ""),         option("from", profile.from, "")};
  for (const Setting& setting : table)
    if (setting.name.starts_with(kSettings))
      profile.settings.emplace_back(setting.name.substr(kSettings.size()), setting.value);
    else
      set_option(fields, setting);
  return profile;
}

bool lists(const std::vector<std::string>& names, std::string_view name) {
  return names[0] == "*" || std::find(names.begin(), names.end(), name) != names.end();
}

bool fits(const Profile& profile, std::string_view model, std::string_view dataset,
          std::string_view task) {
  return lists(profile.models, model) && lists(profile.datasets, dataset) && profile.task == task;
}

// Thousands of epochs, and settings for comparisons, are for those who ask for them.
bool is_default(const Profile& profile) {
  return profile.name != "paper" && profile.name != "fair";
}

}  // namespace

std::span<const Profile> profiles() {
  static const std::vector<Profile> table = [] {
    std::vector<Profile> entries;
    for (const Settings& fields : parse_toml_tables(kProfilesToml, "profiles.toml", "profile"))
      entries.push_back(profile_in(fields));
    return entries;
  }();
  return table;
}

bool has_profile(std::string_view model, std::string_view dataset, std::string_view name) {
  return std::any_of(profiles().begin(), profiles().end(), [&](const Profile& profile) {
    return fits(profile, model, dataset, "classification") && name == profile.name;
  });
}

Settings profile_settings(std::string_view model, std::string_view dataset, std::string_view name,
                          std::string_view task) {
  if (name == "none") return {};
  std::vector<std::string> names = {"auto", "none"};
  for (const Profile& profile : profiles()) {
    if (!fits(profile, model, dataset, task)) continue;
    names.push_back(profile.name);
    if (name != profile.name && (name != "auto" || !is_default(profile))) continue;
    Settings settings;
    if (!profile.base.empty()) settings = profile_settings(model, dataset, profile.base, task);
    settings.insert(settings.end(), profile.settings.begin(), profile.settings.end());
    return settings;
  }
  if (name == "auto") return {};
  fail_usage("there is no profile {} of {} for {}; {}", in_quotes(name), model, in_quotes(dataset),
             did_you_mean(name, names, fmt::format("there are {}", fmt::join(names, ", "))));
}

std::vector<const Option*> options_like(const Options& options, std::string_view pattern) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return {&find_option(options, pattern)};
  const std::string_view begin = pattern.substr(0, star), end = pattern.substr(star + 1);
  std::vector<const Option*> matches;
  for (const Option& option : options)
    if (option.name.starts_with(begin) && option.name.ends_with(end)) matches.push_back(&option);
  return matches;
}

}  // namespace mgnn
