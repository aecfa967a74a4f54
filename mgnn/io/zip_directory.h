// What a zip archive says twice, compared.
#pragma once

#include <string>
#include <string_view>

namespace mgnn {

// A zip archive lists its members in a directory at its end, and each once more before its bytes.
// The sums of the members do not cover these. Throws Error (data) unless the directory is whole, says of
// every member what the member says of itself (name, packing, sum, sizes), and lists plain files only.
void check_zip_directory(std::string_view archive, const std::string& path);

}  // namespace mgnn
