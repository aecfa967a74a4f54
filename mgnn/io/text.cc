#include "mgnn/io/text.h"

#include <algorithm>
#include <cstring>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/lines.h"
#include "mgnn/base/utf8.h"

namespace mgnn {
namespace {

// The place behind the closing quote of a cell whose text begins at `p`.
const char* scan_quoted(const char* p, const char* end, TextCell& cell) {
  const char* const begin = p;
  while (true) {
    const void* quote = p < end ? std::memchr(p, '"', size_t(end - p)) : nullptr;
    if (!quote) {
      cell.problem = "a quote is opened but not closed";
      cell.text = {begin, size_t(end - begin)};
      return end;
    }
    p = static_cast<const char*>(quote);
    if (p + 1 == end || p[1] != '"') break;
    cell.escaped = true;
    p += 2;
  }
  cell.text = {begin, size_t(p - begin)};
  return p + 1;
}

// What is in quotes is a text, whatever it holds.
std::string without_quotes(std::string_view line) {
  std::string text;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    text += quoted || c == '"' ? 'x' : c;
  }
  return quoted ? std::string(line) : text;
}

// All between digits, as in 0,5.
bool are_decimal_commas(std::string_view text) {
  const auto is_digit = [&](size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  for (size_t i = text.find(','); i != text.npos; i = text.find(',', i + 1))
    if (i == 0 || !is_digit(i - 1) || !is_digit(i + 1)) return false;
  return true;
}

size_t count_words(std::string_view text) { return split_cells(text, ' ').size(); }

}  // namespace

const char* scan_cell(const char* p, const char* end, char separator, TextCell& cell) {
  cell = {};
  const bool quoted_cell = p < end && *p == '"';
  const char* const begin = quoted_cell ? scan_quoted(p + 1, end, cell) : p;
  p = begin;
  while (p < end && *p != '\n' && !separates(*p, separator)) p++;
  std::string_view rest(begin, size_t(p - begin));
  if (rest.ends_with('\r') && (p == end || *p == '\n')) rest.remove_suffix(1);
  if (!quoted_cell)
    cell.text = rest;
  else if (!trimmed(rest).empty())
    cell.problem = "there is text behind a closing quote";
  return p;
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    out += text[i];
    if (text[i] == '"') i++;
  }
  return out;
}

std::vector<std::string> split_cells(std::string_view line, char separator) {
  std::vector<std::string> cells;
  const char* p = line.data();
  const char* const end = p + line.size();
  while (true) {
    if (separator == ' ') {
      while (p < end && is_blank(*p)) p++;
      if (p == end) return cells;
    }
    TextCell cell;
    p = scan_cell(p, end, separator, cell);
    cells.push_back(cell.escaped ? unescaped(cell.text) : std::string(cell.text));
    if (p == end) return cells;
    p++;
  }
}

char found_separator(std::string_view line, char otherwise) {
  const std::string text = without_quotes(trimmed(line));
  const auto has = [&](char c) { return text.find(c) != text.npos; };
  if (has('\t')) return '\t';
  const bool decimal = has(',') && are_decimal_commas(text);
  if (has(',') && !(decimal && has(';')) &&
      !(decimal && otherwise == ' ' && count_words(text.substr(0, text.find(','))) > 2))
    return ',';
  if (has(';')) return ';';
  return has('|') && count_words(text) == 1 ? '|' : otherwise;
}

std::string separator_name(char separator) {
  switch (separator) {
    case '\t':
      return "tabs";
    case ',':
      return "commas";
    case ';':
      return "semicolons";
    case ' ':
      return "blanks";
    default:
      return "pipes";
  }
}

size_t first_bad_byte(std::string_view text) {
  const size_t invalid = find_invalid_utf8(text);
  const size_t nul = text.substr(0, invalid).find('\0');
  return nul == text.npos ? invalid : nul;
}

void refuse_utf16(std::string_view text, const std::string& path) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    fail_data("{}: is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)", path);
}

void check_utf8(std::string_view text, const std::string& path) {
  refuse_utf16(text, path);
  const size_t bad = first_bad_byte(text);
  if (bad == text.npos) return;
  const int64_t line = 1 + std::count(text.begin(), text.begin() + int64_t(bad), '\n');
  if (text[bad] == '\0') fail_at(path, line, "has a NUL byte; is this a text file?");
  fail_at(path, line, "is not UTF-8 at {}; save the file as UTF-8", in_quotes(text.substr(bad, 1)));
}

std::string columns_hint(std::string_view wrong, const std::vector<std::string>& columns) {
  constexpr size_t kWord = 60, kShown = 30;  // longer is not a slip of the finger, nor readable
  std::vector<std::string> words;
  for (const std::string& name : columns)
    if (name.size() < kWord) words.push_back(name);
  const std::string near = wrong.size() < kWord ? nearest(wrong, words) : "";
  std::string hint;
  if (!near.empty()) hint = "; did you mean " + in_quotes(near) + "?";
  hint += near.empty() ? "; the columns are " : " The columns are ";
  std::vector<std::string> quoted;
  for (const std::string& name : columns) quoted.push_back(in_quotes(name));
  return hint + human_list(quoted, kShown);
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < ' ' || c == 0x7F; });
}

}  // namespace mgnn
