// Rows with named columns on their way out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mgnn/io/text_writer.h"

namespace mgnn {

// CSV, TSV for a path that ends in .tsv, or JSON lines, an object each, for .jsonl and .ndjson; also
// compressed, as TextWriter. A row is begun by its first cell, and has as many as there are columns.
class RecordWriter {
 public:
  RecordWriter(const std::string& path, std::vector<std::string> columns);
  // JSON lines, appended to a string.
  RecordWriter(std::string& lines, std::vector<std::string> columns);

  void text(std::string_view text);
  void number(float value) { cell(digits_of(value)); }
  void number(double value) { cell(digits_of(value)); }
  void nothing();  // an empty cell, null
  void commit();   // of a file: renames it to its name

 private:
  template <class Number>
  static std::string digits_of(Number value) {
    char digits[64];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
  }
  void begin_lines();
  void put(std::string_view text);
  void cell(std::string_view text);

  std::vector<std::string> columns_;  // as they are written
  size_t place_ = 0;                  // the column of the next cell
  bool json_ = true;
  char separator_ = ',';
  std::optional<TextWriter> file_;
  std::string* lines_ = nullptr;
};

}  // namespace mgnn
