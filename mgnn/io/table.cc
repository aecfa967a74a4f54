#include "mgnn/io/table.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/text.h"

namespace mgnn {
namespace {

// Goes through the rows of a text.
struct RowScanner {
  const std::string& path;
  const char* p;
  const char* end;
  char separator = ',';
  int64_t line = 1;  // of the next row

  // Passes empty lines over; false at the end of the text.
  bool find_row() {
    while (p < end && (*p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n'))) {
      p += *p == '\r' ? 2 : 1;
      line++;
    }
    return p < end;
  }

  // Several blanks separate as one, and those at the ends of a line nothing.
  void skip_blanks() {
    if (separator != ' ') return;
    while (p < end && (separates(*p, ' ') || (*p == '\r' && (p + 1 == end || p[1] == '\n')))) p++;
  }

  // Hands every cell of the row at `p` to `each`.
  template <class Each>
  void row(Each&& each) {
    const int64_t begin = line;
    skip_blanks();
    while (true) {
      TextCell cell;
      p = scan_cell(p, end, separator, cell);
      if (cell.problem) fail_at(path, line, "{}", cell.problem);
      line += std::count(cell.text.begin(), cell.text.end(), '\n');
      each(cell);
      skip_blanks();
      if (p == end || *p == '\n') break;
      if (separator != ' ') p++;
    }
    if (p < end) p++;
    line++;
    if ((begin & 0xFFF) == 0) check_interrupted();
  }
};

// Tab, comma, semicolon or pipe of the header; else blanks, if the next line has as many words as it.
char separator_of(std::string_view text) {
  const size_t header_end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view header = text.substr(0, header_end);
  const char found = found_separator(header, header.find('|') == header.npos ? '\0' : '|');
  if (found != '\0') return found;
  const size_t next = text.find_first_not_of("\r\n", header_end);
  if (next == text.npos) return ',';
  const std::string_view row = text.substr(next, text.find_first_of("\r\n", next) - next);
  const size_t words = split_cells(trimmed(header), ' ').size();
  return words > 1 && split_cells(trimmed(row), ' ').size() == words ? ' ' : ',';
}

}  // namespace

int64_t Table::find_column(std::string_view name) const {
  const auto found = std::find(columns_.begin(), columns_.end(), name);
  return found == columns_.end() ? -1 : found - columns_.begin();
}

int64_t Table::column(std::string_view name) const {
  const int64_t found = find_column(name);
  if (found < 0)
    fail_usage("{}: there is no column {}{}", path_, in_quotes(name), columns_hint(name, columns_));
  if (std::count(columns_.begin(), columns_.end(), name) > 1)
    fail_data("{}: two columns are called {}; rename one", path_, in_quotes(name));
  return found;
}

Table parse_table(FileBytes bytes, const std::string& path) {
  Table table;
  table.path_ = path;
  table.bytes_ = std::move(bytes);
  std::string_view text = table.bytes_.view();
  check_utf8(text, path);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);

  RowScanner scanner{path, text.data(), text.data() + text.size()};
  if (!scanner.find_row()) fail_data("{}: is empty; expected a header line", path);
  scanner.separator = separator_of(text.substr(size_t(scanner.p - text.data())));
  scanner.row([&](const TextCell& cell) {
    table.columns_.emplace_back(
        trimmed(cell.escaped ? unescaped(cell.text) : std::string(cell.text)));
  });

  while (scanner.find_row()) {
    const int64_t line = scanner.line;
    const size_t before = table.cells_.size();
    scanner.row([&](const TextCell& cell) {
      table.cells_.push_back(cell.text);
      if (!cell.escaped) return;
      table.unquoted_.push_back(std::make_unique<std::string>(unescaped(cell.text)));
      table.cells_.back() = *table.unquoted_.back();
    });
    const size_t width = table.cells_.size() - before;
    if (width != table.columns_.size())
      fail_at(path, line, "{} cells separated by {}, but the header has {}", width,
              separator_name(scanner.separator), table.columns_.size());
    table.lines_.push_back(line);
    table.num_rows_++;
  }
  return table;
}

Table table_of_cells(const std::string& path, std::vector<std::string> columns,
                     Array<std::string_view> cells, Array<int64_t> lines) {
  Table table;
  table.path_ = path;
  table.columns_ = std::move(columns);
  table.cells_ = std::move(cells);
  table.lines_ = std::move(lines);
  table.num_rows_ = int64_t(table.lines_.size());
  return table;
}

Table read_table(const std::string& path) { return parse_table(read_bytes(path), path); }

}  // namespace mgnn
