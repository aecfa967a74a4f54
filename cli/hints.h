// What the tool adds to the library's messages: which flag or verb helps.
#pragma once

#include <string>

#include "mgnn/base/error.h"

namespace mgnn {

// "use --force to overwrite it"; "" for Hint::none.
std::string hint_text(const Hint& hint);

}  // namespace mgnn
