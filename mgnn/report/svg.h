// A drawing, element by element. Colours are classes: the page, or the style of a file, gives them.
#pragma once

#include <string>
#include <string_view>

namespace mgnn {

// What an element looks like, and what is said when the pointer is over it.
struct Look {
  std::string_view style;     // class
  std::string_view tip = {};  // plain text; empty: nothing
  double opacity = 1;         // of the fill
};

enum class Anchor { start, middle, end };

class Svg {
 public:
  void rect(double x, double y, double width, double height, const Look& look);
  void circle(double x, double y, double radius, const Look& look);
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  // The same with a width of its own.
  void line(double x1, double y1, double x2, double y2, double width, const Look& look);
  void polygon(const std::string& points, const Look& look);
  // `points`: "x,y x,y …"
  void polyline(const std::string& points, std::string_view style);
  void text(double x, double y, std::string_view what, Anchor anchor = Anchor::start,
            std::string_view style = "");
  // Upwards, as along a vertical axis.
  void text_up(double x, double y, std::string_view what, Anchor anchor = Anchor::middle,
               std::string_view style = "");

  // The whole drawing; `name` is read aloud by screen readers.
  std::string done(double width, double height, std::string_view name) const;

 private:
  void put_text(const std::string& where, std::string_view what, Anchor anchor,
                std::string_view style);
  void open(std::string_view element, const Look& look);
  std::string body_;
};

std::string point(double x, double y);  // "x,y "

}  // namespace mgnn
