#include <algorithm>
#include <cmath>

#include "mgnn/base/error.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/edge_reader.h"

namespace mgnn {
namespace {

std::string cell_text(const TextCell& cell) {
  return cell.escaped ? unescaped(cell.text) : std::string(cell.text);
}

// 007 or +7, which as numbers would be 7.
bool is_like_a_name(std::string_view text) {
  text = trimmed(text);
  return text.starts_with('+') || (text.size() > 1 && text.starts_with('0'));
}

LineFault parse_id(std::string_view text, int64_t& id) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos)
    return LineFault::not_a_number;
  if (digits.size() < text.size()) return LineFault::negative;
  return parse_number(digits, id) ? LineFault::none : LineFault::too_large;
}

// 1,250 may be one and a quarter or more than a thousand; 0,250 and 1,25 are clear.
bool is_comma_of_thousands(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t comma = text.find(',');
  return comma >= 1 && comma <= 3 && text.size() - comma == 4 && !text.starts_with('0');
}

LineFault parse_weight(std::string_view text, float& weight) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value;
  if (is_decimal_comma(text)) {
    if (is_comma_of_thousands(text)) return LineFault::comma;
    std::string decimal(text);
    decimal[decimal.find(',')] = '.';
    if (!parse_number(decimal, value)) return LineFault::weight;
  } else if (!parse_number(text, value)) {
    return LineFault::weight;
  }
  weight = float(value);
  return std::isfinite(weight) ? LineFault::none : LineFault::weight;
}

// How many columns a line has at most: those `used`, and what is in `rest`, from its separator on.
int count_columns(std::string_view rest, int used, char separator) {
  for (size_t i = 0; i < rest.size(); i++)
    used += separates(rest[i], separator) && !(separator == ' ' && i > 0 && is_blank(rest[i - 1]));
  return used;
}

// Cells without a text at the end of a line are none, and neither are comments.
LineFault check_width(std::string_view rest, int used, const EdgeLayout& layout) {
  if (layout.columns == 0 || rest.empty() ||
      count_columns(rest, used, layout.separator) <= layout.columns)
    return LineFault::none;
  std::vector<std::string> cells = split_cells(rest.substr(1), layout.separator);
  cells.insert(cells.begin(), size_t(used), "x");
  while (trimmed(cells.back()).empty()) cells.pop_back();
  return count_plain_columns(cells) > layout.columns ? LineFault::too_many_columns
                                                     : LineFault::none;
}

// Names keep their blanks unless asked otherwise, and blanks at their ends are mistakes.
LineFault check_blanks(TextCell& cell, bool trim) {
  if (trim) cell.text = trimmed(cell.text);
  if (cell.text.empty()) return LineFault::empty;
  return is_blank(cell.text.front()) || is_blank(cell.text.back()) ? LineFault::blank
                                                                   : LineFault::none;
}

LineFault find_cells(std::string_view line, const EdgeLayout& layout, EdgeLine& edge) {
  const int last = std::max({layout.from, layout.to, layout.relation, layout.weight});
  const char* p = line.data();
  const char* const end = p + line.size();
  for (int column = 0;; column++) {
    if (layout.separator == ' ') {
      while (p < end && is_blank(*p)) p++;
      if (p == end) return LineFault::too_few_columns;
    }
    TextCell cell;
    p = scan_cell(p, end, layout.separator, cell);
    if ((edge.problem = cell.problem)) return LineFault::quotes;
    if (column == layout.from) edge.from = cell;
    if (column == layout.to) edge.to = cell;
    if (column == layout.relation) edge.relation = cell;
    if (column == layout.weight) edge.weight = cell;
    if (column == last) return check_width({p, size_t(end - p)}, column + 1, layout);
    if (p == end) return LineFault::too_few_columns;
    p++;
  }
}

// The first of the names for which `wrong` holds.
template <class Wrong>
std::string wrong_name(const EdgeLine& edge, Wrong&& wrong) {
  return cell_text(wrong(edge.from) ? edge.from : wrong(edge.to) ? edge.to : edge.relation);
}

FaultText describe_too_few(std::string_view line, const EdgeLayout& layout) {
  const int needed = std::max(layout.relation, layout.weight) + 1;
  const int count = int(split_cells(line, layout.separator).size());
  if (count > std::max(layout.from, layout.to))
    return {fmt::format("expected {} columns, got {}", needed, count)};
  const std::string message =
      fmt::format("expected two node ids, got {}", in_quotes(trimmed(line)));
  int64_t id;
  if (layout.integer_ids && parse_id(line, id) == LineFault::not_a_number)
    return {message, Hint::string_ids};
  return {fmt::format("{}; columns are separated by {} here", message,
                      separator_name(layout.separator)),
          Hint::separator};
}

FaultText describe_blank(const EdgeLine& edge) {
  const std::string name = wrong_name(edge, [](const TextCell& cell) {
    return !cell.text.empty() && (is_blank(cell.text.front()) || is_blank(cell.text.back()));
  });
  return {fmt::format("node id {} has a {} blank", in_quotes(name),
                      is_blank(name.back()) ? "trailing" : "leading"),
          Hint::trim};
}

