// Pieces that the readers of dataset folders share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/lines.h"
#include "mgnn/data/dataset.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/edge_list.h"

namespace mgnn {

// The path of `name` in `folder`, plain or with .gz, .bz2, .xz or .zst; "" if there is none.
std::string find_file(const std::string& folder, const std::string& name);
// The same; throws Error (data) that says what is missing.
std::string need_file(const std::string& folder, const std::string& name);

// The names of the files in `folder`, sorted, without compression suffixes; empty if there is no
// such folder.
std::vector<std::string> file_names(const std::string& folder);
// The last part of a path, whether or not it ends in a slash: "Cora" of "planetoid/Cora/".
std::string last_name(const std::string& path);

// A tab-separated file, row by row. No quotes; every row as wide as the first.
class TsvFile {
 public:
  // Where the header line is present, it names the columns. Throws Error (data) if it is not there.
  // REQUIRES: header is not automatic.
  TsvFile(const std::string& path, HeaderLine header);

  // Number of the column with that name, or -1.
  int find_column(std::string_view name) const;
  int column(std::string_view name) const;  // throws Error that lists the columns there are
  // False at the end. The views live as long as this.
  bool next(std::vector<std::string_view>& fields);

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    reader_.fail(format, std::forward<Args>(args)...);
  }

 private:
  FileBytes bytes_;
  LineReader reader_;
  std::vector<std::string> columns_;
  size_t width_ = 0;
};

// Rows of numbers separated by commas or blanks, one row a line: calls row(reader, values) for each
// line. Empty lines may only end the file. Throws Error with path:line on anything but finite
// numbers. T: int64_t, float or double.
template <class T, class Row>
void each_number_row(const std::string& path, Row&& row);

// Rows of a sparse matrix, one after the other.
class SparseRows {
 public:
  // Columns must ascend in a row. Zeros are left out.
  void push(NodeId column, float value) {
    if (value == 0) return;
    matrix_.pattern.index.push_back(column);
    matrix_.value.push_back(value);
  }
  void end_row() { matrix_.pattern.start.push_back(Offset(matrix_.pattern.index.size())); }
  // REQUIRES: no column beyond `columns`.
  SparseMatrix finish(NodeId columns);

 private:
  SparseMatrix matrix_;
};

// The splits of `folder` as geom-gcn publishes them: <anything>_split_0.6_0.2_<i>.npz with
// train_mask, val_mask and test_mask of `num_nodes`. Named "geom-gcn <i>", by number.
std::vector<Split> read_geom_splits(const std::string& folder, NodeId num_nodes);

// The nodes at which each mask is not zero. Throws Error if the sizes differ from `num_nodes`.
Split split_of_masks(const std::string& name, std::span<const int64_t> train,
                     std::span<const int64_t> validation, std::span<const int64_t> test,
                     NodeId num_nodes, const std::string& path);

// ---- implementation of the template

namespace detail {
template <class T>
void parse_number_row(const LineReader& reader, std::string_view line, std::vector<T>& values);
}

template <class T, class Row>
void each_number_row(const std::string& path, Row&& row) {
  const FileBytes bytes = read_bytes(path);
  LineReader reader(path, bytes.view());
  std::string_view line;
  std::vector<T> values;
  int64_t empty_line = 0;
  while (reader.next(line)) {
    if (trimmed(line).empty()) {
      if (empty_line == 0) empty_line = reader.number();
      continue;
    }
    if (empty_line > 0) fail_at(path, empty_line, "the line is empty");
    detail::parse_number_row(reader, line, values);
    row(reader, std::span<const T>(values));
  }
}

}  // namespace mgnn
