#include "mgnn/report/text.h"

#include <algorithm>

#include "mgnn/base/utf8.h"

namespace mgnn {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct CodePointRange {
  char32_t first, last;
};
constexpr CodePointRange kNoWidth[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF},
                                       {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}};
constexpr CodePointRange kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},  {0x3041, 0xA4CF},
                                    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},  {0xFE30, 0xFE6F},
                                    {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                                    {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

template <size_t N>
bool within(char32_t c, const CodePointRange (&ranges)[N]) {
  return std::any_of(ranges, ranges + N,
                     [&](CodePointRange r) { return r.first <= c && c <= r.last; });
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

// Each character through `write`, which also gets its code point; bad ones as U+FFFD.
template <class Write>
std::string rewritten(std::string_view text, const Write& write) {
  std::string result;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    const bool bad = c.bytes == 0 || is_control(c.value);
    write(result, bad ? kReplacement : text.substr(0, c.bytes), c.value);
    text.remove_prefix(std::max<size_t>(c.bytes, 1));
  }
  return result;
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (c.bytes == 0 || !within(c.value, kNoWidth)) width += within(c.value, kWide) ? 2 : 1;
    text.remove_prefix(std::max<size_t>(c.bytes, 1));
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
