#include "mgnn/report/text.h"

#include <algorithm>

namespace mgnn {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct CodePoint {
  char32_t value;
  int bytes;  // 0: not valid UTF-8 here
};

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const int size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < size_t(size)) return {0, 0};
  char32_t value = lead & (0xFF >> (size + 1));
  for (size_t i = 1; i < size_t(size); i++) {
    if ((byte(i) & 0xC0) != 0x80) return {0, 0};
    value = (value << 6) | (byte(i) & 0x3F);
  }
  return {value, size};
}

struct CodePoints {
  char32_t first, last;
};
constexpr CodePoints kNoWidth[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF},
                                   {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}};
constexpr CodePoints kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},  {0x3041, 0xA4CF},
                                {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},  {0xFE30, 0xFE6F},
                                {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                                {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

template <size_t N>
bool within(char32_t c, const CodePoints (&ranges)[N]) {
  return std::any_of(ranges, ranges + N, [&](CodePoints r) { return r.first <= c && c <= r.last; });
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

// Each character through `write`, which also gets its code point; bad ones as U+FFFD.
template <class Write>
std::string rewritten(std::string_view text, const Write& write) {
  std::string result;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    const bool bad = c.bytes == 0 || is_control(c.value);
    write(result, bad ? kReplacement : text.substr(0, size_t(c.bytes)), c.bytes == 0 ? 0 : c.value);
    text.remove_prefix(size_t(std::max(c.bytes, 1)));
  }
  return result;
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (c.bytes == 0 || !within(c.value, kNoWidth)) width += within(c.value, kWide) ? 2 : 1;
    text.remove_prefix(size_t(std::max(c.bytes, 1)));
  }
  return width;
}

std::string printable(std::string_view text) {
  return rewritten(text, [](std::string& to, std::string_view c, char32_t) { to += c; });
}

std::string xml_escaped(std::string_view text) {
  return rewritten(text, [](std::string& to, std::string_view c, char32_t point) {
    switch (point) {
      case '&':
        to += "&amp;";
        break;
      case '<':
        to += "&lt;";
        break;
      case '>':
        to += "&gt;";
        break;
      case '"':
        to += "&quot;";
        break;
      case '\'':
        to += "&#39;";
        break;
      case '\n':
        to += "\n";
        break;
      default:
        to += c;
    }
  });
}

std::string latex_escaped(std::string_view text) {
  return rewritten(text, [](std::string& to, std::string_view c, char32_t point) {
    if (point != 0 && point < 0x80 && std::string_view("&%$#_{}").find(char(point)) < 7)
      to += "\\" + std::string(c);
    else if (point == '\\')
      to += "\\textbackslash{}";
    else if (point == '~')
      to += "\\textasciitilde{}";
    else if (point == '^')
      to += "\\textasciicircum{}";
    else if (point == 0xB1)  // ±
      to += "$\\pm$";
    else
      to += c;
  });
}

}  // namespace mgnn
