// Named, typed settings. One list of them serves configuration files, flags, --set, the environment,
// --help and what is stored with a run; the defaults are those of the structs that the settings
// live in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "mgnn/base/names.h"

namespace mgnn {

// The value of a setting, as TOML has it. Text from a command line is a string; every option reads
// its own type from it. Seeds above 2^63 - 1, which TOML's integers do not hold, are strings, too.
using Value = std::variant<bool, int64_t, double, std::string, std::vector<int64_t>,
                           std::vector<std::string>>;

// A name and its value, which is verbatim what follows the first = of "key=value".
struct Setting {
  std::string name;
  Value value;

  Setting(std::string key, Value given) : name(std::move(key)), value(std::move(given)) {}
  Setting(std::string_view assignment);  // throws Error (usage) if there is no =
  Setting(const char* assignment) : Setting(std::string_view(assignment)) {}
  Setting(const std::string& assignment) : Setting(std::string_view(assignment)) {}

  std::string text() const;  // key=value
  bool operator==(const Setting&) const = default;
};
using Settings = std::vector<Setting>;

// Where a search for good values looks.
struct SearchRange {
  double low = 0, high = 1;
  bool logarithmic = false;
};

// A handle to one field of a struct, which must outlive it.
struct Option {
  std::string name, help;
  std::string type;  // shown in help: N, X, BOOL, TEXT, FILE, COLUMN, "sum|mean|max"
  std::function<Value()> get = {};
  std::function<void(const Value&)> set = {};  // throws Error (usage) that names the option
  std::vector<std::string> choices = {};       // of a choice
  std::optional<SearchRange> search = {};      // of a number that is worth tuning
};
using Options = std::vector<Option>;

Option option(std::string name, bool& at, std::string help);
Option option(std::string name, int64_t& at, std::string help);  // >= 0
Option option(std::string name, uint64_t& at, std::string help);
Option option(std::string name, double& at, std::string help);       // finite
Option option(std::string name, std::string& at, std::string help);  // verbatim, valid UTF-8
Option option(std::string name, std::vector<int64_t>& at, std::string help);      // each > 0
Option option(std::string name, std::vector<std::string>& at, std::string help);  // valid UTF-8

// The option with a range for searches.
Option searched(Option option, double low, double high);
// The same on a logarithmic scale. REQUIRES: low > 0.
Option searched_in_log(Option option, double low, double high);
// The option with another type to show in help, as FILE or COLUMN.
Option shown_as(Option option, std::string type);

// A value with a text form of its own.
template <class T, class Write, class Read>
Option text_option(std::string name, T& at, std::string type, Write write, Read read,
                   std::string help);

// Which of `words` is `wanted`, without blanks around it. Throws Error (usage) that names the option.
size_t index_of_choice(const std::string& name, const std::vector<std::string>& words,
                       const std::string& wanted);

// One of a few named values.
template <class T>
Option choice(std::string name, T& at, std::vector<std::pair<std::string, T>> values,
              std::string help);
// One of the values of an enum.
template <NamedEnum E>
Option choice(std::string name, E& at, std::string help);

// The value as people write it on a command line. `words_in` is the inverse for lists: items
// between commas, blanks around them dropped; an item with commas, quotes or blanks at its ends
// stands in double quotes, with "" for a quote inside. ["a, b", "c"] as in TOML is read, too.
std::string text_of(const Value& value);
std::vector<std::string> words_in(std::string_view text, const std::string& name);

// Appends `more`, each name after `prefix`.
void append(Options& to, Options more, const std::string& prefix = "");

// The part of a name behind its last dot.
std::string last_part(std::string_view name);

// The option of that name: whole ("model.dropout"), or its last part where only one has it. Throws
// Error (usage) with the nearest name.
const Option& find_option(const Options& options, std::string_view name);

void set_option(const Options& options, const Setting& setting);

// Gives `to` the values of `from`, option by option. REQUIRES: lists of structs of the same type.
void copy_values(const Options& from, const Options& to);

template <class T, class Write, class Read>
Option text_option(std::string name, T& at, std::string type, Write write, Read read,
                   std::string help) {
  return {.name = std::move(name),
          .help = std::move(help),
          .type = std::move(type),
          .get = [&at, write] { return Value(std::string(write(at))); },
          .set = [&at, read](const Value& value) { at = read(text_of(value)); }};
}

template <class T>
Option choice(std::string name, T& at, std::vector<std::pair<std::string, T>> values,
              std::string help) {
  std::vector<std::string> words;
  for (const auto& value : values) words.push_back(value.first);
  const auto write = [values](const T& of) {
    for (const auto& [word, meaning] : values)
      if (meaning == of) return word;
    return std::string();
  };
  const auto read = [values, name, words](const std::string& wanted) -> T {
    return values[index_of_choice(name, words, wanted)].second;
  };
  Option result = text_option(std::move(name), at, fmt::format("{}", fmt::join(words, "|")), write,
                              read, std::move(help));
  result.choices = std::move(words);
  return result;
}

template <NamedEnum E>
Option choice(std::string name, E& at, std::string help) {
  std::vector<std::pair<std::string, E>> values;
  for (const Named<E>& entry : enum_names(E{})) values.emplace_back(entry.name, entry.value);
  return choice<E>(std::move(name), at, std::move(values), std::move(help));
}

}  // namespace mgnn
