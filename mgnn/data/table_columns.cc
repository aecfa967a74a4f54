#include "mgnn/data/table_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/lines.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/table_cells.h"

namespace mgnn {
namespace {

// Regression, not classes: a share of the labels, not only a few, must be equal.
void check_classes(const Dataset& dataset, const Classes& classes, const Table& table,
                   int64_t column) {
  int64_t fractions = 0, labelled = 0;
  for (const std::string& name : classes.names) {
    const std::optional<double> number = number_in(name);
    if (!number) return;
    fractions += *number != std::floor(*number);
  }
  for (const int32_t label : classes.label) labelled += label >= 0;
  const auto distinct = int64_t(classes.names.size());
  if (fractions > 0 || (distinct > 50 && 2 * distinct > labelled))
    fail_data(Hint(Hint::target_column, table.columns()[size_t(column)]),
              "{}: column {} has {} different numbers for {} {}, which are not classes",
              table.path(), in_quotes(table.columns()[size_t(column)]), human_count(distinct),
              human_count(labelled), dataset.is_set() ? "graphs" : "nodes");
}

std::vector<std::string_view> parts_of(std::string_view cell) {
  std::vector<std::string_view> parts;
  for (size_t end = 0; end != cell.npos; cell.remove_prefix(end == cell.npos ? 0 : end + 1)) {
    end = cell.find('|');
    if (const std::string_view part = trimmed(cell.substr(0, end)); !part.empty())
      parts.push_back(part);
  }
  return parts;
}

// a|b are two labels if a or b is one elsewhere, too.
bool are_sets(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, int> occurs;
  for (const std::string& name : names)
    for (const std::string_view part : parts_of(name)) occurs[part]++;
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::vector<std::string_view> parts = parts_of(name);
    return parts.size() > 1 && std::any_of(parts.begin(), parts.end(),
                                           [&](std::string_view part) { return occurs[part] > 1; });
  });
}

void set_label_sets(Dataset& dataset, std::span<const std::string_view> cells) {
  std::vector<std::string_view> parts;
  for (const std::string_view cell : cells)
    for (const std::string_view part : parts_of(cell)) parts.push_back(part);
  Classes classes = classes_of(parts);
  size_t place = 0;
  dataset.label_set.clear();
  for (const std::string_view cell : cells) {
    std::vector<int32_t> labels;
    for (size_t i = 0; i < parts_of(cell).size(); i++) labels.push_back(classes.label[place++]);
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    dataset.label_set.push_back(std::move(labels));
  }
  dataset.label.clear();
  dataset.class_names = std::move(classes.names);
}

}  // namespace

int64_t usual_column(const Table& table, std::string_view name) {
  if (const int64_t exact = table.find_column(name); exact >= 0) return exact;
  int64_t found = -1;
  for (int64_t c = 0; c < table.num_columns(); c++) {
    if (lower(trimmed(table.columns()[size_t(c)])) != name) continue;
    if (found >= 0) return -1;
    found = c;
  }
  return found;
}

int64_t first_usual_column(const Table& table, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const int64_t column = usual_column(table, name); column >= 0) return column;
  return table.column(*names.begin());
}

int64_t target_column(const Table& table, const std::string& wanted) {
  if (!wanted.empty()) return table.column(wanted);
  const int64_t column = usual_column(table, "target");
  double value;
  for (int64_t r = 0; column >= 0 && r < table.num_rows(); r++)
    if (const std::string_view cell = trimmed(table.cell(r, column)); !is_missing(cell))
      return parse_number(cell, value) ? column : -1;
  return -1;
}

std::vector<double> read_targets(const Table& table, int64_t column,
                                 const std::vector<NodeId>& item_of, NodeId num_items) {
  std::vector<double> targets(size_t(num_items), std::numeric_limits<double>::quiet_NaN());
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const std::string_view cell = trimmed(table.cell(r, column));
    if (is_missing(cell)) continue;
    double& target = targets[item_of[r]];
    if (!parse_number(cell, target) || !std::isfinite(target))
      fail_at(table.path(), table.line(r),
              "target {} is {}, not a finite number; leave the cell "
              "empty if it is unknown",
              in_quotes(table.columns()[column]), in_quotes(cell));
  }
  return targets;
}

std::vector<std::string_view> read_texts(const Table& table, int64_t column,
                                         const std::vector<NodeId>& item_of, NodeId num_items) {
  std::vector<std::string_view> texts(static_cast<size_t>(num_items));
  for (int64_t r = 0; r < table.num_rows(); r++)
    if (const std::string_view cell = trimmed(table.cell(r, column)); !is_missing(cell))
      texts[item_of[r]] = cell;
  return texts;
}

void set_labels(Dataset& dataset, const Table& table, int64_t column,
                const std::vector<NodeId>& item_of) {
  const NodeId items = dataset.is_set() ? dataset.num_graphs() : dataset.graph.num_nodes();
  const std::vector<std::string_view> cells = read_texts(table, column, item_of, items);
  Classes classes = classes_of(cells);
  if (are_sets(classes.names)) {
    set_label_sets(dataset, cells);
    dataset.remarks.push_back(
        fmt::format("{}: column {} has several labels in a cell, separated by |", table.path(),
                    in_quotes(table.columns()[size_t(column)])));
    return;
  }
  check_classes(dataset, classes, table, column);
  dataset.label = std::move(classes.label);
  dataset.label_set.clear();
  dataset.class_names = std::move(classes.names);
}

Split read_split(const Table& table, int64_t column, const std::vector<NodeId>& item_of) {
  Split split;
  split.name = "table";
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const std::string word = lower(trimmed(table.cell(r, column)));
    const NodeId item = item_of[r];
    if (word == "train" || word == "training")
      split.train.push_back(item);
    else if (word == "val" || word == "valid" || word == "validation" || word == "dev")
      split.validation.push_back(item);
    else if (word == "test" || word == "testing")
      split.test.push_back(item);
    else if (!is_missing(table.cell(r, column)))
      fail_at(table.path(), table.line(r), "split {} is none of train, val, test",
              in_quotes(trimmed(table.cell(r, column))));
  }
  for (auto* items : {&split.train, &split.validation, &split.test})
    std::sort(items->begin(), items->end());
  return split;
}

}  // namespace mgnn
