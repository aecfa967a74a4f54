#include "mgnn/report/svg.h"

#include <fmt/format.h>

#include "mgnn/report/text.h"

namespace mgnn {
namespace {

// A tenth of a pixel is enough, and files stay small and equal everywhere.
std::string number(double x) {
  std::string text = fmt::format("{:.1f}", x);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

const char* name_of(Anchor anchor) {
  return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
}

}  // namespace

std::string point(double x, double y) { return number(x) + "," + number(y) + " "; }

void Svg::open(std::string_view element, const Look& look) {
  body_ += fmt::format("<{} class=\"{}\"", element, look.style);
  if (look.opacity < 1) body_ += fmt::format(" fill-opacity=\"{:.3f}\"", look.opacity);
  if (!look.tip.empty()) body_ += fmt::format(" data-tip=\"{}\"", xml_escaped(look.tip));
}

void Svg::rect(double x, double y, double width, double height, const Look& look) {
  open("rect", look);
  body_ += fmt::format(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", number(x), number(y),
                       number(width), number(height));
}

void Svg::circle(double x, double y, double radius, const Look& look) {
  open("circle", look);
  body_ += fmt::format(" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", number(x), number(y), number(radius));
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
  open("line", {style});
  body_ += fmt::format(" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", number(x1), number(y1),
                       number(x2), number(y2));
}

void Svg::line(double x1, double y1, double x2, double y2, double width, const Look& look) {
  open("line", look);
  body_ += fmt::format(" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke-width=\"{}\"/>\n",
                       number(x1), number(y1), number(x2), number(y2), number(width));
}

void Svg::polygon(const std::string& points, const Look& look) {
  open("polygon", look);
  body_ += fmt::format(" points=\"{}\"/>\n", points);
}

void Svg::polyline(const std::string& points, std::string_view style) {
  open("polyline", {style});
  body_ += fmt::format(" points=\"{}\"/>\n", points);
}

void Svg::put_text(const std::string& where, std::string_view what, Anchor anchor,
                   std::string_view style) {
  body_ += fmt::format("<text {} text-anchor=\"{}\"", where, name_of(anchor));
  if (!style.empty()) body_ += fmt::format(" class=\"{}\"", style);
  body_ += fmt::format(">{}</text>\n", xml_escaped(what));
}

void Svg::text(double x, double y, std::string_view what, Anchor anchor, std::string_view style) {
  put_text(fmt::format("x=\"{}\" y=\"{}\"", number(x), number(y)), what, anchor, style);
}

void Svg::text_up(double x, double y, std::string_view what, Anchor anchor,
                  std::string_view style) {
  put_text(fmt::format("transform=\"translate({} {}) rotate(-90)\"", number(x), number(y)), what,
           anchor, style);
}

std::string Svg::done(double width, double height, std::string_view name) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" role=\"img\" aria-label=\"{}\" "
      "width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\">\n{}</svg>\n",
      xml_escaped(name), number(width), number(height), number(width), number(height), body_);
}

}  // namespace mgnn
