#include "mgnn/serve/access.h"

#include <sys/stat.h>

#include "mgnn/serve/message.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using namespace mgnn::testing;

TEST(Access, TokensAreComparedWhole) {
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  for (const char* other : {"", "ab", "abd", "abcd", "Abc"})
    EXPECT_FALSE(equal_in_constant_time("abc", other)) << other;
}

TEST(Access, NewTokensDiffer) {
  const std::string token = random_token();
  EXPECT_EQ(token.size(), 32u);
  EXPECT_NE(token, random_token());
}

TEST(Access, TokenFilesAreRead) {
  TempDir dir;
  EXPECT_EQ(read_token(dir.file("t", "0123456789abcdef\nrest")), "0123456789abcdef");
  EXPECT_EQ(read_token(dir.file("t", "0123456789abcdef\r\n")), "0123456789abcdef");
  const std::string path = dir.file("t", "short\n");
  EXPECT_EQ(error_of([&] { read_token(path); }),
            path + ": its first line has 5 characters; a token has at least 16");
  dir.file("t", "0123456789 abcdef\n");
  EXPECT_EQ(error_of([&] { read_token(path); }),
            path + ": a token has at most 1024 letters, digits and signs, without blanks");
  chmod(path.c_str(), 0600);
  EXPECT_FALSE(is_readable_by_others(path));
  chmod(path.c_str(), 0644);
  EXPECT_TRUE(is_readable_by_others(path));
}

TEST(Access, LoopbackIsThisMachineAlone) {
  for (const char* host : {"127.0.0.1", "127.1.2.3", "localhost", "::1"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"0.0.0.0", "::", "127.0.0.1.nip.io", "192.168.0.1", "example.org", ""})
    EXPECT_FALSE(is_loopback(host)) << host;
}

}  // namespace
}  // namespace mgnn
