#include <CLI/CLI.hpp>

#include "cli/usage.h"
#include "cli/verb.h"
#include "mgnn/base/error.h"

namespace mgnn {

Action add_help(CLI::App& command, const Globals&) {
  struct Flags {
    std::string verb;
    bool manual = false;
  };
  const auto options = std::make_shared<Flags>();
  command.add_option("VERB", options->verb, "the verb to explain; none: all of them in short");
  command.add_flag("--man", options->manual, "the manual page in roff, for man -l");
  command.footer("  mgnn help info\n  mgnn help --man | man -l -");
  return [options, &command] {
    const CLI::App& root = *command.get_parent();
    if (options->manual) return print(manual_page(root));
    if (options->verb.empty()) return print(help_text(root));
    if (const CLI::App* verb = find_verb(root, options->verb)) return print(help_text(*verb));
    fail_usage("unknown verb {}; {}", in_quotes(options->verb),
               did_you_mean(options->verb, verb_names(root), "mgnn help lists the verbs"));
  };
}

}  // namespace mgnn
