#include "mgnn/data/table_features.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/lines.h"
#include "mgnn/base/rng.h"
#include "mgnn/data/classes.h"
#include "mgnn/data/table_cells.h"
#include "mgnn/data/table_columns.h"

namespace mgnn {
namespace {

constexpr int64_t kMaxValues = 50;  // of a one-hot column
constexpr int32_t kHashColumns = 64;
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

using Parser = std::optional<double> (*)(std::string_view);

struct Column {
  const Table& table;
  int64_t place;

  const std::string& name() const { return table.columns()[place]; }
  std::string_view cell(int64_t r) const { return trimmed(table.cell(r, place)); }
  template <class Each>
  void each_given(Each each) const {  // cells that are not missing
    for (int64_t r = 0; r < table.num_rows(); r++)
      if (!is_missing(cell(r))) each(r);
  }
  int64_t count_given() const {
    int64_t count = 0;
    each_given([&](int64_t) { count++; });
    return count;
  }
  bool all_are(Parser parse) const {
    for (int64_t r = 0; r < table.num_rows(); r++)
      if (!is_missing(cell(r)) && !parse(cell(r))) return false;
    return true;
  }
};

// Most cells are numbers, so that the others are mistakes.
void check_numbers(const Column& column, int64_t given) {
  int64_t numbers = 0, first_other = -1;
  column.each_given([&](int64_t r) {
    if (number_in(column.cell(r)))
      numbers++;
    else if (first_other < 0)
      first_other = r;
  });
  if (2 * numbers >= given)
    fail_at(column.table.path(), column.table.line(first_other),
            "feature {} is {}, not a finite number; fix the cell, or name the feature columns",
            in_quotes(column.name()), in_quotes(column.cell(first_other)));
}

// 007: rather a code than a number.
bool has_leading_zeros(std::string_view cell) {
  return cell.size() > 1 && cell[0] == '0' && cell.find_first_not_of("0123456789") == cell.npos;
}

// Collects columns of one dataset.
class Reader {
 public:
  Reader(Dataset& dataset, const std::vector<NodeId>& node_of)
      : dataset_(dataset), node_of_(node_of) {}

  void add_category(const Column& column) {
    num_columns_++;
    add_one_hot(column, classes_of(texts_of(column)));
  }

  void add_hash(const Column& column) {
    num_columns_++;
    const std::vector<std::string_view> texts = texts_of(column);
    add_hashed(column, texts, int64_t(classes_of(texts).names.size()));
  }

  // Also where there is no value at all.
  void add_number(const Column& column) {
    const Parser parser = column.count_given() == 0 ? number_in : parser_of(column);
    if (parser == nullptr)
      fail_data("{}: column {} is not of numbers", column.table.path(), in_quotes(column.name()));
    add_numbers(column, parser);
  }

  // Of its kind; texts that differ too much to be categories are hashed if the column is wanted by its
  // name, and else left out.
  void add_wanted(const Column& column) { add(column, TooManyTexts::hash); }
  void add_if_useful(const Column& column) { add(column, TooManyTexts::leave_out); }

  void leave_out(const Column& column, const std::string& why) {
    left_out_.push_back(fmt::format("{} ({})", in_quotes(column.name()), why));
  }

  void finish(const std::string& path) {
    add_remarks(path);
    const int64_t n = dataset_.graph.num_nodes();
    Matrix attributes(n, int64_t(numbers_.size()));
    for (size_t c = 0; c < numbers_.size(); c++)
      for (int64_t u = 0; u < n; u++) attributes(u, int64_t(c)) = numbers_[c][u];
    labels_.insert(labels_.end(), missing_.begin(), missing_.end());
    int64_t width = attributes.cols;
    for (const LabelColumn& label : labels_) width += int64_t(label.names.size());
    if (width == 0) return;
    constexpr int64_t kMaxCells = int64_t(1) << 31;
    if (n * width > kMaxCells)
      fail_data("{}: {} features of {} nodes are too many; name the columns that are needed", path,
                width, human_count(n));
    set_features(dataset_, attributes, names_, labels_, FeatureStorage::dense);
    check_names(path);
    dataset_.table_columns = std::move(columns_);
    dataset_.features_from = fmt::format("{} columns of {}", num_columns_, path);
  }

 private:
  enum class TooManyTexts { hash, leave_out };