std::string describe_entry_fault(std::string_view line, const EdgeLayout& layout) {
  return fmt::format("expected a row and a column counted from 1{}, got {}",
                     layout.weight < 0 ? "" : ", and a finite value", in_quotes(trimmed(line)));
}

}  // namespace

LineFault parse_edge_line(std::string_view line, const EdgeLayout& layout, EdgeLine& edge) {
  LineFault fault = find_cells(line, layout, edge);
  const auto then = [&](auto&& step) {
    if (fault == LineFault::none) fault = step();
  };
  if (layout.integer_ids) {
    then([&] { return parse_id(edge.from.text, edge.from_id); });
    then([&] { return parse_id(edge.to.text, edge.to_id); });
    if (layout.guessed_ids && (is_like_a_name(edge.from.text) || is_like_a_name(edge.to.text)))
      then([] { return LineFault::like_a_name; });
  } else {
    then([&] { return check_blanks(edge.from, layout.trim); });
    then([&] { return check_blanks(edge.to, layout.trim); });
  }
  if (layout.weight >= 0) then([&] { return parse_weight(edge.weight.text, edge.weight_value); });
  if (layout.relation >= 0) {
    edge.relation.text = trimmed(edge.relation.text);
    if (edge.relation.text.empty()) then([] { return LineFault::relation; });
  }
  return fault;
}

bool is_edge_like_comment(std::string_view line, const EdgeLayout& layout) {
  line = trimmed(line);
  if (line.size() < 2 || layout.columns < 2) return false;
  if (layout.separator == ' ' && is_blank(line[1])) return false;  // a sentence
  return int(split_cells(line, layout.separator).size()) == layout.columns;
}

bool is_decimal_comma(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t comma = text.find(',');
  return comma != text.npos && comma > 0 && comma + 1 < text.size() &&
         text.find_first_not_of("0123456789") == comma &&
         text.find_first_not_of("0123456789", comma + 1) == text.npos;
}

LineFault check_name(std::string_view name) {
  const size_t bad = first_bad_byte(name);
  if (bad == name.npos) return LineFault::none;
  return name[bad] == '\0' ? LineFault::nul : LineFault::not_utf8;
}

FaultText describe_fault(LineFault fault, std::string_view line, const EdgeLayout& layout) {
  if (line.find('\0') != line.npos)
    return {fmt::format("{} has a NUL byte; is this a text file?", in_quotes(line))};
  if (layout.matrix) return {describe_entry_fault(line, layout)};
  EdgeLine edge;
  parse_edge_line(line, layout, edge);
  const auto id_with = [&](LineFault wanted) {
    int64_t ignored;
    return in_quotes(trimmed(wrong_name(
        edge, [&](const TextCell& cell) { return parse_id(cell.text, ignored) == wanted; })));
  };
  const auto name_with = [&](LineFault wanted) {
    return in_quotes(
        wrong_name(edge, [&](const TextCell& c) { return check_name(c.text) == wanted; }));
  };
  switch (fault) {
    case LineFault::none:
    case LineFault::nul:
      break;
    case LineFault::too_few_columns:
      return describe_too_few(line, layout);
    case LineFault::not_a_number:
      return {fmt::format("expected two node ids, got {}", in_quotes(trimmed(line))),
              Hint::string_ids};
    case LineFault::negative:
      return {fmt::format("node id {} is negative", id_with(fault)), Hint::string_ids};
    case LineFault::too_large:
      return {fmt::format("node id {} is over 2^63 - 1", id_with(fault)), Hint::string_ids};
    case LineFault::too_many_columns:
      return {fmt::format("{} has more than {} columns, {}; quote cells that hold a separator",
                          in_quotes(line), layout.columns,
                          layout.has_names ? "as many as the header names (are rows named, too?)"
                                           : "as many as the first lines have")};
    case LineFault::like_a_name:
      return {fmt::format("node id {} is written as names are, but ids above are whole numbers",
                          in_quotes(trimmed(wrong_name(
                              edge, [](const TextCell& c) { return is_like_a_name(c.text); })))),
              Hint::string_ids};
    case LineFault::blank:
      return describe_blank(edge);
    case LineFault::empty:
      return {fmt::format("a node id is empty in {}", in_quotes(line))};
    case LineFault::not_utf8:
      return {fmt::format("{} is not UTF-8; save the file as UTF-8", name_with(fault))};
    case LineFault::quotes:
      return {fmt::format("{} in {}", edge.problem, in_quotes(line))};
    case LineFault::weight:
      return {
          fmt::format("weight {} is not a finite number", in_quotes(trimmed(edge.weight.text)))};
    case LineFault::comma:
      return {fmt::format(
          "weight {} has a comma that may stand before decimals or thousands; write it without",
          in_quotes(trimmed(edge.weight.text)))};
    case LineFault::relation:
      return {"the relation is empty"};
  }
  return {};
}

}  // namespace mgnn
