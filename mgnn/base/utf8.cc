#include "mgnn/base/utf8.h"

#include <utf8.h>

#include <cstdint>
#include <cstring>
#include <iterator>

namespace mgnn {
namespace {

bool is_ascii(char c) { return (static_cast<unsigned char>(c) & 0x80) == 0; }

bool eight_ascii(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, 8);
  return (word & 0x8080808080808080) == 0;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const char* p = text.data();
  if (is_ascii(*p)) return {char32_t(*p), 1};
  try {
    const char32_t value = utf8::next(p, text.data() + text.size());
    return {value, size_t(p - text.data())};
  } catch (const utf8::exception&) {
    return {};
  }
}

// ASCII bytes are never part of a longer sequence, so runs of other bytes can be looked at by
// themselves.
size_t find_invalid_utf8(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    if (end - p >= 8 && eight_ascii(p)) {
      p += 8;
    } else if (is_ascii(*p)) {
      p++;
    } else {
      const char* run_end = p;
      while (run_end < end && !is_ascii(*run_end)) run_end++;
      p = utf8::find_invalid(p, run_end);
      if (p != run_end) return size_t(p - text.data());
    }
  }
  return std::string_view::npos;
}

bool append_utf8(std::string& text, char32_t code) {
  try {
    utf8::append(code, std::back_inserter(text));
    return true;
  } catch (const utf8::exception&) {
    return false;
  }
}

bool decode_utf8(std::string_view text, std::u32string& codes) {
  if (find_invalid_utf8(text) != text.npos) return false;
  utf8::utf8to32(text.begin(), text.end(), std::back_inserter(codes));
  return true;
}

}  // namespace mgnn
