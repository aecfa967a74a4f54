// Figures from plain values: bars, curves, heat maps, scatter plots, as SVG and PNG.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mgnn {

// Values of one colour, one for each group; none: left out.
struct BarSeries {
  std::string name;
  std::vector<std::optional<double>> value;
  std::vector<double> error = {};       // half the length of the error bars; empty: no bars
  std::vector<std::string> label = {};  // at the ends of the bars; empty: the values
};

// Horizontal bars from 0 on, a row of them for each group.
struct Bars {
  std::string axis;  // what the values are
  std::vector<std::string> groups;
  std::vector<BarSeries> series;
  int digits = 3;  // of the values
};

struct Curve {
  std::string name;
  std::vector<double> x, y;
  std::vector<double> error = {};  // half the height of the error bars; empty: none
};

struct Curves {
  std::string x_axis, y_axis;
  std::vector<Curve> curves;
  bool powers_of_two = false;       // x on a logarithmic scale
  bool dots = false;                // mark every point
  std::optional<double> mark = {};  // a vertical line at this x
  std::string mark_name = {};
};

// A cell for each row and column, the darker the larger. Confusion matrices show their counts and
// are coloured by the share of the row.
struct HeatMap {
  std::string row_axis, column_axis;
  std::vector<std::string> rows, columns;
  std::vector<double> value;  // (rows, columns); colours go from 0 to the largest
  bool counts = false;        // print the values, whole numbers; colour by their share of the row
  std::vector<int64_t> breaks = {};  // a gap before these columns
};

struct ScatterGroup {
  std::string name;
  std::vector<double> x, y;
  std::vector<std::string> tip = {};  // empty: the name
};

struct Scatter {
  std::string x_axis, y_axis;
  std::vector<ScatterGroup> groups;
};

struct NetworkNode {
  std::string name, tip = {};
  double x = 0, y = 0;  // in any unit: the drawing is fitted
  bool marked = false;  // a ring around it
};
struct NetworkLink {
  size_t from = 0, to = 0;  // of the nodes
  bool mutual = false;      // an arrow head at both ends
  double weight = 0;        // its width; negative: dashed
  size_t group = 0;         // its colour
  std::string tip = {};
};

// Nodes and arrows between them.
struct Network {
  std::vector<NetworkNode> nodes;
  std::vector<NetworkLink> links;
  std::vector<std::string> groups;  // the legend
};

struct Figure {
  std::string name;   // of its files: "accuracy-cora"
  std::string title;  // also read aloud by screen readers
  std::variant<Bars, Curves, HeatMap, Scatter, Network> content;
};

// For a page whose style has `kFigureRules` and the colours: follows light and dark mode.
std::string inline_svg(const Figure& figure);
// A file by itself, in light colours.
std::string svg_of(const Figure& figure);
// The same drawing in pixels, `scale` for each unit. Throws Error where librsvg is not here, or the program was
// built without it; see `has_png`.
std::string png_of(const Figure& figure, double scale = 2);
bool has_png();

// Rules for the classes of drawings, in CSS variables; and values of the variables.
extern const char* const kFigureRules;
extern const char* const kLightColours;  // "--ink:#1b1b1b;…"
extern const char* const kDarkColours;

}  // namespace mgnn