  void add(const Column& column, TooManyTexts too_many) {
    const int64_t given = column.count_given();
    if (given == 0) return leave_out(column, "no values");
    if (is_code(column)) {
      codes_.push_back(in_quotes(column.name()));
      return add_texts(column, given, too_many);
    }
    if (const Parser parser = parser_of(column)) return add_numbers(column, parser);
    check_numbers(column, given);
    add_texts(column, given, too_many);
  }

  // Whole numbers, of which some have leading zeros.
  static bool is_code(const Column& column) {
    bool code = false;
    column.each_given([&](int64_t r) { code |= has_leading_zeros(column.cell(r)); });
    return code && column.all_are(number_in);
  }

  // What reads all cells, or null.
  Parser parser_of(const Column& column) {
    if (column.all_are(number_in)) return number_in;
    if (column.all_are(decimal_comma_in)) {
      check_decimal_commas(column.table, column.place, "feature");
      decimal_commas_.push_back(in_quotes(column.name()));
      return decimal_comma_in;
    }
    if (column.all_are(boolean_in)) return boolean_in;
    const Parser parser = date_parser_of(column);
    if (parser) dates_.push_back(in_quotes(column.name()));
    return parser;
  }

  // 31/12/2024 and 12/31/2024 are clear; a column of which each could be either is not.
  static Parser date_parser_of(const Column& column) {
    if (column.all_are(date_in)) return date_in;
    const bool day = column.all_are(day_first_in), month = column.all_are(month_first_in);
    if (day && month) {
      int64_t first = -1;
      column.each_given([&](int64_t r) { first = first < 0 ? r : first; });
      fail_at(column.table.path(), column.table.line(first),
              "feature {} is {}, of which either number may be the day; write it as 2024-01-31",
              in_quotes(column.name()), in_quotes(column.cell(first)));
    }
    return day ? day_first_in : month ? month_first_in : nullptr;
  }

  // A value b=c of column a and a value c of column a=b have one name.
  void check_names(const std::string& path) const {
    std::vector<std::string> names = dataset_.feature_names;
    std::sort(names.begin() + dataset_.num_attributes, names.end());
    const auto twice = std::adjacent_find(names.begin() + dataset_.num_attributes, names.end());
    if (twice != names.end())
      fail_data("{}: two columns make a feature {}; rename one of them", path, in_quotes(*twice));
  }

  // Tables may have thousands of columns, so there is one remark of each kind.
  void add_remarks(const std::string& path) {
    constexpr size_t kShown = 8;
    const auto remark = [&](const std::vector<std::string>& columns, const char* format) {
      if (!columns.empty())
        dataset_.remarks.push_back(
            fmt::format(fmt::runtime(format), path, human_list(columns, kShown)));
    };
    remark(left_out_, "{}: columns left out: {}");
    remark(with_missing_,
           "{}: nodes lack numbers in {}: they get the median of the training nodes, and a column "
           "that says so");
    remark(decimal_commas_, "{}: decimal commas in {}");
    remark(dates_, "{}: dates in {}, as days since 1970");
    remark(codes_, "{}: numbers with leading zeros are categories, not numbers: {}");
    remark(hashed_, "{}: hashed to 64 columns each: {}");
  }

  void add_numbers(const Column& column, Parser parse) {
    std::vector<float> values(size_t(dataset_.graph.num_nodes()), kMissing);
    column.each_given([&](int64_t r) {
      const auto value = float(*parse(column.cell(r)));
      if (!std::isfinite(value))
        fail_at(column.table.path(), column.table.line(r), "feature {} is {}, which is too large",
                in_quotes(column.name()), in_quotes(column.cell(r)));
      values[size_t(node_of_[r])] = value;
    });
    LabelColumn missing{column.name(), std::vector<int32_t>(values.size(), -1), {"(missing)"}};
    int64_t count = 0;
    for (size_t u = 0; u < values.size(); u++)
      if (std::isnan(values[u])) {
        missing.value[u] = 0;
        count++;
      }
    if (count > 0) {
      with_missing_.push_back(fmt::format("{} ({})", in_quotes(column.name()), human_count(count)));
      missing_.push_back(std::move(missing));
    }
    names_.push_back(column.name());
    columns_.push_back(column.name() + ":number");
    numbers_.push_back(std::move(values));
    num_columns_++;
  }

  std::vector<std::string_view> texts_of(const Column& column) const {
    std::vector<std::string_view> texts(size_t(dataset_.graph.num_nodes()));
    column.each_given([&](int64_t r) { texts[size_t(node_of_[r])] = column.cell(r); });
    return texts;
  }

