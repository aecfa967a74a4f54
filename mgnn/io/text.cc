#include "mgnn/io/text.h"

#include <cstring>

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"

namespace mgnn {
namespace {

// The place behind the closing quote of a cell whose text begins at `p`.
const char* scan_quoted(const char* p, const char* end, Cell& cell) {
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

// Length of the valid UTF-8 sequence at the start of `text`, or 0 (RFC 3629: no overlong forms, no
// surrogates, nothing over U+10FFFF).
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follow = [&](size_t count, unsigned lowest, unsigned highest) -> size_t {
    if (text.size() <= count || byte(1) < lowest || byte(1) > highest) return 0;
    for (size_t i = 2; i <= count; i++)
      if ((byte(i) & 0xC0) != 0x80) return 0;
    return count + 1;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return first != 0;
  if (first >= 0xC2 && first <= 0xDF) return follow(1, 0x80, 0xBF);
  if (first == 0xE0) return follow(2, 0xA0, 0xBF);
  if (first == 0xED) return follow(2, 0x80, 0x9F);
  if (first >= 0xE1 && first <= 0xEF) return follow(2, 0x80, 0xBF);
  if (first == 0xF0) return follow(3, 0x90, 0xBF);
  if (first >= 0xF1 && first <= 0xF3) return follow(3, 0x80, 0xBF);
  if (first == 0xF4) return follow(3, 0x80, 0x8F);
  return 0;
}

// Whether eight bytes are all ASCII and none is NUL.
bool all_plain(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  constexpr uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  return ((word | (word - kOnes)) & kHigh) == 0;
}

}  // namespace

const char* scan_cell(const char* p, const char* end, char separator, Cell& cell) {
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
    Cell cell;
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
  size_t i = 0;
  while (i < text.size()) {
    if (i + 8 <= text.size() && all_plain(text.data() + i)) {
      i += 8;
      continue;
    }
    const size_t length = sequence_length(text.substr(i, 4));
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
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
  for (size_t i = 0; i < columns.size(); i++) {
    if (i == kShown) return hint + fmt::format(", and {} more", columns.size() - i);
    hint += (i == 0 ? "" : ", ") + in_quotes(columns[i]);
  }
  return hint;
}

}  // namespace mgnn
