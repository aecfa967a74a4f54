// What is asked of JSON from a file before it is parsed.
#pragma once

#include <string>
#include <string_view>

namespace mgnn {

// How deep arrays and objects are nested in JSON text, well-formed or not: 0 for a number. O(size),
// without recursion. What walks through JSON values later does so by recursion.
int json_depth(std::string_view text);

// Throws Error (data) if the text of a file is nested deeper than anything that we write.
inline constexpr int kMaxJsonDepth = 64;
void check_json_depth(std::string_view text, const std::string& path);

}  // namespace mgnn
