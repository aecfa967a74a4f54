#include "mgnn/base/csv.h"

namespace mgnn {

std::string csv_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string csv_field(std::string_view text, char separator) {
  const bool plain = text.find_first_of("\"\r\n") == text.npos && text.find(separator) == text.npos;
  return plain ? std::string(text) : csv_quoted(text);
}

char csv_separator(std::string_view path) { return path.find(".tsv") == path.npos ? ',' : '\t'; }

}  // namespace mgnn
