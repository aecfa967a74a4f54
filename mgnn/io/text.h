// What the readers of text formats share: cells with quotes, UTF-8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mgnn/io/memory.h"

namespace mgnn {

struct TextCell {
  std::string_view text;          // without its quotes
  bool escaped = false;           // has doubled quotes: see unescaped
  const char* problem = nullptr;  // what is wrong with its quotes
};

inline bool separates(char c, char separator) {
  return c == separator || (separator == ' ' && c == '\t');
}

// Reads the cell at `p`, quoted as in RFC 4180 or plain; gives the place of what ended it: a
// separator, a '\n', or `end`. A blank as separator stands for blanks and tabs; skip the leading
// ones before.
const char* scan_cell(const char* p, const char* end, char separator, TextCell& cell);

// `a ""b""` -> `a "b"`.
std::string unescaped(std::string_view text);

// All cells of a line, for its first look; quotes that are wrong are left as they stand.
std::vector<std::string> split_cells(std::string_view line, char separator);

// Tab, comma or semicolon, whichever `line` has first in this order outside of quotes; a pipe where there
// are no blanks; else `otherwise`. Commas that are those of numbers (1;2;0,5 or, where blanks may
// separate, 1 2 0,5) are none.
char found_separator(std::string_view line, char otherwise);
// "tabs", "commas", "semicolons", "blanks" or "pipes", for messages.
std::string separator_name(char separator);

// Place of the first byte that is NUL or not part of valid UTF-8, or npos.
size_t first_bad_byte(std::string_view text);
bool has_control_character(std::string_view text);

// Throws Error with path:line if the text is not UTF-8, or has a NUL byte.
void check_utf8(std::string_view text, const std::string& path);

// Throws Error (data) if the text is UTF-16, which a user can mend by saving it otherwise.
void refuse_utf16(std::string_view text, const std::string& path);

// "; did you mean "source"? the columns are source, target" for messages on a wrong name.
std::string columns_hint(std::string_view wrong, const std::vector<std::string>& columns);

}  // namespace mgnn
