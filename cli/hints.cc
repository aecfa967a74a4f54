#include "cli/hints.h"

#include "cli/option_flags.h"
#include "cli/verb.h"

namespace mgnn {
namespace {

// "--task link", "--no-weighted"
std::string flag_with_value(const Setting& setting) {
  const std::string value = text_of(setting.value), flag = flag_of(setting.name);
  if (value == "true") return flag;
  if (value == "false") return "--no-" + flag.substr(2);
  return flag + " " + shell_quoted(value);
}

}  // namespace

std::string hint_text(const Hint& hint) {
  switch (hint.topic) {
    case Hint::none:
      return "";
    case Hint::setting:
      return "use " + flag_with_value(hint.value);
    case Hint::strict:
      return "this is an error because of --strict";
    case Hint::overwrite:
      return "use --force to overwrite it";
    case Hint::format:
      return "use one of these endings or --format";
    case Hint::string_ids:
      return "use --ids string if ids are names";
    case Hint::separator:
      return "use --separator for another";
    case Hint::trim:
      return "use --trim or fix the file";
    case Hint::nodes:
      return "name the table of these nodes with --nodes FILE";
    case Hint::label_column:
      return "give a table with --nodes FILE --label-column NAME, or learn without labels with "
             "--task unsupervised";
    case Hint::type_column:
      return "give them in a table with --nodes FILE --type-column NAME";
    case Hint::target_column:
      return hint.value.empty()
                 ? "name their column with --target-column"
                 : fmt::format("predict them with --target-column {}", shell_quoted(hint.value));
    case Hint::relation_column:
      return "name the column of an edge list with --relation-column";
    case Hint::end_columns:
      return "name them with --from-column and --to-column, and what joins them with "
             "--relation-column";
    case Hint::model:
      return "use another --model";
    case Hint::list_settings:
      return "--show-config lists all";
    case Hint::list_datasets:
      return "mgnn datasets lists those known, tu:NAME asks for any set of the TU collection";
    case Hint::list_files:
      return fmt::format("mgnn datasets {} lists the files", hint.value);
    case Hint::download:
      return "mgnn download fetches it";
    case Hint::train:
      return "mgnn train … -o DIR makes one";
    case Hint::embed:
      return fmt::format("mgnn embed --model {} -o FILE writes its embedding",
                         shell_quoted(hint.value));
    case Hint::resume:
      return fmt::format("use --force to overwrite it, or --resume {}", shell_quoted(hint.value));
  }
  return "";
}

}  // namespace mgnn
