// Names of enum values, for options, files and messages. An enum that people write or read has one
// table of names beside it:
//
//   enum class Gate { sigmoid, tanh };
//   constexpr auto enum_names(Gate) {
//     return std::to_array<Named<Gate>>({{"sigmoid", Gate::sigmoid}, {"tanh", Gate::tanh}});
//   }
#pragma once

#include <fmt/ranges.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/error.h"

namespace mgnn {

template <class E>
struct Named {
  std::string_view name;
  E value;
};

template <class E>
concept NamedEnum = requires {
  enum_names(E{});
};

template <NamedEnum E>
std::string name_of(E value) {
  for (const Named<E>& entry : enum_names(E{}))
    if (entry.value == value) return std::string(entry.name);
  return "";
}

template <NamedEnum E>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const Named<E>& entry : enum_names(E{})) names.emplace_back(entry.name);
  return names;
}

// "unknown value "mxa" of readout; did you mean max?"
[[noreturn]] void fail_choice(std::string_view what, std::string_view word,
                              const std::vector<std::string>& names);

// The value called `word`. Throws Error (usage) that says of `what` it is not a value.
template <NamedEnum E>
E parse_name(std::string_view what, std::string_view word) {
  for (const Named<E>& entry : enum_names(E{}))
    if (entry.name == word) return entry.value;
  fail_choice(what, word, names_of<E>());
}

// The entry of that name in a table; throws Error (usage) if there is none. `what`: "model".
template <class Table>
const auto& find_by_name(const Table& table, std::string_view what, std::string_view name) {
  std::vector<std::string> names;
  for (const auto& entry : table) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  fail_usage("there is no {} {}; {}", what, in_quotes(name),
             did_you_mean(name, names, fmt::format("known are {}", fmt::join(names, ", "))));
}

}  // namespace mgnn
