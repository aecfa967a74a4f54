// Every figure is laid out on 640 units of width, text 13 units high; heights follow from content.

#include "mgnn/report/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mgnn/base/error.h"
#include "mgnn/report/svg.h"
#include "mgnn/report/text.h"

namespace mgnn {
namespace {

constexpr double kWidth = 640, kRight = 24, kTop = 12;
constexpr double kCharacter = 8.2;  // width of most
constexpr int kColours = 12;

// Nearly: which font a viewer has is not known. Capitals are wider.
double text_width(std::string_view text) {
  const auto capitals =
      std::count_if(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  return kCharacter * (display_width(text) + 0.4 * double(capitals));
}

// The beginning of a name that has at most `max_columns` columns.
std::string shortened(const std::string& text, int max_columns) {
  if (display_width(text) <= max_columns) return text;
  size_t size = text.size();
  while (size > 0 && (display_width(std::string_view(text).substr(0, size)) > max_columns - 1 ||
                      (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80))
    size--;
  return text.substr(0, size) + "…";
}

std::string colour(const char* kind, size_t i) {
  return fmt::format("{}{}", kind, i % kColours + 1);
}

// A range of values on a range of units.
struct Scale {
  double low = 0, high = 1, from = 0, to = 1;
  bool logarithmic = false;
  double operator()(double value) const {
    const auto t = [&](double v) { return logarithmic ? std::log2(v) : v; };
    return from + (t(value) - t(low)) / (t(high) - t(low)) * (to - from);
  }
};

// About five round numbers from low to high.
std::vector<double> ticks(double low, double high) {
  const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power < 1.5   ? 1
                               : rough / power < 3.5 ? 2
                               : rough / power < 7.5 ? 5
                                                     : 10);
  std::vector<double> ticks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++)
    ticks.push_back(i * step);
  return ticks;
}

std::string tick_text(double value) {
  if (std::abs(value) < 1e-12) return "0";
  if (std::abs(value) >= 1e6) return fmt::format("{:.3g}M", value / 1e6);
  if (std::abs(value) >= 1e4) return fmt::format("{:.3g}k", value / 1e3);
  return fmt::format("{:.6g}", value);
}

// Low and high are moved to round numbers around the finite values.
void widen(Scale& scale, bool from_zero) {
  if (!(scale.high > scale.low)) {
    scale.low -= 0.5 * std::max(1e-3, std::abs(scale.low));
    scale.high += 0.5 * std::max(1e-3, std::abs(scale.high));
  }
  const double margin = 0.04 * (scale.high - scale.low);
  scale.low = from_zero && scale.low >= 0 ? 0 : scale.low - margin;
  scale.high += margin;
}

class Range {
 public:
  void take(double value) {
    if (!std::isfinite(value)) return;
    low_ = any_ ? std::min(low_, value) : value;
    high_ = any_ ? std::max(high_, value) : value;
    any_ = true;
  }
  Scale scale(double from, double to) const {
    Scale scale{any_ ? low_ : 0, any_ ? high_ : 1, from, to};
    widen(scale, /*from_zero=*/false);
    return scale;
  }
  Scale scale_from_zero(double from, double to) const {
    Scale scale{any_ ? std::min(low_, 0.) : 0, any_ ? std::max(high_, 0.) : 1, from, to};
    widen(scale, /*from_zero=*/true);
    return scale;
  }
  // With margins that are factors. REQUIRES: all values are above 0.
  Scale log_scale(double from, double to) const {
    return {any_ ? low_ / 1.2 : 1, any_ ? high_ * 1.2 : 2, from, to, true};
  }

