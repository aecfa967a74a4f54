#include "cli/option_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace mgnn {
namespace {

// " (default: 16 for link, 32 for unsupervised)", or nothing where the help says it.
std::string shown_default(const std::vector<const Option*>& shared) {
  const std::string& help = shared[0]->help;
  std::vector<std::string> values;
  for (const Option* option : shared) values.push_back(text_of(option->get()));
  if (help.find("default") != std::string::npos || values[0].empty()) return "";
  if (std::all_of(values.begin(), values.end(), [&](const auto& v) { return v == values[0]; }))
    return fmt::format(" (default: {})", values[0]);
  for (size_t i = 0; i < shared.size(); i++)
    values[i] += " for " + shared[i]->name.substr(0, shared[i]->name.find('.'));
  return fmt::format(" (default: {})", fmt::join(values, ", "));
}

void add_flag(CLI::App& command, const std::vector<const Option*>& shared, const SetOption& set) {
  const Option& option = *shared[0];
  const std::string flag = flag_of(option.name);
  const std::string name = shared.size() > 1 ? last_part(option.name) : option.name;
  if (option.type == "BOOL") {
    command.add_flag_function(
        flag + ",!--no-" + flag.substr(2), [set, name](int64_t count) { set(name, count > 0); },
        option.help);
    return;
  }
  command
      .add_option_function<std::string>(
          flag, [set, name](const std::string& value) { set(name, value); },
          option.help + shown_default(shared))
      ->type_name(option.type);
}

}  // namespace

std::string flag_of(std::string_view option) {
  std::string flag = "--" + last_part(option);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

void add_option_flags(CLI::App& command, const Options& options, const SetOption& set,
                      const std::function<std::string(const std::string& name)>& group_of) {
  std::vector<std::string> done;
  for (const Option& option : options) {
    const std::string name = last_part(option.name);
    if (std::find(done.begin(), done.end(), name) != done.end()) continue;
    done.push_back(name);
    std::vector<const Option*> shared;
    for (const Option& other : options)
      if (last_part(other.name) == name) shared.push_back(&other);
    command.option_defaults()->group(group_of(option.name));
    add_flag(command, shared, set);
  }
  command.option_defaults()->group("Options");
}

}  // namespace mgnn
