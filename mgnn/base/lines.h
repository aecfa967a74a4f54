// Text by lines and fields, with errors that name file and line.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "mgnn/base/error.h"

namespace mgnn {

// Goes through a text line by line. Knows LF and CRLF, skips a byte order mark, and keeps count,
// so that `reader.fail("expected two ids")` names the line. Views stay valid as long as the text.
class LineReader {
 public:
  LineReader(std::string path, std::string_view text, int64_t first_line = 1)
      : path_(std::move(path)), rest_(text), number_(first_line - 1) {
    if (first_line == 1 && rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  // The next line without its end, or false at the end of the text.
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    number_++;
    return true;
  }

  int64_t number() const { return number_; }  // of the current line, from 1
  const std::string& path() const { return path_; }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    fail_at(path_, number_, format, std::forward<Args>(args)...);
  }

 private:
  std::string path_;
  std::string_view rest_;
  int64_t number_;
};

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Reads all of `text` as one number; false if it is not one or does not fit.
template <class Number>
bool parse_number(std::string_view text, Number& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

// ASCII letters in lower case, all else as it is.
inline std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = char(c + ('a' - 'A'));
  return result;
}

// Takes the next field off the front of `line`, up to `separator`; a blank as separator stands for
// any run of blanks and tabs. False when nothing is left.
inline bool next_field(std::string_view& line, char separator, std::string_view& field) {
  if (separator == ' ')
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  if (line.data() == nullptr || (separator == ' ' && line.empty())) return false;
  size_t end = 0;
  while (end < line.size() && (separator == ' ' ? !is_blank(line[end]) : line[end] != separator))
    end++;
  field = line.substr(0, end);
  line = end == line.size() ? std::string_view() : line.substr(end + 1);
  return true;
}

}  // namespace mgnn
