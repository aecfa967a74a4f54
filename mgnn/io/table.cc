#include "mgnn/io/table.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/text.h"

namespace mgnn {
namespace {

void check_utf8(std::string_view text, const std::string& path) {
  refuse_utf16(text, path);
  const size_t bad = first_bad_byte(text);
  if (bad == text.npos) return;
  const int64_t line = 1 + std::count(text.begin(), text.begin() + int64_t(bad), '\n');
  if (text[bad] == '\0') fail_at(path, line, "has a NUL byte; is this a text file?");
  fail_at(path, line, "is not UTF-8 at {}; save the file as UTF-8", in_quotes(text.substr(bad, 1)));
}

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

  std::string_view first_line() const { return {p, size_t(std::find(p, end, '\n') - p)}; }

  // Hands every cell of the row at `p` to `each`.
  template <class Each>
  void row(Each&& each) {
    const int64_t begin = line;
    while (true) {
      TextCell cell;
      p = scan_cell(p, end, separator, cell);
      if (cell.problem) fail_at(path, line, "{}", cell.problem);
      line += std::count(cell.text.begin(), cell.text.end(), '\n');
      each(cell);
      if (p == end || *p == '\n') break;
      p++;
    }
    if (p < end) p++;
    line++;
    if ((begin & 0xFFF) == 0) check_interrupted();
  }
};

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
  scanner.separator = found_separator(scanner.first_line(), ',');
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

Table read_table(const std::string& path) { return parse_table(read_bytes(path), path); }

}  // namespace mgnn
