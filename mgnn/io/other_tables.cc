#include <algorithm>
#include <climits>

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/edge_reader.h"

namespace mgnn {
namespace {

using Rows = std::vector<std::vector<std::string>>;

// Whether there are `count` lines with something in them.
bool has_lines(std::string_view text, size_t count) {
  LineReader reader("", text);
  size_t lines = 0;
  for (std::string_view line; lines <= count && reader.next(line);) lines += !is_idle_line(line);
  return lines == count;
}

// As many rows as columns, all numbers; those that were looked at are 0 and 1, or the same in both directions.
bool is_adjacency_matrix(std::string_view text, const Rows& rows) {
  const size_t columns = rows[0].size();
  const auto is_row = [&](const auto& row) { return row.size() == columns; };
  if (columns < 3 || rows.size() > columns || !std::all_of(rows.begin(), rows.end(), is_row))
    return false;
  bool binary = true, symmetric = true;
  for (size_t i = 0; i < rows.size(); i++)
    for (size_t j = 0; j < columns; j++) {
      double number;
      if (!parse_number(trimmed(rows[i][j]), number)) return false;
      binary &= number == 0 || number == 1;
      symmetric &= j >= rows.size() || trimmed(rows[i][j]) == trimmed(rows[j][i]);
    }
  return (binary || symmetric) && has_lines(text, columns);
}

}  // namespace

int count_plain_columns(const std::vector<std::string>& row) {
  for (size_t c = 2; c < row.size(); c++)
    if (row[c].starts_with('#') || row[c].starts_with('{')) return int(c);
  return int(row.size());
}

void check_is_edge_list(std::string_view text, const Rows& rows, const std::string& path) {
  if (is_adjacency_matrix(text, rows))
    fail_data(
        "{}: is a matrix of {} rows and columns, not an edge list; write it as Matrix Market "
        "(scipy.io.mmwrite)",
        path, rows[0].size());
}

int count_least_columns(std::span<const std::vector<std::string>> rows) {
  int least = INT_MAX;
  for (const std::vector<std::string>& row : rows)
    if (const int columns = count_plain_columns(row); columns >= 2)
      least = std::min(least, columns);
  return least;
}

void check_columns_are_even(const EdgeLayout& layout, const std::string& path) {
  if (layout.least_columns < layout.columns)
    fail_data(
        Hint::end_columns,
        "{}: lines have {} to {} columns, as those of adjacency lists; if each line is one edge, "
        "the columns of its ends must be stated",
        path, layout.least_columns, layout.columns);
}

}  // namespace mgnn
