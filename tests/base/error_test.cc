#include "mgnn/base/error.h"

#include <vector>

#include "tests/util.h"

namespace mgnn {
namespace {

template <class Action>
Error caught(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::failed, "nothing thrown");
}

TEST(Error, KindsAreExitCodes) {
  const Error failed = caught([] { fail("{} of {}", 1, 2); });
  EXPECT_EQ(int(failed.kind()), 1);
  EXPECT_STREQ(failed.what(), "1 of 2");
  EXPECT_EQ(int(caught([] { fail_usage("x"); }).kind()), 2);
  EXPECT_EQ(int(caught([] { fail_data("x"); }).kind()), 3);
  const Error at = caught([] { fail_at("a {}.txt", 7, "got {}", "{}"); });
  EXPECT_EQ(int(at.kind()), 3);
  EXPECT_STREQ(at.what(), "a {}.txt:7: got {}");
  EXPECT_EQ(int(ErrorKind::interrupted), 130);
}

TEST(Error, CheckThrowsOnlyIfFalse) {
  check(true, "never {}", 1);
  EXPECT_STREQ(caught([] { check(false, "always {}", 1); }).what(), "always 1");
}

TEST(Quoted, MakesAnyTextFitForAMessage) {
  EXPECT_EQ(in_quotes("P53 "), "\"P53 \"");
  EXPECT_EQ(in_quotes(""), "\"\"");
  EXPECT_EQ(in_quotes("a\tb\x1b[31m\x7f"), "\"a\\x09b\\x1b[31m\\x7f\"");
  EXPECT_EQ(in_quotes("Erdős"), "\"Erdős\"");
  EXPECT_EQ(in_quotes("\xff\xc5"), "\"\\xff\\xc5\"");  // no UTF-8, and cut short
  EXPECT_EQ(in_quotes("\xc0\xaf"), "\"\\xc0\\xaf\"");  // overlong
  EXPECT_EQ(in_quotes(std::string_view("\0x", 2)), "\"\\x00x\"");
  EXPECT_EQ(in_quotes("abcdef", 3), "\"abc…\"");
  EXPECT_EQ(in_quotes("abc", 3), "\"abc\"");
  EXPECT_LT(in_quotes(std::string(1'000'000, 'x')).size(), 60u);
}

TEST(Quoted, OverlongAndSurrogateFormsAreNotUtf8) {
  EXPECT_EQ(in_quotes("\xe0\x80\x80"), "\"\\xe0\\x80\\x80\"");
  EXPECT_EQ(in_quotes("\xed\xa0\x80"), "\"\\xed\\xa0\\x80\"");
  EXPECT_EQ(in_quotes("\xf0\x80\x80\x80"), "\"\\xf0\\x80\\x80\\x80\"");
  EXPECT_EQ(in_quotes("\xf4\x90\x80\x80"), "\"\\xf4\\x90\\x80\\x80\"");
  EXPECT_EQ(in_quotes("\xf4\x8f\xbf\xbf"), "\"\xf4\x8f\xbf\xbf\"");
}

TEST(EditDistance, KnownPairs) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("cora", "croa"), 1);  // neighbours swapped
  EXPECT_EQ(edit_distance("cora", "Cora"), 1);
}

TEST(Nearest, FindsTheLikelyMeaning) {
  const std::vector<std::string> names = {"cora", "citeseer", "pubmed"};
  EXPECT_EQ(nearest("coar", names), "cora");
  EXPECT_EQ(nearest("citesear", names), "citeseer");
  EXPECT_EQ(nearest("cora", names), "cora");
  EXPECT_EQ(nearest("hetionet", names), "");
  EXPECT_EQ(nearest("x", std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace mgnn
