#include "mgnn/base/human.h"

#include "tests/util.h"

namespace mgnn {
namespace {

TEST(Human, Counts) {
  EXPECT_EQ(human_count(0), "0");
  EXPECT_EQ(human_count(999), "999");
  EXPECT_EQ(human_count(1000), "1,000");
  EXPECT_EQ(human_count(1002666), "1,002,666");
  EXPECT_EQ(human_count(-100), "-100");
  EXPECT_EQ(human_count(-123456), "-123,456");
  EXPECT_EQ(human_count(INT64_MIN), "-9,223,372,036,854,775,808");
}

TEST(Human, Bytes) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1024), "1.0 KiB");
  EXPECT_EQ(human_bytes(15 * 1024), "15 KiB");
  EXPECT_EQ(human_bytes(1503238554), "1.4 GiB");
  EXPECT_EQ(human_bytes(int64_t(1) << 60), "1048576 TiB");
}

TEST(Human, ParsesBytes) {
  EXPECT_EQ(parse_bytes("4096"), 4096);
  EXPECT_EQ(parse_bytes("500M"), int64_t(500) << 20);
  EXPECT_EQ(parse_bytes(" 1.5g "), int64_t(3) << 29);
  EXPECT_EQ(parse_bytes("2 GiB"), int64_t(2) << 30);
  EXPECT_EQ(parse_bytes("3tb"), int64_t(3) << 40);
  for (const char* text : {"", "G", "-1G", "1X", "1GG", "1e3", "nan", "1.2.3", "99999999999T"})
    EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
}

TEST(Human, Seconds) {
  EXPECT_EQ(human_seconds(0), "0 µs");
  EXPECT_EQ(human_seconds(12e-6), "12 µs");
  EXPECT_EQ(human_seconds(0.0032), "3.2 ms");
  EXPECT_EQ(human_seconds(4.1), "4.1 s");
  EXPECT_EQ(human_seconds(125), "2 min 05 s");
  EXPECT_EQ(human_seconds(3600), "1 h 00 min");
  EXPECT_EQ(human_seconds(90061), "25 h 01 min");
}

}  // namespace
}  // namespace mgnn
