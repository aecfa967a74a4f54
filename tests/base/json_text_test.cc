#include "mgnn/base/json_text.h"

#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of;

TEST(JsonText, Depth) {
  EXPECT_EQ(json_depth(""), 0);
  EXPECT_EQ(json_depth("12"), 0);
  EXPECT_EQ(json_depth("[]"), 1);
  EXPECT_EQ(json_depth(R"({"a": [1, {"b": 2}], "c": []})"), 3);
  EXPECT_EQ(json_depth(R"(["[[[", "\"[[", "\\"])"), 1);  // within strings they are text
  EXPECT_EQ(json_depth("]]]["), 0);                      // not JSON, and not a crash
  EXPECT_EQ(json_depth("[" + std::string(1'000'000, '[')), 1'000'001);
}

TEST(JsonText, DeepOnesAreRefused) {
  check_json_depth(std::string(64, '[') + std::string(64, ']'), "x");
  EXPECT_EQ(error_of([] { check_json_depth(std::string(65, '{'), "x"); }),
            "x: its JSON is nested more than 64 deep");
}

}  // namespace
}  // namespace mgnn
