#include "cli/option_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace mgnn {
namespace {

// " (default: 16 for link, 32 for unsupervised)", or nothing where the help says it or the option
// is off.
std::string shown_default(const std::vector<const Option*>& shared) {
  const std::string& help = shared[0]->help;
  std::vector<std::string> values;
  for (const Option* option : shared) values.push_back(text_of(option->get()));
  if (help.find("default") != std::string::npos || values[0].empty() || values[0] == "false")
    return "";
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
  const std::string help = option.help + shown_default(shared);
  const auto set_text = [set, name](const std::string& value) { set(name, value); };
  if (option.type == "BOOL")
    command.add_flag(flag + ",!--no-" + flag.substr(2), help)
        ->each(set_text)  // given twice, the last one is set last
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  else
    command.add_option_function<std::string>(flag, set_text, help)->type_name(option.type);
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
    std::vector<std::string> groups;
    for (const Option& other : options) {
      if (last_part(other.name) != name) continue;
      shared.push_back(&other);
      const std::string group = group_of(other.name);
      if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
    }
    command.option_defaults()->group(fmt::format("{}", fmt::join(groups, ", ")));
    add_flag(command, shared, set);
  }
  command.option_defaults()->group("Options");
}

CLI::Option* add_option_flag(CLI::App& command, const std::string& flag, const Option& option) {
  return command
      .add_option_function<std::string>(flag, option.set, option.help + shown_default({&option}))
      ->type_name(option.type);
}

CLI::Validator decimal() {
  const auto normalise = [](std::string& text) -> std::string {
    const size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
    const bool digits =
        text.size() > sign && std::all_of(text.begin() + std::ptrdiff_t(sign), text.end(),
                                          [](unsigned char c) { return std::isdigit(c); });
    if (!digits) return fmt::format("{} is not a whole number", in_quotes(text));
    text.erase(sign, std::min(text.find_first_not_of('0', sign), text.size() - 1) - sign);
    return "";
  };
  return CLI::Validator(normalise, "");
}

void add_set_flag(CLI::App& command, Settings& sets, const std::string& help) {
  command
      .add_option_function<std::vector<std::string>>(
          "--set",
          [&sets](const std::vector<std::string>& given) {
            sets.assign(given.begin(), given.end());
          },
          help)
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

}  // namespace mgnn
