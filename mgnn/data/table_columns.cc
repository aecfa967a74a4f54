#include "mgnn/data/table_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"

namespace mgnn {
namespace {

bool parse_feature(std::string_view cell, float& value) {
  return parse_number(trimmed(cell), value) && std::isfinite(value);
}

}  // namespace

std::vector<int64_t> number_columns(const Table& table, const std::vector<int64_t>& taken) {
  std::vector<int64_t> columns;
  if (table.num_rows() == 0) return columns;
  for (int64_t c = 0; c < table.num_columns(); c++) {
    float value;
    const bool is_taken = std::find(taken.begin(), taken.end(), c) != taken.end();
    if (!is_taken && parse_number(trimmed(table.cell(0, c)), value)) columns.push_back(c);
  }
  return columns;
}

Matrix read_numbers(const Table& table, const std::vector<int64_t>& columns,
                    const std::vector<NodeId>& item_of, NodeId num_items) {
  Matrix features(num_items, int64_t(columns.size()));
  for (int64_t r = 0; r < table.num_rows(); r++)
    for (size_t c = 0; c < columns.size(); c++) {
      float& value = features(item_of[r], int64_t(c));
      const std::string_view cell = table.cell(r, columns[c]);
      if (!parse_feature(cell, value))
        fail_at(table.path(), table.line(r),
                "feature {} is {}, not a finite number; fix the cell, or name the feature columns",
                in_quotes(table.columns()[columns[c]]), in_quotes(cell));
    }
  return features;
}

int64_t target_column(const Table& table, const std::string& wanted) {
  if (!wanted.empty()) return table.column(wanted);
  const int64_t column = table.find_column("target");
  double value;
  for (int64_t r = 0; column >= 0 && r < table.num_rows(); r++)
    if (const std::string_view cell = trimmed(table.cell(r, column)); !cell.empty())
      return parse_number(cell, value) ? column : -1;
  return -1;
}

std::vector<double> read_targets(const Table& table, int64_t column,
                                 const std::vector<NodeId>& item_of, NodeId num_items) {
  std::vector<double> targets(size_t(num_items), std::numeric_limits<double>::quiet_NaN());
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const std::string_view cell = trimmed(table.cell(r, column));
    if (cell.empty()) continue;
    double& target = targets[item_of[r]];
    if (!parse_number(cell, target) || !std::isfinite(target))
      fail_at(table.path(), table.line(r),
              "target {} is {}, not a finite number; leave the cell "
              "empty if it is unknown",
              in_quotes(table.columns()[column]), in_quotes(cell));
  }
  return targets;
}

Split read_split(const Table& table, int64_t column, const std::vector<NodeId>& item_of) {
  Split split;
  split.name = "table";
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const std::string_view word = trimmed(table.cell(r, column));
    const NodeId item = item_of[r];
    if (word == "train")
      split.train.push_back(item);
    else if (word == "val" || word == "valid" || word == "validation")
      split.validation.push_back(item);
    else if (word == "test")
      split.test.push_back(item);
    else if (!word.empty())
      fail_at(table.path(), table.line(r), "split {} is none of train, val, test", in_quotes(word));
  }
  for (auto* items : {&split.train, &split.validation, &split.test})
    std::sort(items->begin(), items->end());
  return split;
}

}  // namespace mgnn