 private:
  double low_ = 0, high_ = 0;
  bool any_ = false;
};

// Names beside their colours, in as many lines as needed; gives the y below.
double legend(Svg& svg, double left, double y, const std::vector<std::string>& names,
              const char* kind) {
  if (names.empty()) return y;
  double x = left;
  for (size_t i = 0; i < names.size(); i++) {
    const std::string name = shortened(names[i], 28);
    const double width = 18 + text_width(name) + 14;
    if (x > left && x + width > kWidth) x = left, y += 20;
    svg.rect(x, y, 12, 12, {colour(kind, i)});
    svg.text(x + 18, y + 11, name);
    x += width;
  }
  return y + 26;
}

void horizontal_axis(Svg& svg, const Scale& x, double top, double bottom,
                     const std::string& title) {
  for (const double value : ticks(x.low, x.high)) {
    svg.line(x(value), top, x(value), bottom, "grid");
    svg.text(x(value), bottom + 17, tick_text(value), Anchor::middle, "tick");
  }
  svg.text((x.from + x.to) / 2, bottom + 37, title, Anchor::middle);
}

void vertical_axis(Svg& svg, const Scale& y, double left, double right, const std::string& title) {
  for (const double value : ticks(y.low, y.high)) {
    svg.line(left, y(value), right, y(value), "grid");
    svg.text(left - 7, y(value) + 4, tick_text(value), Anchor::end, "tick");
  }
  svg.text_up(14, (y.from + y.to) / 2, title);
}

template <class Series>
std::vector<std::string> names_of(const std::vector<Series>& series) {
  std::vector<std::string> names;
  for (const Series& one : series) names.push_back(one.name);
  return names;
}

std::string draw(const Bars& bars, const std::string& title) {
  Svg svg;
  double left = 20;
  for (const std::string& group : bars.groups)
    left = std::max(left, 12 + text_width(shortened(group, 26)));
  const size_t count = bars.series.size();
  const double thick = count > 2 ? 12 : 15, row = thick * double(count) + 11;
  double y = kTop;
  if (count > 1) y = legend(svg, left, y, names_of(bars.series), "fill");
  const double bottom = y + row * double(bars.groups.size());

  Range range;
  double label_width = 0;
  const auto label = [&](const BarSeries& s, size_t g) {
    return s.label.empty() ? fmt::format("{:.{}f}", *s.value[g], bars.digits) : s.label[g];
  };
  const auto error = [&](const BarSeries& s, size_t g) { return s.error.empty() ? 0 : s.error[g]; };
  for (const BarSeries& s : bars.series)
    for (size_t g = 0; g < bars.groups.size(); g++)
      if (s.value[g]) {
        range.take(*s.value[g] + error(s, g));
        range.take(*s.value[g] - error(s, g));
        label_width = std::max(label_width, text_width(label(s, g)));
      }
  const Scale x = range.scale_from_zero(left, kWidth - kRight - label_width);
  horizontal_axis(svg, x, y, bottom, bars.axis);

  for (size_t g = 0; g < bars.groups.size(); g++) {
    const double top = y + row * double(g) + 5;
    svg.text(left - 7, top + (row - 11) / 2 + 4, shortened(bars.groups[g], 26), Anchor::end);
    for (size_t i = 0; i < count; i++) {
      const BarSeries& s = bars.series[i];
      if (!s.value[g]) continue;
      const double at = top + thick * double(i), value = *s.value[g], e = error(s, g);
      std::string tip = bars.groups[g] + (count > 1 ? ", " + s.name : "") + ": " +
                        fmt::format("{:.{}f}", value, bars.digits + 1);
      if (e > 0) tip += fmt::format(" ± {:.{}f}", e, bars.digits + 1);
      svg.rect(std::min(x(0), x(value)), at, std::abs(x(value) - x(0)), thick - 2,
               {colour("fill", i), tip});
      if (e > 0) {
        const double middle = at + (thick - 2) / 2;
        svg.line(x(value - e), middle, x(value + e), middle, "error");
        svg.line(x(value - e), middle - 3, x(value - e), middle + 3, "error");
        svg.line(x(value + e), middle - 3, x(value + e), middle + 3, "error");
      }
      svg.text(x(std::max(value + e, 0.)) + 5, at + thick / 2 + 3, label(s, g), Anchor::start,
               "value");
    }
  }
  svg.line(x(0), y, x(0), bottom, "axis");
  return svg.done(kWidth, bottom + 48, title);
}

// The axes of a plot of points; gives where it is.
struct Plot {
  Scale x, y;
};
enum class XScale { linear, powers_of_two };

Plot plot_area(Svg& svg, const Range& xs, const Range& ys, double top, const std::string& x_axis,
               const std::string& y_axis, XScale x_scale, double height) {
  const double left = 70, right = kWidth - kRight, bottom = top + height;
  Plot plot{xs.scale(left, right), ys.scale(bottom, top)};
  if (x_scale == XScale::powers_of_two) {
    plot.x = xs.log_scale(left, right);
    for (double v = 1; v <= plot.x.high; v *= 2)
      if (v >= plot.x.low) {
        svg.line(plot.x(v), top, plot.x(v), bottom, "grid");
        svg.text(plot.x(v), bottom + 17, tick_text(v), Anchor::middle, "tick");
      }
    svg.text((left + right) / 2, bottom + 37, x_axis, Anchor::middle);
  } else {
    horizontal_axis(svg, plot.x, top, bottom, x_axis);
  }
  vertical_axis(svg, plot.y, left, right, y_axis);
  svg.line(left, bottom, right, bottom, "axis");
  svg.line(left, top, left, bottom, "axis");
  return plot;
}

// Points of a long curve that are worth a place of their own on the screen.
std::vector<size_t> thinned(size_t count, size_t max_count) {
  std::vector<size_t> kept;
  const size_t step = count / max_count + 1;
  for (size_t i = 0; i < count; i += step) kept.push_back(i);
  if (count > 0 && kept.back() != count - 1) kept.push_back(count - 1);
  return kept;
}

std::string draw(const Curves& curves, const std::string& title) {
  Svg svg;
  const double top = legend(svg, 70, kTop, names_of(curves.curves), "fill");
  Range xs, ys;
  for (const Curve& c : curves.curves)
    for (size_t i = 0; i < c.x.size(); i++) {
      const double e = c.error.empty() ? 0 : c.error[i];
      xs.take(c.x[i]);
      ys.take(c.y[i] - e);
      ys.take(c.y[i] + e);
    }
  Plot plot = plot_area(svg, xs, ys, top, curves.x_axis, curves.y_axis,
                        curves.powers_of_two ? XScale::powers_of_two : XScale::linear, 260);
  if (curves.mark) {
    const double x = plot.x(*curves.mark);
    svg.line(x, plot.y.to, x, plot.y.from, "mark");
    svg.text(x < 0.8 * kWidth ? x + 5 : x - 5, plot.y.to + 13, curves.mark_name,
             x < 0.8 * kWidth ? Anchor::start : Anchor::end, "tick");
  }
  for (size_t i = 0; i < curves.curves.size(); i++) {
    const Curve& c = curves.curves[i];
    std::string points;
    for (size_t p = 0; p < c.x.size(); p++)
      if (std::isfinite(c.y[p])) points += point(plot.x(c.x[p]), plot.y(c.y[p]));
    svg.polyline(points, colour("line", i));
  }
  for (size_t i = 0; i < curves.curves.size(); i++) {
    const Curve& c = curves.curves[i];
    for (const size_t p : thinned(c.x.size(), 150)) {
      if (!std::isfinite(c.y[p])) continue;
      const double x = plot.x(c.x[p]), y = plot.y(c.y[p]);
      std::string tip = fmt::format("{}: {:.4g} at {} {:g}", c.name, c.y[p], curves.x_axis, c.x[p]);
      if (!c.error.empty() && c.error[p] > 0) {
        svg.line(x, plot.y(c.y[p] - c.error[p]), x, plot.y(c.y[p] + c.error[p]), "error");
        tip += fmt::format(" (± {:.4g})", c.error[p]);
      }
      if (curves.dots) svg.circle(x, y, 3.5, {colour("fill", i)});
      svg.circle(x, y, 6, {"target", tip});
    }
  }
  return svg.done(kWidth, plot.y.from + 48, title);
}

constexpr int kMaxRowName = 40;  // characters: ids of knowledge graphs differ at their ends

// From the largest negative value, where there is one, over 0 to the largest.
double colour_scale(Svg& svg, const HeatMap& map, double left, double y, double largest) {
  constexpr int kSteps = 10;
  constexpr double kStep = 12, kHeight = 10;
  const bool negative =
      std::any_of(map.value.begin(), map.value.end(), [](double v) { return v < 0; });
  const int first = negative ? -kSteps : 0;
  for (int step = first; step < kSteps; step++) {
    const double share = (std::abs(step + 0.5)) / kSteps;
    svg.rect(left + kStep * (step - first), y, kStep, kHeight,
             {step < 0 ? "cold" : "heat", {}, std::min(share, 0.999)});
  }
  const auto tick = [&](int step, double value) {
    svg.text(left + kStep * (step - first), y + kHeight + 14, fmt::format("{:.3g}", value),
             Anchor::middle, "tick");
  };
  if (negative) tick(-kSteps, -largest);
  tick(0, 0);
  tick(kSteps, largest);
  return kHeight + 20;
}

double column_place(const HeatMap& map, double left, double width, size_t column) {
  double x = left + width * double(column);
  for (const int64_t at : map.breaks) x += int64_t(column) >= at ? 8 : 0;
  return x;
}

std::string draw(const HeatMap& map, const std::string& title) {
  Svg svg;
  double left = 30;
  for (const std::string& row : map.rows)
    left = std::max(left, 34 + text_width(shortened(row, kMaxRowName)));
  const auto columns = double(std::max<size_t>(map.columns.size(), 1));
  const double room = kWidth - kRight - left - 8 * double(map.breaks.size());
  const double width = std::min(room / columns, 76.);
  const double height = map.counts ? std::max(24., std::min(width, 34.)) : 20;
  int longest = 0;
  for (const std::string& column : map.columns) longest = std::max(longest, display_width(column));
  const bool upright = longest * kCharacter > width - 4;
  const double head = kTop + (upright ? 12 + kCharacter * std::min(longest, 16) : 20) + 20;
  const double right = column_place(map, left, width, map.columns.size());
  svg.text((left + right) / 2, kTop + 11, map.column_axis, Anchor::middle);
  svg.text_up(14, head + height * double(map.rows.size()) / 2, map.row_axis);
  for (size_t c = 0; c < map.columns.size(); c++) {
    const double x = column_place(map, left, width, c) + width / 2;
    const std::string name = shortened(map.columns[c], 16);
    if (upright)
      svg.text_up(x + 4, head - 6, name, Anchor::start, "tick");
    else
      svg.text(x, head - 7, name, Anchor::middle, "tick");
  }
  double largest = 0;
  for (const double v : map.value) largest = std::max(largest, std::abs(v));
  for (size_t r = 0; r < map.rows.size(); r++) {
    const double y = head + height * double(r);
    svg.text(left - 7, y + height / 2 + 4, shortened(map.rows[r], kMaxRowName), Anchor::end,
             "tick");
    double sum = 0;
    for (size_t c = 0; c < map.columns.size(); c++) sum += map.value[r * map.columns.size() + c];
    for (size_t c = 0; c < map.columns.size(); c++) {
      const double v = map.value[r * map.columns.size() + c], x = column_place(map, left, width, c);
      const double all = map.counts ? sum : largest, share = all > 0 ? std::abs(v) / all : 0;
      std::string tip = map.rows[r] + ", " + map.columns[c] + ": ";
      tip += map.counts ? fmt::format("{:.0f} ({:.1f}% of the row)", v, 100 * share)
                        : fmt::format("{:.4g}", v);
      svg.rect(x, y, width - 1, height - 1, {"none", {}});
      svg.rect(x, y, width - 1, height - 1, {v < 0 ? "cold" : "heat", tip, std::min(share, 0.999)});
      if (map.counts)
        svg.text(x + width / 2, y + height / 2 + 4, fmt::format("{:.0f}", v), Anchor::middle,
                 share > 0.55 ? "over" : "value");
    }
  }
  double bottom = head + height * double(map.rows.size()) + 12;
  if (!map.counts && largest > 0) bottom += colour_scale(svg, map, left, bottom, largest);
  return svg.done(kWidth, bottom, title);
}

std::string draw(const Scatter& scatter, const std::string& title) {
  Svg svg;
  const double top = legend(svg, 70, kTop, names_of(scatter.groups), "fill");
  Range xs, ys;
  size_t total = 0;
  for (const ScatterGroup& g : scatter.groups) {
    for (const double x : g.x) xs.take(x);
    for (const double y : g.y) ys.take(y);
    total += g.x.size();
  }
  const Plot plot =
      plot_area(svg, xs, ys, top, scatter.x_axis, scatter.y_axis, XScale::linear, 400);
  const double radius = total > 1000 ? 2.2 : 3.2;
  for (size_t i = 0; i < scatter.groups.size(); i++) {
    const ScatterGroup& g = scatter.groups[i];
    for (size_t p = 0; p < g.x.size(); p++)
      svg.circle(plot.x(g.x[p]), plot.y(g.y[p]), radius,
                 {colour("fill", i), g.tip.empty() ? g.name : g.tip[p], 0.7});
  }
  return svg.done(kWidth, plot.y.from + 48, title);
}

constexpr double kNodeRadius = 8;

// Fitted to the drawing, the same scale both ways.
std::vector<std::pair<double, double>> fitted(const std::vector<NetworkNode>& nodes, double top,
                                              double height) {
  std::vector<std::pair<double, double>> places;
  if (nodes.empty()) return places;
  const auto [left, right] = std::minmax_element(
      nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  const auto [high, low] = std::minmax_element(
      nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
  const double dx = std::max(right->x - left->x, 1e-9), dy = std::max(low->y - high->y, 1e-9);
  const double scale = std::min((kWidth - 120) / dx, height / dy);
  for (const NetworkNode& node : nodes)
    places.emplace_back(kWidth / 2 + (node.x - (left->x + right->x) / 2) * scale,
                        top + height / 2 + (node.y - (high->y + low->y) / 2) * scale);
  return places;
}

// At (x, y), pointing along (dx, dy), which has length 1.
void arrow_head(Svg& svg, double x, double y, double dx, double dy, double size, size_t group,
                const std::string& tip) {
  const double back = size * 1.6;
  svg.polygon(point(x, y) +
                  point(x - back * dx - size / 1.4 * dy, y - back * dy + size / 1.4 * dx) +
                  point(x - back * dx + size / 1.4 * dy, y - back * dy - size / 1.4 * dx),
              {colour("fill", group), tip});
}

std::string draw(const Network& network, const std::string& title) {
  Svg svg;
  const double top = legend(svg, 24, kTop, network.groups, "fill") + 30;
  const double height = network.nodes.size() < 4 ? 160 : 420;
  const auto places = fitted(network.nodes, top, height);
  double largest = 0;
  for (const NetworkLink& link : network.links) largest = std::max(largest, std::abs(link.weight));
  for (const NetworkLink& link : network.links) {
    const auto [x1, y1] = places[link.from];
    const auto [x2, y2] = places[link.to];
    const double length = std::max(std::hypot(x2 - x1, y2 - y1), 1e-9);
    const double dx = (x2 - x1) / length, dy = (y2 - y1) / length;
    const double width = 0.8 + 4.2 * (largest > 0 ? std::abs(link.weight) / largest : 0);
    const double head = 4 + width, gap = kNodeRadius + 2, shaft = gap + head;
    const std::string style = colour("line", link.group) + (link.weight < 0 ? " dashed" : "");
    svg.line(x1 + dx * (link.mutual ? shaft : gap), y1 + dy * (link.mutual ? shaft : gap),
             x2 - dx * shaft, y2 - dy * shaft, width, {style, link.tip});
    arrow_head(svg, x2 - dx * gap, y2 - dy * gap, dx, dy, head, link.group, link.tip);
    if (link.mutual)
      arrow_head(svg, x1 + dx * gap, y1 + dy * gap, -dx, -dy, head, link.group, link.tip);
  }
  for (size_t i = 0; i < network.nodes.size(); i++) {
    const NetworkNode& node = network.nodes[i];
    const auto [x, y] = places[i];
    svg.circle(x, y, kNodeRadius, {"node", node.tip.empty() ? node.name : node.tip});
    if (node.marked) svg.circle(x, y, kNodeRadius + 3.5, {"ring"});
    const double below = y + kNodeRadius + (node.marked ? 18 : 14);
    svg.text(x, below, shortened(node.name, 22), Anchor::middle, "halo");
    svg.text(x, below, shortened(node.name, 22), Anchor::middle, node.marked ? "" : "tick");
  }
  return svg.done(kWidth, top + height + 40, title);
}

}  // namespace

std::string inline_svg(const Figure& figure) {
  return std::visit([&](const auto& content) { return draw(content, figure.title); },
                    figure.content);
}

}  // namespace mgnn
