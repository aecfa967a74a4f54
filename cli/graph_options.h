// The flags of every verb that reads a graph.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/verb.h"
#include "mgnn/base/names.h"
#include "mgnn/data/load.h"
#include "mgnn/data/registry.h"

namespace mgnn {

// What to read, and how: filled by the flags that `add_graph_options` adds to a verb.
struct GraphSource {
  std::string what;
  LoadOptions options;

  // The dataset, with the global flags taken into account.
  Dataset load(const Globals& globals) const;
};

// Adds the argument DATA (required unless `source.what` has a default) and all flags that say how
// to read it. `source` must outlive the parsing.
void add_graph_options(CLI::App& command, GraphSource& source);

// The dataset of that name; throws Error (usage) with the nearest name if there is none.
DatasetEntry known_entry(const std::string& name);

// A flag with a few named values.
template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, T& value,
                        const std::vector<std::pair<std::string, T>>& choices,
                        const std::string& description) {
  const auto pick = [&value, choices, flag](const std::string& word) {
    std::vector<std::string> names;
    std::string list;
    for (const auto& [name, meaning] : choices) {
      if (name == word) {
        value = meaning;
        return;
      }
      names.push_back(name);
      list += (list.empty() ? "" : ", ") + name;
    }
    fail_usage("{}: unknown value {}; {}", flag, in_quotes(word),
               did_you_mean(word, names, "use one of " + list));
  };
  std::string list, standard;
  for (const auto& [name, meaning] : choices) {
    list += (list.empty() ? "" : "|") + name;
    if (meaning == value) standard = fmt::format(" (default: {})", name);
  }
  return command.add_option_function<std::string>(flag, pick, description + standard)
      ->type_name(list);
}

// A flag with the values of an enum.
template <NamedEnum E>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, E& value,
                        const std::string& description) {
  std::vector<std::pair<std::string, E>> choices;
  for (const Named<E>& entry : enum_names(E{})) choices.emplace_back(entry.name, entry.value);
  return add_choice<E>(command, flag, value, choices, description);
}

}  // namespace mgnn
