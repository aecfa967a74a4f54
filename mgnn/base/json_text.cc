#include "mgnn/base/json_text.h"

#include <algorithm>

#include "mgnn/base/error.h"

namespace mgnn {

int json_depth(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    if (quoted && c == '\\') {
      i++;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '[' || c == '{')) {
      deepest = std::max(deepest, ++depth);
    } else if (!quoted && (c == ']' || c == '}')) {
      depth--;
    }
  }
  return deepest;
}

void check_json_depth(std::string_view text, const std::string& path) {
  if (json_depth(text) > kMaxJsonDepth)
    fail_data("{}: its JSON is nested more than {} deep", path, kMaxJsonDepth);
}

}  // namespace mgnn
