#include "mgnn/io/text.h"

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
  for (const char c : {'\t', ',', ';'})
    if (line.find(c) != line.npos) return c;
  return otherwise;
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

}  // namespace mgnn
