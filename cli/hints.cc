#include "cli/hints.h"

namespace mgnn {

std::string hint_text(Hint hint) {
  switch (hint) {
    case Hint::none:
      return "";
    case Hint::overwrite:
      return "use --force to replace it";
    case Hint::string_ids:
      return "use --ids string if ids are names";
    case Hint::separator:
      return "use --separator for another";
    case Hint::trim:
      return "use --trim or fix the file";
    case Hint::format:
      return "use one of these endings or --format";
    case Hint::datasets:
      return "mgnn datasets lists those known, tu:NAME asks for any set of the TU collection";
    case Hint::download:
      return "mgnn download fetches it";
  }
  return "";
}

}  // namespace mgnn
