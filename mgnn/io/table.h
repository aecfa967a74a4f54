// Tables as text: CSV and TSV with a header line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/file.h"

namespace mgnn {

// A table whose cells are views into the file it keeps. Quotes as in RFC 4180 ("a ""b"""), tab,
// comma, semicolon, pipe or blanks found from the header. Every row has as many cells as the header.
class Table {
 public:
  int64_t num_rows() const { return num_rows_; }
  int64_t num_columns() const { return int64_t(columns_.size()); }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::string& path() const { return path_; }

  std::string_view cell(int64_t row, int64_t column) const {
    return cells_[size_t(row * num_columns() + column)];
  }
  int64_t line(int64_t row) const { return lines_[row]; }  // in the file, from 1

  // Number of the column with that name, or -1.
  int64_t find_column(std::string_view name) const;
  // The same; throws Error that lists the columns there are.
  int64_t column(std::string_view name) const;

 private:
  friend Table parse_table(FileBytes bytes, const std::string& path);
  friend Table table_of_cells(const std::string& path, std::vector<std::string> columns,
                              Array<std::string_view> cells, Array<int64_t> lines);

  std::string path_;
  FileBytes bytes_;
  std::vector<std::string> columns_;
  Array<std::string_view> cells_;  // (rows, columns)
  Array<int64_t> lines_;           // (rows)
  int64_t num_rows_ = 0;
  std::vector<std::unique_ptr<std::string>> unquoted_;  // cells that had doubled quotes
};

// Reads compressed files too. Throws Error with path:line on a row of another width.
Table read_table(const std::string& path);
Table parse_table(FileBytes bytes, const std::string& path);

// A table of cells (rows, columns) that something else keeps, which must outlive it.
Table table_of_cells(const std::string& path, std::vector<std::string> columns,
                     Array<std::string_view> cells, Array<int64_t> lines);

}  // namespace mgnn
