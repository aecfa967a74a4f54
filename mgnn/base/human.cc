#include "mgnn/base/human.h"

#include <fmt/core.h>

#include <algorithm>

#include "mgnn/base/lines.h"

namespace mgnn {

std::string human_count(int64_t count) {
  std::string digits = fmt::format("{}", count);
  const size_t first = count < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;) digits.insert(i -= 3, ",");
  return digits;
}

std::string human_bytes(int64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = double(bytes);
  const char* unit = "B";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return value < 10 ? fmt::format("{:.1f} {}", value, unit) : fmt::format("{:.0f} {}", value, unit);
}

std::optional<int64_t> parse_bytes(std::string_view text) {
  text = trimmed(text);
  const size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
  const std::string unit = lower(trimmed(text.substr(digits)));
  double number;
  if (digits == 0 || !parse_number(text.substr(0, digits), number)) return {};
  const std::string_view units = "kmgt";
  const size_t power = unit.empty() ? units.npos : units.find(unit[0]);
  if (power != units.npos) {
    if (unit.size() > 1 && unit.substr(1) != "b" && unit.substr(1) != "ib") return {};
    number *= double(int64_t(1) << (10 * (power + 1)));
  } else if (!unit.empty() && unit != "b") {
    return {};
  }
  if (!(number < double(int64_t(1) << 62))) return {};
  return int64_t(number);
}

std::string human_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const int64_t whole = int64_t(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string human_list(std::span<const std::string> names, size_t max) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), max); i++) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > max)
    text += fmt::format(" and {} more", human_count(int64_t(names.size() - max)));
  return text;
}

}  // namespace mgnn
