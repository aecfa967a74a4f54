#include <algorithm>
#include <initializer_list>

#include "mgnn/base/lines.h"
#include "mgnn/io/edge_reader.h"

namespace mgnn {
namespace {

using Cells = std::vector<std::string>;

// Number of the first column called one of `names`, or -1.
int known_column(const Cells& header, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    for (size_t i = 0; i < header.size(); i++)
      if (lower(trimmed(header[i])) == name) return int(i);
  return -1;
}
int known_from(const Cells& header) { return known_column(header, {"source", "src", "from"}); }
int known_to(const Cells& header) { return known_column(header, {"target", "dst", "to"}); }

bool is_whole_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_number_of_column(const std::string& column) {
  int number;
  return parse_number(column, number);
}

// Whether a column is asked for by a name, which only a header can resolve.
bool asks_by_name(const EdgeListOptions& options) {
  for (const std::string* column :
       {&options.from_column, &options.to_column, &options.relation_column, &options.weight_column})
    if (!column->empty() && !is_number_of_column(*column)) return true;
  return false;
}

int asked_column(const std::string& asked, const Cells& cells, bool has_header,
                 const std::string& path, int64_t line) {
  for (size_t i = 0; has_header && i < cells.size(); i++)
    if (trimmed(cells[i]) == asked) return int(i);
  int number;
  if (!parse_number(asked, number)) {
    if (!has_header)
      fail_usage("{}: has no header line, so column {} must be given by its number", path,
                 in_quotes(asked));
    fail_usage("{}:{}: there is no column {}{}", path, line, in_quotes(asked),
               columns_hint(asked, cells));
  }
  if (number < 1 || number > int64_t(cells.size()))
    fail_usage("{}:{}: there is no column {}; the line has {}", path, line, number, cells.size());
  return number - 1;
}

// Two lines are looked at, and what follows from them.
struct FirstLines {
  std::string_view first, second;  // data() null: there is none
  int64_t first_number = 0, second_number = 0;
};

FirstLines first_lines(std::string_view text, const std::string& path) {
  FirstLines lines;
  LineReader reader(path, text);
  for (std::string_view line; !lines.second.data() && reader.next(line);) {
    if (is_idle_line(line)) continue;
    (lines.first.data() ? lines.second : lines.first) = line;
    (lines.second.data() ? lines.second_number : lines.first_number) = reader.number();
  }
  if (!lines.first.data()) fail_data("{}: holds no edges", path);
  return lines;
}

bool are_integers(const Cells& cells, int from, int to) {
  return from < int(cells.size()) && to < int(cells.size()) && is_whole_number(cells[from]) &&
         is_whole_number(cells[to]);
}

bool looks_like_header(const Cells& first, const Cells& second, int from, int to) {
  if (known_from(first) >= 0 && known_to(first) >= 0) return true;
  const auto is_name = [&](int column) {
    return column < int(first.size()) && !is_whole_number(first[column]);
  };
  return is_name(from) && is_name(to) && are_integers(second, from, to);
}

void find_columns(EdgeLayout& layout, const EdgeListOptions& options, const Cells& cells,
                  bool has_header, const std::string& path, int64_t line) {
  if (has_header && known_from(cells) >= 0 && known_to(cells) >= 0) {
    layout.from = known_from(cells);
    layout.to = known_to(cells);
  }
  const auto asked = [&](const std::string& column, int& place) {
    if (!column.empty()) place = asked_column(column, cells, has_header, path, line);
  };
  asked(options.from_column, layout.from);
  asked(options.to_column, layout.to);
  if (has_header) {
    const auto free = [&](int c) { return c == layout.from || c == layout.to ? -1 : c; };
    layout.relation = free(known_column(cells, {"relation", "type", "metaedge"}));
    layout.weight = free(known_column(cells, {"weight"}));
  }
  asked(options.relation_column, layout.relation);
  asked(options.weight_column, layout.weight);
  if (layout.from == layout.to)
    fail_usage("{}: column {} is asked for as both ends of an edge", path, layout.from + 1);
}

}  // namespace

bool is_idle_line(std::string_view line) {
  line = trimmed(line);
  return line.empty() || line.front() == '#' || line.front() == '%';
}

EdgeLayout find_edge_layout(std::string_view text, const std::string& path,
                            const EdgeListOptions& options) {
  refuse_utf16(text, path);
  const FirstLines lines = first_lines(text, path);
  EdgeLayout layout;
  layout.trim = options.trim;
  layout.separator = options.separator == Separator::automatic ? found_separator(lines.first, ' ')
                                                               : char(options.separator);
  const Cells first = split_cells(lines.first, layout.separator);
  const Cells second = split_cells(lines.second, layout.separator);

  const auto number_or = [](const std::string& column, int otherwise) {
    int number;
    return parse_number(column, number) && number > 0 ? number - 1 : otherwise;
  };
  const bool has_header =
      options.header == HeaderLine::present ||
      (options.header == HeaderLine::automatic &&
       (asks_by_name(options) || looks_like_header(first, second, number_or(options.from_column, 0),
                                                   number_or(options.to_column, 1))));
  find_columns(layout, options, first, has_header, path, lines.first_number);
  if (has_header && !lines.second.data()) fail_data("{}: holds no edges, only a header line", path);

  const char* const begin = has_header ? lines.second.data() : lines.first.data();
  layout.body = {begin, size_t(text.data() + text.size() - begin)};
  layout.first_line = has_header ? lines.second_number : lines.first_number;
  layout.integer_ids = options.ids == IdKind::integer ||
                       (options.ids == IdKind::automatic &&
                        are_integers(has_header ? second : first, layout.from, layout.to));
  return layout;
}

}  // namespace mgnn
