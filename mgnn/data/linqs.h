// LINQS citation graphs: NAME.cites and NAME.content.
#pragma once

#include <string>

#include "mgnn/data/dataset.h"

namespace mgnn {

// The NAME of a NAME.cites and NAME.content in `folder`, or "".
std::string linqs_name(const std::string& folder);

// Nodes in the order of NAME.content (id, word columns, class). NAME.cites lists `cited citing`;
// the arc goes from the citing to the cited paper. Citations of papers without content are left
// out, and a remark counts them. Throws Error with path:line.
Dataset load_linqs(const std::string& folder);

}  // namespace mgnn
