#include "experiments/paper.h"

#include <map>
#include <tuple>
#include <vector>

#include "mgnn/base/lines.h"

namespace mgnn {

extern const std::string_view kPaperMarkdown;  // made of paper.md by CMake

namespace {

using Place = std::tuple<std::string_view, std::string_view, std::string_view>;

// "| a | b |" -> a, b
std::vector<std::string_view> cells_in(std::string_view line) {
  std::vector<std::string_view> cells;
  line = line.substr(1, line.size() - 2);
  for (std::string_view cell; next_field(line, '|', cell);) cells.push_back(trimmed(cell));
  return cells;
}

// "0.9060 ± 0.0049", or without a deviation.
PaperNumber number_in(std::string_view cell, const LineReader& reader) {
  constexpr std::string_view kSign = " ± ";
  const size_t sign = cell.find(kSign);
  PaperNumber number;
  if (!parse_number(cell.substr(0, sign), number.value) ||
      (sign != std::string_view::npos &&
       !parse_number(cell.substr(sign + kSign.size()), number.deviation)))
    reader.fail("{} is not a number", in_quotes(cell));
  return number;
}

// Sections are tables: their first line has the columns, the first cell of each line is the row.
std::map<Place, PaperNumber> numbers_in(std::string_view text) {
  std::map<Place, PaperNumber> numbers;
  LineReader reader("paper.md", text);
  std::string_view table;
  std::vector<std::string_view> columns;
  for (std::string_view line; reader.next(line);) {
    if (line.starts_with("## ")) {
      table = line.substr(3);
      columns.clear();
    } else if (line.starts_with("| ")) {
      const std::vector<std::string_view> cells = cells_in(line);
      if (columns.empty()) {
        columns = cells;
        continue;
      }
      for (size_t c = 1; c < cells.size(); c++)
        if (!cells[c].empty()) numbers[{table, cells[0], columns[c]}] = number_in(cells[c], reader);
    }
  }
  return numbers;
}

}  // namespace

std::optional<PaperNumber> paper_number(std::string_view table, std::string_view row,
                                        std::string_view column) {
  static const std::map<Place, PaperNumber> kNumbers = numbers_in(kPaperMarkdown);
  const auto number = kNumbers.find({table, row, column});
  return number == kNumbers.end() ? std::nullopt : std::optional(number->second);
}

}  // namespace mgnn
