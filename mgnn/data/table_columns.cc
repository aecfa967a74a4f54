#include "mgnn/data/table_columns.h"

#include <fmt/ranges.h>

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
    const std::optional<double> number = decimal_comma_in(name);
    if (!number) return;
    fractions += *number != std::floor(*number);
  }
  for (const int32_t label : classes.label) labelled += label >= 0;
  const auto distinct = int64_t(classes.names.size());
  if (fractions > 0 || (distinct > 50 && 2 * distinct > labelled))
    fail_data(Hint(Hint::target_column, table.columns()[column]),
              "{}: column {} has {} different numbers for {} {}, which are not classes",
              table.path(), in_quotes(table.columns()[column]), human_count(distinct),
              human_count(labelled), dataset.is_set() ? "graphs" : "nodes");
}

std::vector<std::string_view> parts_of(std::string_view cell, char separator = '|') {
  std::vector<std::string_view> parts;
  for (size_t end = 0; end != cell.npos; cell.remove_prefix(end == cell.npos ? 0 : end + 1)) {
    end = cell.find(separator);
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

// a;b where a and b are labels of their own: sets with another separator, or names.
bool may_be_sets(const std::vector<std::string>& names, char separator) {
  const auto is_label = [&](std::string_view part) {
    return std::find(names.begin(), names.end(), part) != names.end();
  };
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const std::vector<std::string_view> parts = parts_of(name, separator);
    return parts.size() > 1 && std::all_of(parts.begin(), parts.end(), is_label);
  });
}

void remark_on_classes(Dataset& dataset, const Classes& classes, const Table& table,
                       int64_t column) {
  const auto remark = [&](const std::string& text) {
    dataset.remarks.push_back(
        fmt::format("{}: column {} {}", table.path(), in_quotes(table.columns()[column]), text));
  };
  const auto labelled =
      int64_t(classes.label.size()) - std::count(classes.label.begin(), classes.label.end(), -1);
  if (labelled > 2 && int64_t(classes.names.size()) == labelled)
    remark(
        fmt::format("has {} different classes, one for each of its items", human_count(labelled)));
  constexpr size_t kFew = 1000;  // classes, beyond which nobody has sets of them
  for (const char separator : {';', ',', '/'})
    if (classes.names.size() < kFew && may_be_sets(classes.names, separator))
      remark(
          fmt::format("has cells that seem to have several labels, separated by {}: each is a "
                      "class of its own, since {} separates labels",
                      in_quotes(std::string(1, separator)), in_quotes("|")));
}

// Of a split, or -1: 0 train, 1 validation, 2 test.
int part_of_split(std::string_view cell) {
  const std::string word = lower(trimmed(cell));
  if (word == "train" || word == "training") return 0;
  if (word == "val" || word == "valid" || word == "validation" || word == "dev") return 1;
  return word == "test" || word == "testing" ? 2 : -1;
}

// All cells are words of a split, and there is more than one of them.
bool holds_split(const Table& table, int64_t column) {
  bool occurs[3] = {};
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const std::string_view cell = table.cell(r, column);
    const int part = part_of_split(cell);
    if (part < 0 && !is_missing(cell)) return false;
    if (part >= 0) occurs[part] = true;
  }
  return occurs[0] && (occurs[1] || occurs[2]);
}

// Whether a column is among those asked for, perhaps with a kind behind its name.
bool is_among(const Table& table, int64_t column, const std::vector<std::string>& names) {
  const std::string& name = table.columns()[column];
  return std::any_of(names.begin(), names.end(), [&](const std::string& asked) {
    return asked == name || asked.starts_with(name + ":");
  });
}

// The first of usual names that is there and not asked for as a feature, or -1.
int64_t free_column(const Table& table, std::initializer_list<const char*> names,
                    const TableOptions& options) {
  for (const char* name : names)
    if (const int64_t column = usual_column(table, name);
        column >= 0 && !is_among(table, column, options.feature_columns))
      return column;
  return -1;
}

// Whether the column is named, need not be there, and is not.
bool is_left_out(const Table& table, const std::string& wanted, const TableOptions& options) {
  const std::vector<std::string>& optional = options.optional_columns;
  return std::find(optional.begin(), optional.end(), wanted) != optional.end() &&
         table.find_column(wanted) < 0;
}

bool is_in_mask(const Table& table, int64_t r, int64_t column) {
  const std::string_view cell = trimmed(table.cell(r, column));
  if (is_missing(cell)) return false;
  std::optional<double> value = boolean_in(cell);
  if (!value) value = number_in(cell);
  if (value == 1 || value == 0) return *value == 1;
  fail_at(table.path(), table.line(r), "mask {} is {}, neither true nor false",
          in_quotes(table.columns()[column]), in_quotes(cell));
}

