// The tool's help, and what it says when it is called wrongly.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace mgnn {

// Usage, description, flags by group with their defaults, examples; of a verb also the global
// flags.
std::string help_text(const CLI::App& app);

// The manual page in roff, of all verbs.
std::string manual_page(const CLI::App& root);

// One sentence that says what is wrong with the arguments and, where one looks alike, what was
// meant. `root` is the app whose parsing threw `error`.
std::string usage_error(const CLI::App& root, const CLI::ParseError& error);

// The arguments of main, last first as CLI11 takes them. "--flag=" becomes "--flag" and "", since
// CLI11 would take the next argument as its value.
std::vector<std::string> reversed_arguments(int argc, const char* const* argv);

// What an option is called in help and completion: "-o", "--output".
std::vector<std::string> flag_names(const CLI::Option& option);
// Every visible flag of `app`, and its parents' where it is a verb.
std::vector<const CLI::Option*> all_flags(const CLI::App& app);
const CLI::App* find_verb(const CLI::App& root, const std::string& name);  // or nullptr
std::vector<std::string> verb_names(const CLI::App& root);

}  // namespace mgnn