  void add_texts(const Column& column, int64_t given, TooManyTexts too_many) {
    const std::vector<std::string_view> texts = texts_of(column);
    Classes values = classes_of(texts);
    const auto count = int64_t(values.names.size());
    const bool all_differ = count == given && given > 1;
    if (too_many == TooManyTexts::leave_out && (count > kMaxValues || all_differ))
      return leave_out(column, human_count(count) + " different texts");
    num_columns_++;
    if (count > kMaxValues)
      add_hashed(column, texts, count);
    else
      add_one_hot(column, std::move(values));
  }

  void add_one_hot(const Column& column, Classes values) {
    if (std::find(values.label.begin(), values.label.end(), -1) != values.label.end()) {
      const auto missing = int32_t(values.names.size());
      std::replace(values.label.begin(), values.label.end(), -1, missing);
      values.names.emplace_back("(missing)");
    }
    columns_.push_back(column.name() + ":category");
    labels_.push_back({column.name(), std::move(values.label), std::move(values.names)});
  }

  void add_hashed(const Column& column, const std::vector<std::string_view>& texts, int64_t count) {
    hashed_.push_back(
        fmt::format("{} ({} different texts)", in_quotes(column.name()), human_count(count)));
    LabelColumn label{column.name(), {}, {}};
    for (const std::string_view text : texts) {
      uint64_t hash = 0;
      for (const char c : text) hash = mix_bits(hash ^ uint64_t(uint8_t(c)));
      label.value.push_back(text.empty() ? kHashColumns : int32_t(hash % kHashColumns));
    }
    for (int i = 0; i < kHashColumns; i++) label.names.push_back(fmt::format("#{}", i));
    label.names.emplace_back("(missing)");
    columns_.push_back(column.name() + ":hash");
    labels_.push_back(std::move(label));
  }

  Dataset& dataset_;
  const std::vector<NodeId>& node_of_;
  std::vector<std::string> names_, columns_;
  std::vector<std::vector<float>> numbers_;
  std::vector<LabelColumn> labels_, missing_;
  std::vector<std::string> left_out_, with_missing_, decimal_commas_, dates_, codes_, hashed_;
  int64_t num_columns_ = 0;
};

}  // namespace

namespace {

// What is learned, or who a row is, must not be among what it is learned from.
int64_t free_column(const Table& table, const std::string& name,
                    const std::vector<int64_t>& taken) {
  const int64_t column = table.column(name);
  if (std::find(taken.begin(), taken.end(), column) != taken.end())
    fail_usage("{}: column {} is asked for as a feature, but is used as id, label, target or split",
               table.path(), in_quotes(name));
  return column;
}

// Why a column that nobody asked for is none of features, or null.
const char* reason_against(const std::string& name) {
  if (name.empty() || name.starts_with("Unnamed: ")) return "numbers of rows";
  const std::string word = lower(name);
  return word == "fold" || word == "folds" ? "folds of a split, which are not used" : nullptr;
}

void add_wanted(Reader& reader, const Table& table, const std::string& wanted,
                const std::vector<int64_t>& taken) {
  const std::pair<std::string_view, void (Reader::*)(const Column&)> kinds[] = {
      {":category", &Reader::add_category},
      {":hash", &Reader::add_hash},
      {":number", &Reader::add_number}};
  for (const auto& [suffix, add] : kinds)
    if (wanted.ends_with(suffix) && table.find_column(wanted) < 0) {
      const std::string name = wanted.substr(0, wanted.size() - suffix.size());
      return (reader.*add)({table, free_column(table, name, taken)});
    }
  reader.add_wanted({table, free_column(table, wanted, taken)});
}

}  // namespace

void set_table_features(Dataset& dataset, const Table& table, const std::vector<NodeId>& node_of,
                        const TableFeatureOptions& options) {
  Reader reader(dataset, node_of);
  for (const std::string& wanted : options.wanted) add_wanted(reader, table, wanted, options.taken);
  for (int64_t c = 0; c < table.num_columns() && options.wanted.empty(); c++) {
    const bool is_taken =
        std::find(options.taken.begin(), options.taken.end(), c) != options.taken.end();
    const Column column{table, c};
    if (c == options.category)
      reader.add_category(column);
    else if (const char* why = is_taken ? nullptr : reason_against(column.name()))
      reader.leave_out(column, why);
    else if (!is_taken)
      reader.add_if_useful({table, table.column(column.name())});  // two of a name are refused
  }
  reader.finish(table.path());
}

}  // namespace mgnn
