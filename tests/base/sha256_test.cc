#include "mgnn/base/sha256.h"

#include "tests/util.h"

namespace mgnn {
namespace {

// The vectors of FIPS 180-4.
TEST(Sha256, KnownSums) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Sha256 sum;
  for (int i = 0; i < 1000; i++) sum.update(std::string(1000, 'a'));
  EXPECT_EQ(sum.hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFile) {
  const testing::TempDir dir;
  EXPECT_EQ(sha256_of_file(dir.file("x", "abc")), sha256_of("abc"));
  EXPECT_NE(testing::error_of([&] { sha256_of_file(dir / "none"); }), "");
}

}  // namespace
}  // namespace mgnn
