#include "mgnn/data/table_features.h"

#include <cmath>

#include "mgnn/data/column_scale.h"
#include "mgnn/data/table_cells.h"
#include "tests/util.h"

namespace mgnn {
namespace {

using testing::error_of, testing::TempDir;

TEST(TableCells, MissingOnesAreThoseOfPandas) {
  for (const char* cell : {"", "  ", "NA", "N/A", "n/a", "#N/A", "<NA>", "nan", "NaN", "NULL", "?"})
    EXPECT_TRUE(is_missing(cell)) << cell;
  for (const char* cell : {"Na", "na", "none", "None", "0", "-", "nano"})
    EXPECT_FALSE(is_missing(cell)) << cell;
}

TEST(TableCells, Numbers) {
  EXPECT_EQ(number_in("-1.5e3"), -1500);
  for (const char* cell : {"inf", "nan", "1,5", "1 ", "0x10", "", "1e999"})
    EXPECT_FALSE(number_in(cell)) << cell;
  EXPECT_EQ(decimal_comma_in("-1,5"), -1.5);
  EXPECT_EQ(decimal_comma_in("3"), 3);
  for (const char* cell : {"1.234,5", "1,2,3", ","}) EXPECT_FALSE(decimal_comma_in(cell)) << cell;
  EXPECT_EQ(boolean_in("TRUE"), 1);
  EXPECT_EQ(boolean_in("no"), 0);
  EXPECT_FALSE(boolean_in("1"));
}

// Days since 1970 are those of `date -u -d DATE +%s` / 86400.
TEST(TableCells, Dates) {
  EXPECT_EQ(date_in("1970-01-01"), 0);
  EXPECT_EQ(date_in("2024-02-29"), 19782);
  EXPECT_EQ(date_in("2024/02/29"), 19782);
  EXPECT_EQ(date_in("29.02.2024"), 19782);
  EXPECT_EQ(date_in("1969-12-31"), -1);
  EXPECT_EQ(date_in("2024-02-29T12:00"), 19782.5);
  EXPECT_EQ(date_in("2024-02-29 06:00:00.123Z"), 19782.25);
  EXPECT_EQ(date_in("2024-02-29T18:00:00+02:00"), 19782.75);
  for (const char* cell : {"2023-02-29", "2024-13-01", "2024-2-29", "02/29/2024", "2024-02-29x",
                           "2024-02-29T", "2024-02-29T25:00", "2024-02/29", "20240229"})
    EXPECT_FALSE(date_in(cell)) << cell;
}

// 31/12/2024 as in Europe, 12/31/2024 as in America.
TEST(TableCells, DatesWithSlashes) {
  for (const char* cell : {"29/02/2024", "29-02-2024", "29/2/2024"})
    EXPECT_EQ(day_first_in(cell), 19782) << cell;
  EXPECT_EQ(month_first_in("2/29/2024"), 19782);
  EXPECT_EQ(month_first_in("02/29/2024 12:00"), 19782.5);
  EXPECT_EQ(day_first_in("01/02/1970"), 31);
  EXPECT_EQ(month_first_in("01/02/1970"), 1);
  EXPECT_FALSE(day_first_in("02/29/2024"));
  for (const char* cell : {"29/02/24", "29/02-2024", "/02/2024", "29//2024", "029/02/2024",
                           "29/02/2024x", "2024/02/29", "x", "", "29/02", "29/02/"})
    EXPECT_FALSE(day_first_in(cell)) << cell;
}

Dataset read(const std::string& text, TableFeatureOptions options = {}) {
  const TempDir dir;
  const Table table = read_table(dir.file("t.csv", text));
  Dataset d;
  d.graph = build_graph(NodeId(table.num_rows()), {}).graph;
  std::vector<NodeId> node_of;
  for (int64_t r = 0; r < table.num_rows(); r++) node_of.push_back(NodeId(r));
  options.taken = {0};
  set_table_features(d, table, node_of, options);
  return d;
}

std::vector<float> column(const Dataset& d, const std::string& name) {
  std::vector<float> values;
  for (size_t c = 0; c < d.feature_names.size(); c++)
    if (d.feature_names[c] == name)
      for (int64_t r = 0; r < std::get<Matrix>(d.features).rows; r++)
        values.push_back(std::get<Matrix>(d.features)(r, int64_t(c)));
  return values;
}

using Floats = std::vector<float>;

TEST(TableFeatures, ColumnsAreReadByTheirKind) {
  const Dataset d = read(
      "id;age;price;member;since;colour\n"
      "a;30;1,5;yes;2024-01-01;red\n"
      "b;NA;2;no;2024-01-03;blue\n"
      "c;40;0,25;YES;2024-01-02;\n"
      "d;50;3;no;1970-01-01;red\n");
  EXPECT_EQ(d.num_attributes, 4);
  EXPECT_EQ(d.feature_names,
            (std::vector<std::string>{"age", "price", "member", "since", "colour=blue",
                                      "colour=red", "colour=(missing)", "age=(missing)"}));
  EXPECT_TRUE(std::isnan(column(d, "age")[1]));
  EXPECT_EQ(column(d, "age=(missing)"), (Floats{0, 1, 0, 0}));
  EXPECT_EQ(column(d, "price"), (Floats{1.5, 2, 0.25, 3}));
  EXPECT_EQ(column(d, "member"), (Floats{1, 0, 1, 0}));
  EXPECT_EQ(column(d, "since"), (Floats{19723, 19725, 19724, 0}));
  EXPECT_EQ(column(d, "colour=red"), (Floats{1, 0, 0, 1}));
  EXPECT_EQ(column(d, "colour=(missing)"), (Floats{0, 0, 1, 0}));
  EXPECT_EQ(d.remarks.size(), 3u);
}

TEST(TableFeatures, DatesOfWhichSomeTellTheDayFromTheMonth) {
  const Dataset d = read("id,a,b\nx,01/02/1970,1-2-1970\ny,31/01/1970,1-31-1970\n");
  EXPECT_EQ(column(d, "a"), (Floats{31, 30}));
  EXPECT_EQ(column(d, "b"), (Floats{1, 30}));
  EXPECT_NE(d.remarks[0].find("dates in \"a\", \"b\""), std::string::npos);
  EXPECT_NE(error_of([] { read("id,a\nx,\ny,01/02/1970\nz,03/04/1970\n"); })
                .find("t.csv:3: feature \"a\" is \"01/02/1970\", of which either number may be the "
                      "day; write it as 2024-01-31"),
            std::string::npos);
}

// 01234 is a code, unless it is said to be a number.
TEST(TableFeatures, NumbersWithLeadingZerosAreCategories) {
  const char* text = "id,zip\na,01234\nb,99999\nc,01234\n";
  const Dataset d = read(text);
  EXPECT_EQ(d.feature_names, (std::vector<std::string>{"zip=01234", "zip=99999"}));
  EXPECT_NE(d.remarks[0].find("numbers with leading zeros are categories, not numbers: \"zip\""),
            std::string::npos);
  EXPECT_EQ(column(read(text, {.wanted = {"zip:number"}}), "zip"), (Floats{1234, 99999, 1234}));
  EXPECT_EQ(read("id,x\na,0\nb,0.5\nc,10\n").feature_names, (std::vector<std::string>{"x"}));
}

// As pandas and spreadsheets leave them.
TEST(TableFeatures, NumbersOfRowsAndFoldsAreNoFeatures) {
  const Dataset d = read("id,,Unnamed: 0,fold,x\na,0,0,1,5\nb,1,1,2,6\n");
  EXPECT_EQ(d.feature_names, (std::vector<std::string>{"x"}));
  EXPECT_NE(
      d.remarks[0].find("columns left out: \"\" (numbers of rows), \"Unnamed: 0\" (numbers of "
                        "rows), \"fold\" (folds of a split, which are not used)"),
      std::string::npos)
      << d.remarks[0];
  EXPECT_EQ(column(read("id,fold\na,1\nb,2\n", {.wanted = {"fold"}}), "fold"), (Floats{1, 2}));
  EXPECT_NE(error_of([] { read("id,x,x\na,1,2\n"); }).find("two columns are called \"x\""),
            std::string::npos);
}

TEST(TableFeatures, ManyTextsAreLeftOutOrHashed) {
  std::string text = "id,gene,constant\n";
  for (int i = 0; i < 200; i++) text += fmt::format("{},g{},x\n", i, i % 60);
  const Dataset d = read(text);
  EXPECT_EQ(d.feature_names, std::vector<std::string>{"constant=x"});
  ASSERT_EQ(d.remarks.size(), 1u);
  EXPECT_NE(d.remarks[0].find("columns left out: \"gene\" (60 different texts)"),
            std::string::npos);
  const Dataset hashed = read(text, {.wanted = {"gene"}});
  EXPECT_EQ(num_features(hashed.features), 65);
  const auto& x = std::get<Matrix>(hashed.features);
  for (int64_t r = 0; r < x.rows; r++) {
    float sum = 0;
    for (int64_t c = 0; c < x.cols; c++) sum += x(r, c);
    EXPECT_EQ(sum, 1);
    for (int64_t c = 0; c < x.cols; c++) EXPECT_EQ(x(r, c), x((r + 60) % 180, c));
  }
}

TEST(TableFeatures, OneMistakeAmongNumbersIsTold) {
  EXPECT_NE(error_of([] {
              read("id,x\na,1\nb,2\nc,1O\n");
            }).find("t.csv:4: feature \"x\" is \"1O\", not a finite number"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              read("id,x\na,1\nb,2\nc,1e39\n");
            }).find("t.csv:4: feature \"x\" is \"1e39\", which is too large"),
            std::string::npos);
}

// What is learned is learned of the rows trained on, here the first three.
TEST(ColumnScale, FillsWithTheMedianOfTheTrainingRows) {
  Dataset d =
      read("id,age,colour\na,1,red\nb,3,red\nc,8,blue\nd,NA,green\ne,1000,green\nf,NA,red\n");
  auto& x = std::get<Matrix>(d.features);
  const ColumnScale scale = column_scale(x, 1, std::vector<NodeId>{0, 1, 2}, false);
  EXPECT_EQ(scale.fill[0], 3);
  rescale(x, scale);
  EXPECT_EQ(column(d, "age"), (Floats{1, 3, 8, 3, 1000, 3}));
  EXPECT_EQ(column(d, "colour=red"), (Floats{1, 1, 0, 0, 0, 1}));
  EXPECT_EQ(column(d, "colour=green"), (Floats{0, 0, 0, 0, 0, 0}));  // in no training row
  EXPECT_EQ(column(d, "age=(missing)"), (Floats{0, 0, 0, 0, 0, 0}));

  Matrix even(5, 1);
  even.data = {NAN, 4, 1, 2, 30};
  EXPECT_EQ(column_scale(even, 1, std::vector<NodeId>{0, 1, 2, 3, 4}).fill[0], 3);
}

}  // namespace
}  // namespace mgnn
