// SHA-256 sums of the public files that are known to us.
#pragma once

#include <string>
#include <string_view>

namespace mgnn {

// Of the file at `path` below a data folder ("planetoid/Cora/ind.cora.x"), or "" if not known.
std::string known_sha256(std::string_view path);

}  // namespace mgnn
