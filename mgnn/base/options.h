// Named, typed settings. One list of them serves configuration files, --set, --help and what is
// stored with a run; the defaults are those of the structs that the settings live in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mgnn/base/error.h"

namespace mgnn {

// Where a search for good values looks.
struct SearchRange {
  double low = 0, high = 1;
  bool logarithmic = false;
};

// A handle to one field of a struct, which must outlive it.
struct Option {
  std::string name, help;
  std::string type;                           // shown in help: "N", "P", "sum|mean|max"
  std::function<std::string()> text;          // the value as TOML: 0.5, true, "sum", [16, 3]
  std::function<void(std::string_view)> set;  // from TOML or bare words; throws Error (usage)
  std::vector<std::string> choices = {};      // of a choice
  std::optional<SearchRange> search = {};     // of a number that is worth tuning
};
using Options = std::vector<Option>;

Option option(std::string name, bool& at, std::string help);
Option option(std::string name, int64_t& at, std::string help);  // >= 0
Option option(std::string name, double& at, std::string help);   // finite
Option option(std::string name, std::string& at, std::string help);
Option option(std::string name, std::vector<int64_t>& at, std::string help);  // each > 0
Option option(std::string name, std::vector<std::string>& at, std::string help);

// The option with a range for searches.
Option searched(Option option, double low, double high, bool logarithmic = false);

// "unknown value "mxa" of dropout; did you mean max?"
[[noreturn]] void fail_choice(const std::string& name, std::string_view word,
                              const std::vector<std::string>& known);

std::string toml_quoted(std::string_view text);
std::string toml_unquoted(std::string_view text);  // bare words stay as they are

// One of a few named values.
template <class T>
Option choice(std::string name, T& at, std::vector<std::pair<std::string, T>> values,
              std::string help) {
  Option made{name, std::move(help), "", nullptr, nullptr};
  for (const auto& value : values) {
    made.type += (made.type.empty() ? "" : "|") + value.first;
    made.choices.push_back(value.first);
  }
  made.text = [&at, values] {
    for (const auto& [word, meaning] : values)
      if (meaning == at) return toml_quoted(word);
    return toml_quoted("");
  };
  made.set = [&at, values, name, known = made.choices](std::string_view text) {
    const std::string wanted = toml_unquoted(text);
    for (const auto& [word, meaning] : values)
      if (word == wanted) {
        at = meaning;
        return;
      }
    fail_choice(name, wanted, known);
  };
  return made;
}

// A value with a text form of its own.
template <class T, class Write, class Read>
Option written(std::string name, T& at, std::string type, Write write, Read read,
               std::string help) {
  return {std::move(name), std::move(help), std::move(type),
          [&at, write] { return toml_quoted(write(at)); },
          [&at, read](std::string_view text) { at = read(toml_unquoted(text)); }};
}

// Appends `more`, each name after `prefix`.
void append(Options& to, Options more, const std::string& prefix = "");

// The option of that name: whole ("model.dropout"), or its last part where only one has it. Throws
// Error (usage) with the nearest name.
const Option& find_option(const Options& options, std::string_view name);

// "key=value"; throws Error (usage).
void set_option(const Options& options, std::string_view assignment);

}  // namespace mgnn
