#include "mgnn/base/error.h"

#include <algorithm>
#include <vector>

namespace mgnn {
namespace {

// Length of the valid UTF-8 sequence at the start of `text`, or 0.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
  if (byte(0) < 0x80) return 1;
  if (byte(0) >= 0xC2 && byte(0) <= 0xDF) return follows(1) ? 2 : 0;
  // The second byte's range leaves out overlong forms, surrogates and what is beyond U+10FFFF.
  const auto second = [&](unsigned least, unsigned most) {
    return text.size() > 1 && byte(1) >= least && byte(1) <= most;
  };
  if (byte(0) >= 0xE0 && byte(0) <= 0xEF) {
    const bool ok = second(byte(0) == 0xE0 ? 0xA0 : 0x80, byte(0) == 0xED ? 0x9F : 0xBF);
    return ok && follows(2) ? 3 : 0;
  }
  if (byte(0) >= 0xF0 && byte(0) <= 0xF4) {
    const bool ok = second(byte(0) == 0xF0 ? 0x90 : 0x80, byte(0) == 0xF4 ? 0x8F : 0xBF);
    return ok && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string in_quotes(std::string_view text, size_t most) {
  std::string out = "\"";
  size_t shown = 0;
  while (!text.empty()) {
    if (shown++ == most) return out + "…\"";
    const size_t length = utf8_length(text);
    const bool plain = length > 1 || (length == 1 && text[0] >= ' ' && text[0] != 0x7F);
    if (plain)
      out += text.substr(0, length);
    else
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    text.remove_prefix(plain ? length : 1);
  }
  return out + "\"";
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); i++) {
    for (size_t j = 0; j <= b.size(); j++) {
      if (i == 0 || j == 0) {
        d[i][j] = int(i + j);
        continue;
      }
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace mgnn
