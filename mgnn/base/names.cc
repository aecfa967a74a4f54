#include "mgnn/base/names.h"

namespace mgnn {

void fail_choice(std::string_view what, std::string_view word,
                 const std::vector<std::string>& names) {
  fail_usage("unknown value {} of {}; {}", in_quotes(word), what,
             did_you_mean(word, names, fmt::format("use one of {}", fmt::join(names, ", "))));
}

}  // namespace mgnn
