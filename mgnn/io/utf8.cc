#include "mgnn/io/utf8.h"

#include <cstdint>

namespace mgnn {

bool append_utf8(std::string& text, char32_t code) {
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
  if (code < 0x80) {
    text += char(code);
  } else if (code < 0x800) {
    text += char(0xC0 | code >> 6);
    text += char(0x80 | (code & 63));
  } else if (code < 0x10000) {
    text += char(0xE0 | code >> 12);
    text += char(0x80 | (code >> 6 & 63));
    text += char(0x80 | (code & 63));
  } else {
    text += char(0xF0 | code >> 18);
    text += char(0x80 | (code >> 12 & 63));
    text += char(0x80 | (code >> 6 & 63));
    text += char(0x80 | (code & 63));
  }
  return true;
}

bool decode_utf8(std::string_view text, std::u32string& codes) {
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // by length: no longer than needed
  for (size_t i = 0; i < text.size();) {
    const auto first = uint8_t(text[i]);
    const size_t length = first < 0x80   ? 1
                          : first < 0xC0 ? 0
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                                         : 4;
    if (length == 0 || first > 0xF4 || length > text.size() - i) return false;
    char32_t code = length == 1 ? first : first & (0xFF >> (length + 1));
    for (size_t k = 1; k < length; k++) {
      if ((uint8_t(text[i + k]) & 0xC0) != 0x80) return false;
      code = code << 6 | (uint8_t(text[i + k]) & 63);
    }
    if (code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    codes += code;
    i += length;
  }
  return true;
}

}  // namespace mgnn
