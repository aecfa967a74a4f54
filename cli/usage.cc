#include "cli/usage.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "mgnn/base/error.h"

namespace mgnn {
namespace {

const CLI::App* root_of(const CLI::App& app) { return app.get_parent() ? app.get_parent() : &app; }

bool is_flag(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : all_flags(app))
    for (const std::string& name : flag_names(*option))
      if (name.size() > 2) names.push_back(name);
  return names;
}

std::string unknown_word(const CLI::App& root, const CLI::App* verb, const std::string& word) {
  const std::string flag = word.substr(0, word.find('='));
  const std::string see = verb ? " help " + verb->get_name() : " help";
  if (is_flag(word)) {
    const std::string hint = suggestion(flag, flags_of(verb ? *verb : root));
    return fmt::format("unknown flag {}{}", in_quotes(flag),
                       hint.empty() ? fmt::format("; see mgnn{}", see) : hint);
  }
  if (verb)
    return fmt::format("{} takes no further argument {}; see mgnn{}", verb->get_name(),
                       in_quotes(word), see);
  const std::string hint = suggestion(word, verb_names(root));
  return fmt::format("unknown verb {}{}", in_quotes(word),
                     hint.empty() ? "; mgnn help lists the verbs" : hint);
}

}  // namespace

std::vector<std::string> reversed_arguments(int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    const bool empty_value = word.starts_with("--") && word.find('=') == word.size() - 1;
    arguments.push_back(empty_value ? word.substr(0, word.size() - 1) : word);
    if (empty_value) arguments.emplace_back();
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

std::vector<std::string> flag_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<const CLI::Option*> all_flags(const CLI::App& app) {
  std::vector<const CLI::Option*> flags;
  const auto add_from = [&](const CLI::App& from) {
    for (const CLI::Option* option : from.get_options())
      if (option->nonpositional() && !option->get_group().empty()) flags.push_back(option);
  };
  add_from(app);
  if (const CLI::App* parent = app.get_parent()) {
    add_from(*parent);
    std::erase(flags, parent->get_help_ptr());  // each verb has its own
  }
  return flags;
}

const CLI::App* find_verb(const CLI::App& root, const std::string& name) {
  for (const CLI::App* verb : root.get_subcommands({}))
    if (verb->get_name() == name) return verb;
  return nullptr;
}

std::vector<std::string> verb_names(const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* verb : root.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& root = *root_of(app);
  const std::vector<CLI::App*> given = root.get_subcommands();
  const CLI::App* verb = given.empty() ? nullptr : given.front();
  const std::vector<std::string> unknown = root.remaining(true);
  if (!unknown.empty()) return unknown_word(root, verb, unknown.front());
  std::string sentence = error.what();
  if (sentence.ends_with(" is required") && verb)
    return fmt::format("{}: {}; see mgnn help {}", verb->get_name(), sentence, verb->get_name());
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && sentence.ends_with(" missing"))
    sentence = sentence.substr(0, sentence.find(':')) + " needs a value";
  for (char& c : sentence)
    if (c == '\n') c = ' ';
  return verb ? fmt::format("{}: {}", verb->get_name(), sentence) : sentence;
}

}  // namespace mgnn
