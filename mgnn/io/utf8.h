// UTF-8 to and from code points.
#pragma once

#include <string>
#include <string_view>

namespace mgnn {

// Appends one character; false if there is no such character (surrogates, beyond U+10FFFF).
bool append_utf8(std::string& text, char32_t code);

// The characters of `text`; false if it is not valid UTF-8.
bool decode_utf8(std::string_view text, std::u32string& codes);

}  // namespace mgnn
