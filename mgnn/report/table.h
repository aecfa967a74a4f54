// Tables from plain values: aligned text, Markdown, LaTeX, CSV, JSON.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mgnn/report/text.h"

namespace mgnn {

enum class Align { left, right, decimal };  // decimal: the points stand below each other

// Nothing, a text, a count or a number. People see 1,002,666 and "-" for nothing; machines see
// 1002666 and null.
using Cell = std::variant<std::monostate, std::string, int64_t, double>;

struct TableColumn {
  std::string title;
  Align align = Align::left;
  int digits = 2;        // behind the point, of numbers; in text and Markdown
  std::string key = {};  // its name in CSV and JSON; empty: the title
};

struct TextTable {
  std::vector<TableColumn> columns;
  std::vector<std::vector<Cell>> rows;  // each as wide as `columns`
};

// Two blanks between columns, a rule below the titles (no titles and no rule if all are empty), no
// blanks at line ends. With `colour` titles are bold and the rule is dim. Control characters in
// cells are shown as U+FFFD, so that data cannot drive the terminal.
std::string text_of(const TextTable& table, bool colour = false);
std::string markdown_of(const TextTable& table);
std::string latex_of(const TextTable& table);  // a tabular; needs the package booktabs
// What people see of a cell, without padding.
std::string shown(const Cell& cell, const TableColumn& column);
std::string csv_of(const TextTable& table);   // RFC 4180, LF at line ends
std::string json_of(const TextTable& table);  // an array with one object a row

// Whether to colour what goes to `stream`: a terminal, TERM is not "dumb", and NO_COLOR is not set.
bool wants_colour(std::FILE* stream);

}  // namespace mgnn
