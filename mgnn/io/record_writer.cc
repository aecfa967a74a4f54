#include "mgnn/io/record_writer.h"

#include <nlohmann/json.hpp>

#include "mgnn/base/csv.h"
#include "mgnn/io/compressed.h"

namespace mgnn {
namespace {

std::string json_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

RecordWriter::RecordWriter(const std::string& path, std::vector<std::string> columns)
    : columns_(std::move(columns)), separator_(csv_separator(path)), file_(path) {
  const std::string name = without_compression_suffix(path);
  json_ = name.ends_with(".jsonl") || name.ends_with(".ndjson");
  begin_lines();
}

RecordWriter::RecordWriter(std::string& lines, std::vector<std::string> columns)
    : columns_(std::move(columns)), lines_(&lines) {
  begin_lines();
}

void RecordWriter::begin_lines() {
  for (size_t c = 0; c < columns_.size(); c++) {
    if (json_) {
      columns_[c] = json_text(columns_[c]) + ": ";
      continue;
    }
    if (c > 0) put({&separator_, 1});
    put(csv_field(columns_[c], separator_));
  }
  if (!json_) put("\n");
}

void RecordWriter::put(std::string_view text) {
  if (lines_)
    *lines_ += text;
  else
    file_->text(text);
}

void RecordWriter::cell(std::string_view text) {
  if (json_) {
    put(place_ == 0 ? "{" : ", ");
    put(columns_[place_]);
  } else if (place_ > 0) {
    put({&separator_, 1});
  }
  put(text);
  if (++place_ < columns_.size()) return;
  put(json_ ? "}\n" : "\n");
  place_ = 0;
}

void RecordWriter::text(std::string_view text) {
  cell(json_ ? json_text(text) : csv_field(text, separator_));
}

void RecordWriter::nothing() { cell(json_ ? "null" : ""); }

void RecordWriter::commit() {
  if (file_) file_->commit();
}

}  // namespace mgnn
