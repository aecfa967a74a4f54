#include "mgnn/report/table.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "mgnn/base/csv.h"
#include "mgnn/base/error.h"
#include "mgnn/base/human.h"

namespace mgnn {

std::string shown(const Cell& cell, const TableColumn& column) {
  if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text);
  if (const auto* count = std::get_if<int64_t>(&cell)) return human_count(*count);
  if (const auto* number = std::get_if<double>(&cell))
    return fmt::format("{:.{}f}", *number, column.digits);
  return "-";
}

namespace {

// Width of what stands before the decimal point, or of all without one.
int whole_width(const std::string& text) { return display_width(text.substr(0, text.find('.'))); }

// All cells as text, those of decimal columns padded so that their points meet.
std::vector<std::vector<std::string>> shown_rows(const TextTable& table) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : table.rows) {
    check(row.size() == table.columns.size(), "a table of {} columns has a row of {}",
          table.columns.size(), row.size());
    auto& line = rows.emplace_back();
    for (size_t c = 0; c < row.size(); c++) line.push_back(shown(row[c], table.columns[c]));
  }
  for (size_t c = 0; c < table.columns.size(); c++) {
    if (table.columns[c].align != Align::decimal) continue;
    int behind = 0;
    for (const auto& row : rows)
      behind = std::max(behind, display_width(row[c]) - whole_width(row[c]));
    for (auto& row : rows)
      row[c].append(size_t(behind - display_width(row[c]) + whole_width(row[c])), ' ');
  }
  return rows;
}

std::vector<int> widths(const TextTable& table, const std::vector<std::vector<std::string>>& rows) {
  std::vector<int> width;
  for (size_t c = 0; c < table.columns.size(); c++) {
    width.push_back(display_width(table.columns[c].title));
    for (const auto& row : rows) width[c] = std::max(width[c], display_width(row[c]));
  }
  return width;
}

std::string padded(const std::string& text, int width, Align align) {
  const std::string blanks(size_t(width - display_width(text)), ' ');
  return align == Align::left ? text + blanks : blanks + text;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

const std::string& key_of(const TableColumn& column) {
  return column.key.empty() ? column.title : column.key;
}

std::string csv_cell(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return csv_field(*text);
  if (const auto* count = std::get_if<int64_t>(&cell)) return fmt::format("{}", *count);
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  return "";
}

std::string markdown_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

}  // namespace

bool wants_colour(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return isatty(fileno(stream)) && !(no_color && *no_color) &&
         !(term && std::string_view(term) == "dumb");
}

std::string text_of(const TextTable& table, bool colour) {
  const auto rows = shown_rows(table);
  const std::vector<int> width = widths(table, rows);
  const auto line = [&](auto&& cell_of) {
    std::string text;
    for (size_t c = 0; c < width.size(); c++)
      text += (c ? "  " : "") + padded(cell_of(c), width[c], table.columns[c].align);
    return without_trailing_blanks(text);
  };
  std::string text;
  if (std::any_of(table.columns.begin(), table.columns.end(),
                  [](const TableColumn& c) { return !c.title.empty(); })) {
    int total = 2 * (int(width.size()) - 1);
    for (const int w : width) total += w;
    std::string rule;
    for (int i = 0; i < total; i++) rule += "─";
    const std::string titles = line([&](size_t c) { return table.columns[c].title; });
    text += colour ? fmt::format("\033[1m{}\033[0m\n\033[2m{}\033[0m\n", titles, rule)
                   : fmt::format("{}\n{}\n", titles, rule);
  }
  for (const auto& row : rows) text += line([&](size_t c) { return row[c]; }) + '\n';
  return text;
}

std::string markdown_of(const TextTable& table) {
  const auto rows = shown_rows(table);
  std::string text = "|", rule = "|";
  for (const TableColumn& column : table.columns) {
    text += " " + markdown_cell(column.title) + " |";
    rule += column.align == Align::left ? "---|" : "---:|";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : rows) {
    text += "|";
    for (const std::string& cell : row)
      text += " " + without_trailing_blanks(markdown_cell(cell)) + " |";
    text += "\n";
  }
  return text;
}

std::string latex_of(const TextTable& table) {
  std::string layout, titles;
  for (const TableColumn& column : table.columns) {
    layout += column.align == Align::left ? 'l' : 'r';
    titles += (titles.empty() ? "" : " & ") + latex_escaped(column.title);
  }
  std::string text =
      fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n{} \\\\\n\\midrule\n", layout, titles);
  for (const auto& row : shown_rows(table)) {
    for (size_t c = 0; c < row.size(); c++)
      text += (c ? " & " : "") + without_trailing_blanks(latex_escaped(row[c]));
    text += " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string csv_of(const TextTable& table) {
  std::string text;
  for (size_t c = 0; c < table.columns.size(); c++)
    text += (c ? "," : "") + csv_field(key_of(table.columns[c]));
  text += "\n";
  for (const auto& row : table.rows) {
    for (size_t c = 0; c < row.size(); c++) text += (c ? "," : "") + csv_cell(row[c]);
    text += "\n";
  }
  return text;
}

std::string json_of(const TextTable& table) {
  using Json = nlohmann::ordered_json;
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json object = Json::object();
    for (size_t c = 0; c < table.columns.size(); c++)
      std::visit(
          [&](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
              object[key_of(table.columns[c])] = nullptr;
            else
              object[key_of(table.columns[c])] = value;
          },
          row[c]);
    rows.push_back(std::move(object));
  }
  return rows.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mgnn
