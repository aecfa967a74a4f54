#include "mgnn/report/figure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "mgnn/report/svg.h"
#include "tests/util.h"

namespace mgnn {
namespace {

const Bars kBars{.axis = "accuracy",
                 .groups = {"GCN", "MGNN <b>"},
                 .series = {{"ours", {0.8, 0.9}, {0.1, 0}}, {"paper", {0.85, std::nullopt}}}};

int count(const std::string& text, const std::string& word) {
  int found = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) found++;
  return found;
}

// The numbers of an attribute, in the order of the drawing.
std::vector<double> numbers(const std::string& svg, const std::string& pattern) {
  std::vector<double> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator it(svg.begin(), svg.end(), regex), end; it != end; ++it)
    found.push_back(std::stod((*it)[1]));
  return found;
}

TEST(Figure, BarsAreAsLongAsTheirValues) {
  const std::string svg = inline_svg({"b", "Accuracy", kBars});
  const std::vector<double> ours =
      numbers(svg, "class=\"fill1\" data-tip[^/]* width=\"([0-9.]+)\"");
  const std::vector<double> paper =
      numbers(svg, "class=\"fill2\" data-tip[^/]* width=\"([0-9.]+)\"");
  ASSERT_EQ(ours.size(), 2u);
  ASSERT_EQ(paper.size(), 1u);  // nothing is drawn for what is not known
  EXPECT_NEAR(ours[1] / ours[0], 0.9 / 0.8, 0.002);
  EXPECT_NEAR(paper[0] / ours[0], 0.85 / 0.8, 0.002);
  EXPECT_EQ(count(svg, "class=\"error\""), 3);  // one error bar of three strokes
  EXPECT_NE(svg.find("GCN, ours: 0.8000 ± 0.1000"), std::string::npos);
}

TEST(Figure, CurvesGoThroughTheirPoints) {
  const Curves curves{.x_axis = "epoch",
                      .y_axis = "loss",
                      .curves = {{"train", {1, 2, 3}, {3, 2, 1}}, {"hole", {1, 2}, {1, NAN}}}};
  const std::string svg = inline_svg({"c", "Loss", curves});
  std::smatch found;
  ASSERT_TRUE(std::regex_search(
      svg, found,
      std::regex("line1\" points=\"([0-9.]+),([0-9.]+) ([0-9.]+),([0-9.]+) ([0-9.]+),([0-9.]+) ")));
  const auto at = [&](size_t i) { return std::stod(found[i]); };
  EXPECT_NEAR(at(3) - at(1), at(5) - at(3), 0.2);
  EXPECT_NEAR(at(4) - at(2), at(6) - at(4), 0.2);
  EXPECT_LT(at(2), at(6));  // large values are above
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  // On a logarithmic axis equal factors are equally far.
  Curves powers = curves;
  powers.powers_of_two = true;
  powers.curves = {{"d", {1, 2, 4}, {1, 1, 2}}};
  const std::vector<double> x =
      numbers(inline_svg({"c", "", powers}), "target\"[^/]* cx=\"([0-9.]+)");
  ASSERT_EQ(x.size(), 3u);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.2);
}

TEST(Figure, HeatIsTheShareOfTheRow) {
  const HeatMap map{.row_axis = "true",
                    .column_axis = "predicted",
                    .rows = {"a", "b"},
                    .columns = {"a", "b"},
                    .value = {3, 1, 0, 5},
                    .counts = true};
  const std::string svg = inline_svg({"h", "Confusion", map});
  EXPECT_EQ(numbers(svg, "class=\"heat\" fill-opacity=\"([0-9.]+)\""),
            (std::vector<double>{0.75, 0.25, 0, 0.999}));
  EXPECT_NE(svg.find("a, b: 1 (25.0% of the row)"), std::string::npos);
}

TEST(Figure, DataCannotAddMarkup) {
  const std::string bad = "\"><script>alert(1)</script>\x01&";
  const Figure figures[] = {
      {"x", bad, Bars{bad, {bad}, {{bad, {1.0}}, {bad, {1.0}}}}},
      {"x", bad, Curves{bad, bad, {{bad, {1}, {1}}}, false, true, 1.0, bad}},
      {"x", bad, HeatMap{bad, bad, {bad}, {bad}, {1}, true}},
      {"x", bad, Scatter{bad, bad, {{bad, {1}, {1}, {bad}}}}},
  };
  for (const Figure& figure : figures) {
    const std::string svg = inline_svg(figure);
    EXPECT_EQ(svg.find("<script"), std::string::npos) << svg;
    EXPECT_EQ(svg.find('\x01'), std::string::npos);
    EXPECT_EQ(count(svg, "<svg"), 1);
  }
}

TEST(Figure, NothingToDrawIsStillADrawing) {
  for (const Figure& figure : {Figure{"e", "Empty", Bars{}}, Figure{"e", "Empty", Curves{}},
                               Figure{"e", "Empty", HeatMap{}}, Figure{"e", "Empty", Scatter{}}}) {
    const std::string svg = inline_svg(figure);
    EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
    EXPECT_EQ(svg.find("inf"), std::string::npos) << svg;
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
  }
}

TEST(Figure, FilesHaveColoursOfTheirOwn) {
  const Figure figure{"b", "Accuracy", kBars};
  const std::string svg = svg_of(figure);
  EXPECT_TRUE(svg.starts_with("<?xml"));
  EXPECT_EQ(svg.find("var("), std::string::npos);
  EXPECT_NE(svg.find(".fill1{fill:#0072b2}"), std::string::npos);
  EXPECT_EQ(inline_svg(figure).find('#'), std::string::npos) << "colours belong to the page";
}

// Big-endian number in the header of a PNG.
uint32_t number_at(const std::string& png, size_t at) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; i++) value = value << 8 | static_cast<unsigned char>(png[at + i]);
  return value;
}

TEST(Figure, PngIsTheSameDrawing) {
  const Figure figure{"b", "Accuracy", kBars};
  if (!has_png()) {
    EXPECT_NE(testing::error_of([&] { png_of(figure); }).find("librsvg"), std::string::npos);
    GTEST_SKIP() << "built without librsvg";
  }
  const std::string png = png_of(figure, 2);
  ASSERT_TRUE(png.starts_with("\x89PNG"));
  EXPECT_EQ(number_at(png, 16), 1280u);
  const std::vector<double> height = numbers(svg_of(figure), "<svg[^>]* height=\"([0-9.]+)\"");
  EXPECT_EQ(number_at(png, 20), uint32_t(2 * height[0]));
  EXPECT_GT(png.size(), png_of({"e", "", Bars{}}, 2).size()) << "something is drawn";
}

}  // namespace
}  // namespace mgnn
