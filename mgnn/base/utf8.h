// UTF-8 of untrusted text, by way of utfcpp. Valid means RFC 3629: no overlong forms, no surrogates,
// nothing beyond U+10FFFF.
#pragma once

#include <string>
#include <string_view>

namespace mgnn {

struct CodePoint {
  char32_t value = 0;
  size_t bytes = 0;  // 0: the text does not begin with valid UTF-8
};
// REQUIRES: text is not empty.
CodePoint first_code_point(std::string_view text);

// Place of the first byte that is not part of valid UTF-8, or npos. Fast on ASCII.
size_t find_invalid_utf8(std::string_view text);

// Appends one character; false if there is no such character.
bool append_utf8(std::string& text, char32_t code);

// Appends the characters of `text`; false if it is not valid.
bool decode_utf8(std::string_view text, std::u32string& codes);

}  // namespace mgnn
