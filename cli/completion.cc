// Completion scripts are written out in full from the verbs, flags and dataset names of this build,
// so that pressing Tab starts no process.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/option_flags.h"
#include "cli/usage.h"
#include "cli/verb.h"
#include "mgnn/data/registry.h"

namespace mgnn {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> flags_to_complete(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : all_flags(app))
    for (const std::string& name : flag_names(*option)) names.push_back(name);
  return names;
}

std::vector<std::string> dataset_names() {
  std::vector<std::string> names;
  for (const DatasetEntry& entry : dataset_entries()) names.push_back(entry.name);
  return names;
}

// What the verb's arguments may be, besides files.
std::string arguments_of(const CLI::App& root, const std::string& verb) {
  if (verb == "help") return joined(verb_names(root));
  if (verb == "completion") return "bash zsh fish";
  if (verb == "generate") return joined(generator_kinds());
  return joined(dataset_names());
}

// In single quotes for a shell.
std::string in_single_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// demo|info|…: a pattern of the shell's case.
std::string verb_pattern(const CLI::App& root) {
  std::string pattern = joined(verb_names(root));
  std::replace(pattern.begin(), pattern.end(), ' ', '|');
  return pattern;
}

std::string bash_script(const CLI::App& root) {
  std::string cases;
  for (const CLI::App* verb : root.get_subcommands({}))
    cases += fmt::format("    {}) flags='{}'; words='{}' ;;\n", verb->get_name(),
                         joined(flags_to_complete(*verb)), arguments_of(root, verb->get_name()));
  return fmt::format(
      R"(# bash completion for mgnn: source it, or put it into bash-completion's folder
_mgnn() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} verb= flags='{}' words='{}' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in
    {}) verb=${{COMP_WORDS[i]}}; break ;;
    esac
  done
  case $verb in
{}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    [[ -n $verb ]] && COMPREPLY+=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _mgnn mgnn
)",
      joined(flags_to_complete(root)), joined(verb_names(root)), verb_pattern(root), cases);
}

std::string zsh_script(const CLI::App& root) {
  std::string verbs, cases;
  for (const CLI::App* verb : root.get_subcommands({})) {
    const std::string& name = verb->get_name();
    verbs += fmt::format("    {}\n", in_single_quotes(name + ":" + verb->get_description()));
    cases += fmt::format("    {}) flags=({}); arguments=({}) ;;\n", name,
                         joined(flags_to_complete(*verb)), arguments_of(root, name));
  }
  return fmt::format(R"(#compdef mgnn
compdef _mgnn mgnn
_mgnn() {{
  local -a verbs flags arguments
  local verb= word
  verbs=(
{}  )
  flags=({})
  for word in $words[2,CURRENT-1]; do
    case $word in
    {}) verb=$word; break ;;
    esac
  done
  case $verb in
{}  esac
  if [[ $PREFIX == -* ]]; then
    compadd -- $flags
  elif [[ -z $verb ]]; then
    _describe verb verbs
  else
    compadd -- $arguments
    _files
  fi
}}
# loaded from the function path: this first call is the completion itself
[[ $funcstack[1] == _mgnn ]] && _mgnn "$@"
)",
                     verbs, joined(flags_to_complete(root)), verb_pattern(root), cases);
}

std::string fish_flags(const CLI::App& app, const std::string& condition) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->nonpositional() || option->get_group().empty()) continue;
    text += "complete -c mgnn" + condition;
    for (const std::string& name : option->get_snames()) text += " -s " + name;
    for (const std::string& name : option->get_lnames()) text += " -l " + name;
    if (option->get_items_expected_max() > 0) text += " -r";
    text += " -d " + in_single_quotes(option->get_description()) + "\n";
  }
  return text;
}

std::string fish_script(const CLI::App& root) {
  std::string text = "# fish completion for mgnn\n" + fish_flags(root, "");
  for (const CLI::App* verb : root.get_subcommands({})) {
    const std::string seen = " -n '__fish_seen_subcommand_from " + verb->get_name() + "'";
    text += fmt::format("complete -c mgnn -n __fish_use_subcommand -f -a {} -d {}\n",
                        verb->get_name(), in_single_quotes(verb->get_description()));
    text += fmt::format("complete -c mgnn{} -a '{}'\n", seen, arguments_of(root, verb->get_name()));
    text += fish_flags(*verb, seen);
  }
  return text;
}

}  // namespace

Action add_completion(CLI::App& command, const Globals&) {
  using Script = std::string (*)(const CLI::App&);
  const auto script = std::make_shared<Script>(nullptr);
  add_option_flag(
      command, "SHELL",
      choice<Script>("SHELL", *script,
                     {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}},
                     "bash, zsh or fish"))
      ->required();
  command.footer(
      "  source <(mgnn completion bash)\n"
      "  mgnn completion zsh > ~/.zfunc/_mgnn\n"
      "  mgnn completion fish > ~/.config/fish/completions/mgnn.fish");
  return [script, &command] { print((*script)(*command.get_parent())); };
}

}  // namespace mgnn
