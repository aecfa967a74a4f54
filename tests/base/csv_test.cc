#include "mgnn/base/csv.h"

#include "tests/util.h"

namespace mgnn {
namespace {

TEST(Csv, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("x, y"), "\"x, y\"");
  EXPECT_EQ(csv_field("x, y", '\t'), "x, y");
  EXPECT_EQ(csv_field("x\ty", '\t'), "\"x\ty\"");
  EXPECT_EQ(csv_field("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_separator("a.csv"), ',');
  EXPECT_EQ(csv_separator("a.tsv.gz"), '\t');
}

}  // namespace
}  // namespace mgnn