// Of a row, or -1.
int part_of_row(const Table& table, int64_t r, std::span<const int64_t> columns) {
  if (columns.size() == 1) {
    const std::string_view cell = table.cell(r, columns[0]);
    const int part = part_of_split(cell);
    if (part < 0 && !is_missing(cell))
      fail_at(table.path(), table.line(r), "split {} is none of train, val, test",
              in_quotes(trimmed(cell)));
    return part;
  }
  int part = -1;
  for (size_t i = 0; i < columns.size(); i++) {
    if (columns[i] < 0 || !is_in_mask(table, r, columns[i])) continue;
    if (part >= 0) fail_at(table.path(), table.line(r), "is in two masks");
    part = int(i);
  }
  return part;
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
    if (lower(trimmed(table.columns()[c])) != name) continue;
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

void check_decimal_commas(const Table& table, int64_t column, const char* what) {
  int64_t ambiguous = -1;
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const std::string_view cell = trimmed(table.cell(r, column));
    const size_t comma = cell.find(',');
    if (comma == cell.npos || is_missing(cell)) continue;
    if (cell.size() - comma != 4) return;
    if (ambiguous < 0) ambiguous = r;
  }
  if (ambiguous >= 0)
    fail_at(table.path(), table.line(ambiguous),
            "{} {} is {}, whose comma may stand before decimals or thousands; write it without",
            what, in_quotes(table.columns()[column]),
            in_quotes(trimmed(table.cell(ambiguous, column))));
}

int64_t id_column(const Table& table, const std::string& wanted,
                  std::initializer_list<const char*> usual) {
  return wanted.empty() ? first_usual_column(table, usual) : table.column(wanted);
}

int64_t optional_column(const Table& table, const std::string& wanted, const char* usual,
                        const TableOptions& options) {
  if (is_left_out(table, wanted, options)) return -1;
  return wanted.empty() ? usual_column(table, usual) : table.column(wanted);
}

int64_t label_column(const Table& table, const TableOptions& options) {
  const int64_t label = optional_column(table, options.label_column, "label", options);
  if (label >= 0 || !options.label_column.empty()) return label;
  return free_column(table, {"labels", "class"}, options);
}

int64_t target_column(const Table& table, const TableOptions& options) {
  const int64_t column = optional_column(table, options.target_column, "target", options);
  if (column < 0 || !options.target_column.empty()) return column;
  for (int64_t r = 0; r < table.num_rows(); r++)
    if (const std::string_view cell = trimmed(table.cell(r, column)); !is_missing(cell))
      return decimal_comma_in(cell) ? column : -1;
  return -1;
}

std::vector<double> read_targets(const Table& table, int64_t column,
                                 const std::vector<NodeId>& item_of, NodeId num_items) {
  std::vector<double> targets(size_t(num_items), std::numeric_limits<double>::quiet_NaN());
  check_decimal_commas(table, column, "target");
  for (int64_t r = 0; r < table.num_rows(); r++) {
    const std::string_view cell = trimmed(table.cell(r, column));
    if (is_missing(cell)) continue;
    const std::optional<double> target = decimal_comma_in(cell);
    if (!target)
      fail_at(table.path(), table.line(r),
              "target {} is {}, not a finite number; leave the cell "
              "empty if it is unknown",
              in_quotes(table.columns()[column]), in_quotes(cell));
    targets[item_of[r]] = *target;
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
                    in_quotes(table.columns()[column])));
    return;
  }
  check_classes(dataset, classes, table, column);
  remark_on_classes(dataset, classes, table, column);
  dataset.label = std::move(classes.label);
  dataset.label_set.clear();
  dataset.class_names = std::move(classes.names);
}

std::vector<int64_t> split_columns(Dataset& dataset, const Table& table,
                                   const TableOptions& options) {
  const int64_t named = optional_column(table, options.split_column, "split", options);
  if (named >= 0) return {named};
  if (!options.split_column.empty()) return {};
  if (const int64_t train = free_column(table, {"train_mask"}, options); train >= 0)
    return {train, free_column(table, {"val_mask", "valid_mask", "validation_mask"}, options),
            free_column(table, {"test_mask"}, options)};
  std::vector<int64_t> columns;
  for (int64_t c = 0; c < table.num_columns(); c++)
    if (!is_among(table, c, options.feature_columns) && holds_split(table, c)) columns.push_back(c);
  if (columns.size() != 1) return {};
  dataset.remarks.push_back(
      fmt::format("{}: column {} holds train, val and test, so it is the split", table.path(),
                  in_quotes(table.columns()[size_t(columns[0])])));
  return columns;
}

Split read_split(const Table& table, std::span<const int64_t> columns,
                 const std::vector<NodeId>& item_of) {
  Split split;
  split.name = "table";
  std::vector<NodeId>* const parts[] = {&split.train, &split.validation, &split.test};
  for (int64_t r = 0; r < table.num_rows(); r++)
    if (const int part = part_of_row(table, r, columns); part >= 0)
      parts[part]->push_back(item_of[r]);
  for (std::vector<NodeId>* items : parts) std::sort(items->begin(), items->end());
  return split;
}

std::string describe_columns(const Table& table,
                             const std::vector<std::pair<const char*, int64_t>>& uses) {
  std::vector<std::string> texts;
  for (const auto& [use, column] : uses)
    if (column >= 0) texts.push_back(fmt::format("{} {}", use, in_quotes(table.columns()[column])));
  return fmt::format("{}: {}", table.path(), fmt::join(texts, ", "));
}

std::string describe_features(const Dataset& dataset) {
  std::vector<std::string> names;
  for (const std::string& column : dataset.table_columns)
    names.push_back(in_quotes(column.substr(0, column.rfind(':'))));
  return "features " + human_list(names, 8);
}

}  // namespace mgnn
