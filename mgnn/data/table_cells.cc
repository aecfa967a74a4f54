#include "mgnn/data/table_cells.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>

#include "mgnn/base/lines.h"

namespace mgnn {
namespace {

// The number that `count` digits at `place` write, or -1.
int digits_at(std::string_view text, size_t place, size_t count) {
  int value = 0;
  for (size_t i = place; i < place + count; i++) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') return -1;
    value = 10 * value + (text[i] - '0');
  }
  return value;
}

std::optional<double> day_number(int year, int month, int day) {
  if (year < 0 || month < 0 || day < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(unsigned(month)),
                                         std::chrono::day(unsigned(day))};
  if (!date.ok()) return std::nullopt;
  return double(std::chrono::sys_days(date).time_since_epoch().count());
}

bool is_time_zone(std::string_view text) {
  if (text.empty() || text == "Z") return true;
  return (text[0] == '+' || text[0] == '-') && digits_at(text, 1, 2) >= 0;
}

// A part of a day: T18:30, T18:30:05, T18:30:05.123, and a time zone.
std::optional<double> time_of_day(std::string_view text) {
  if (text.empty()) return 0;
  const int hour = digits_at(text, 1, 2), minute = digits_at(text, 4, 2);
  if ((text[0] != 'T' && text[0] != ' ') || hour < 0 || hour > 24 || minute < 0 || minute > 59 ||
      text[3] != ':')
    return std::nullopt;
  text.remove_prefix(6);
  int second = 0;
  if (text.starts_with(':')) {
    second = digits_at(text, 1, 2);
    if (second < 0 || second > 60) return std::nullopt;
    text.remove_prefix(3);
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
    }
  }
  if (!is_time_zone(text)) return std::nullopt;
  return (hour * 3600. + minute * 60. + second) / 86400.;
}

// The number at the beginning of `text`, of one or two digits and up to a separator, both of which it takes
// off; or -1.
int take_part(std::string_view& text, char separator) {
  const size_t end = text.find(separator);
  const int value = end == 1 || end == 2 ? digits_at(text, 0, end) : -1;
  if (value >= 0) text.remove_prefix(end + 1);
  return value;
}

enum class First { day, month };

std::optional<double> slashed_date(std::string_view cell, First order) {
  const size_t at = cell.find_first_of("/-");
  if (at == cell.npos) return std::nullopt;
  const char separator = cell[at];
  const int first = take_part(cell, separator), second = take_part(cell, separator);
  const int year = digits_at(cell, 0, 4);
  if (first < 0 || second < 0 || year < 0) return std::nullopt;
  const bool day_first = order == First::day;
  const std::optional<double> day =
      day_number(year, day_first ? second : first, day_first ? first : second);
  const std::optional<double> time = time_of_day(cell.substr(4));
  if (!day || !time) return std::nullopt;
  return *day + *time;
}

}  // namespace

bool is_missing(std::string_view cell) {
  static constexpr std::array<std::string_view, 11> kWords = {
      "NA", "N/A", "n/a", "#N/A", "<NA>", "nan", "NaN", "NAN", "NULL", "null", "?"};
  cell = trimmed(cell);
  if (cell.size() > 4) return false;
  return cell.empty() || std::find(kWords.begin(), kWords.end(), cell) != kWords.end();
}

std::optional<double> number_in(std::string_view cell) {
  double value = 0;
  if (!parse_number(cell, value) || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<double> decimal_comma_in(std::string_view cell) {
  const size_t comma = cell.find(',');
  if (comma == cell.npos) return number_in(cell);
  if (cell.find('.') != cell.npos) return std::nullopt;
  std::string text(cell);
  text[comma] = '.';
  return number_in(text);
}

std::optional<double> boolean_in(std::string_view cell) {
  if (cell.size() > 5) return std::nullopt;
  std::string word(cell);
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  if (word == "true" || word == "yes" || word == "t" || word == "y") return 1;
  if (word == "false" || word == "no" || word == "f" || word == "n") return 0;
  return std::nullopt;
}

std::optional<double> date_in(std::string_view cell) {
  if (cell.size() < 10) return std::nullopt;
  std::optional<double> day;
  if ((cell[4] == '-' || cell[4] == '/') && cell[7] == cell[4])
    day = day_number(digits_at(cell, 0, 4), digits_at(cell, 5, 2), digits_at(cell, 8, 2));
  else if (cell[2] == '.' && cell[5] == '.')
    day = day_number(digits_at(cell, 6, 4), digits_at(cell, 3, 2), digits_at(cell, 0, 2));
  const std::optional<double> time = time_of_day(cell.substr(10));
  if (!day || !time) return std::nullopt;
  return *day + *time;
}

std::optional<double> day_first_in(std::string_view cell) { return slashed_date(cell, First::day); }
std::optional<double> month_first_in(std::string_view cell) {
  return slashed_date(cell, First::month);
}

}  // namespace mgnn
