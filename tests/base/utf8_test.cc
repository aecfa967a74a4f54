#include "mgnn/base/utf8.h"

#include "tests/util.h"

namespace mgnn {
namespace {

// From RFC 3629 and the Unicode standard's table of well-formed sequences.
struct Case {
  std::string_view text;
  size_t invalid;  // place of the first bad byte
};
const Case kCases[] = {
    {"", std::string_view::npos},
    {"plain text of more than eight bytes", std::string_view::npos},
    {"12345678\xFF", 8},
    {"Ångström \xE2\x82\xAC \xF0\x9F\x98\x80", std::string_view::npos},
    {"\xC0\x80", 0},      // overlong NUL
    {"a\xC1\xBF", 1},     // overlong
    {"\xE0\x9F\xBF", 0},  // overlong
    {"\xE0\xA0\x80", std::string_view::npos},
    {"\xED\xA0\x80", 0},  // surrogate
    {"\xED\x9F\xBF", std::string_view::npos},
    {"\xF0\x8F\xBF\xBF", 0},  // overlong
    {"\xF4\x8F\xBF\xBF", std::string_view::npos},
    {"\xF4\x90\x80\x80", 0},  // beyond U+10FFFF
    {"ab\xE2\x82", 2},        // cut short
    {"ab\xE2\x82z", 2},
    {"\x80", 0},
};

TEST(Utf8, FindsWhatIsInvalid) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(std::string(c.text));
    EXPECT_EQ(find_invalid_utf8(c.text), c.invalid);
    std::u32string codes;
    EXPECT_EQ(decode_utf8(c.text, codes), c.invalid == std::string_view::npos);
    std::string again;
    for (const char32_t code : codes) EXPECT_TRUE(append_utf8(again, code));
    if (c.invalid == std::string_view::npos) {
      EXPECT_EQ(again, c.text);
    }
    if (c.invalid == 0) {
      EXPECT_EQ(first_code_point(c.text).bytes, 0u);
    }
  }
}

TEST(Utf8, KnowsCodePoints) {
  EXPECT_EQ(first_code_point("a").value, U'a');
  EXPECT_EQ(first_code_point("Å!").value, U'Å');
  EXPECT_EQ(first_code_point("Å!").bytes, 2u);
  EXPECT_EQ(first_code_point("\xF0\x9F\x98\x80").value, char32_t(0x1F600));
  std::string text;
  EXPECT_FALSE(append_utf8(text, 0xD800));
  EXPECT_FALSE(append_utf8(text, 0x110000));
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace mgnn
