// The entries are lines of an edge list with blanks between, so they are read as such; what is
// left to do here is the header, and to hold the entries against it. Nothing is allocated by what
// the header declares.

#include "mgnn/io/matrix_market.h"

#include <algorithm>
#include <limits>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/edge_reader.h"
#include "mgnn/io/memory.h"
#include "mgnn/io/text.h"
#include "mgnn/io/text_writer.h"

namespace mgnn {
namespace {

struct Header {
  bool has_values = false;
  bool symmetric = false, skew = false;
  int64_t rows = 0, cols = 0, entries = 0;
};

// `word` must be one of `known`; otherwise the message says what is read.
size_t index_of(std::string_view word, std::initializer_list<std::string_view> known,
                const LineReader& reader) {
  std::string expected;
  size_t i = 0;
  for (const std::string_view name : known) {
    if (name == word) return i;
    expected += (i++ == 0 ? "" : i == known.size() ? " or " : ", ") + std::string(name);
  }
  reader.fail("{} matrices are not read, only {}", in_quotes(word), expected);
}

// %%MatrixMarket matrix coordinate real general
void parse_banner(std::string_view line, const LineReader& reader, Header& header) {
  std::vector<std::string> words = split_cells(line, ' ');
  for (std::string& word : words)
    for (char& c : word)
      if (c >= 'A' && c <= 'Z') c = char(c + 32);
  if (words.empty() || words[0] != "%%matrixmarket")
    reader.fail("expected a line that begins with %%MatrixMarket, got {}", in_quotes(line));
  if (words.size() < 5)
    reader.fail("expected \"%%MatrixMarket matrix coordinate real general\" or the like, got {}",
                in_quotes(line));
  index_of(words[1], {"matrix"}, reader);
  index_of(words[2], {"coordinate"}, reader);
  header.has_values = index_of(words[3], {"pattern", "integer", "real"}, reader) > 0;
  const size_t shape = index_of(words[4], {"general", "symmetric", "skew-symmetric"}, reader);
  header.symmetric = shape > 0;
  header.skew = shape == 2;
  if (header.skew && !header.has_values) reader.fail("a skew-symmetric matrix must have values");
}

void parse_sizes(std::string_view line, const LineReader& reader, Header& header) {
  const std::vector<std::string> words = split_cells(line, ' ');
  int64_t* const sizes[] = {&header.rows, &header.cols, &header.entries};
  bool ok = words.size() == 3;
  for (size_t i = 0; ok && i < 3; i++) ok = parse_number(words[i], *sizes[i]) && *sizes[i] >= 0;
  if (!ok)
    reader.fail("expected the numbers of rows, columns and entries, got {}", in_quotes(line));
  if (header.rows != header.cols)
    reader.fail("the matrix is {} x {}; only a square one is a graph", header.rows, header.cols);
  constexpr int64_t kMaxNodes = std::numeric_limits<NodeId>::max();
  if (header.rows > kMaxNodes)
    reader.fail("{} rows are declared, but at most {} nodes can be handled",
                human_count(header.rows), human_count(kMaxNodes));
}

// The line of an entry, which is only asked for to report it.
int64_t line_of_entry(const EdgeLayout& layout, const std::string& path, int64_t entry) {
  LineReader reader(path, layout.body, layout.first_line);
  for (std::string_view line; reader.next(line);)
    if (!is_idle_line(line) && entry-- == 0) break;
  return reader.number();
}

// From indices of the file to nodes, each within the declared size.
template <class Pair>
Array<Edge> checked_edges(const Array<Pair>& pairs, const Header& header, const EdgeLayout& layout,
                          const std::string& path) {
  Array<Edge> edges(pairs.size());
  for (size_t e = 0; e < pairs.size(); e++) {
    const int64_t row = pairs[e].from, column = pairs[e].to;
    if (row < 1 || row > header.rows || column < 1 || column > header.cols)
      fail_at(path, line_of_entry(layout, path, int64_t(e)),
              "entry ({}, {}) is outside the {} x {} matrix; Matrix Market counts from 1", row,
              column, header.rows, header.cols);
    if (header.skew && row == column)
      fail_at(path, line_of_entry(layout, path, int64_t(e)),
              "entry ({}, {}) is on the diagonal of a skew-symmetric matrix", row, column);
    edges[e] = {NodeId(row - 1), NodeId(column - 1)};
  }
  return edges;
}

void add_mirrored(EdgeList& list, bool skew) {
  const size_t count = list.edges.size();
  for (size_t e = 0; e < count; e++) {
    const Edge edge = list.edges[e];
    if (edge.from == edge.to) continue;
    list.edges.push_back({edge.to, edge.from});
    if (!list.weight.empty()) list.weight.push_back(skew ? -list.weight[e] : list.weight[e]);
  }
}

template <class Value>
void write_entries(const std::string& path, const Csr& pattern, std::span<const Value> value,
                   std::string_view kind, bool overwrite) {
  check(value.empty() || Offset(value.size()) == pattern.nnz(), "{}: {} values for {} entries",
        path, value.size(), pattern.nnz());
  TextWriter out(path, overwrite);
  out.text(fmt::format("%%MatrixMarket matrix coordinate {} general\n{} {} {}\n", kind,
                       pattern.rows, pattern.cols, pattern.nnz()));
  for (NodeId row = 0; row < pattern.rows; row++)
    for (Offset e = pattern.start[row]; e < pattern.start[row + 1]; e++) {
      out.number(int64_t(row) + 1);
      out.text(" ");
      out.number(int64_t(pattern.index[e]) + 1);
      if (!value.empty()) {
        out.text(" ");
        out.number(value[e]);
      }
      out.text("\n");
    }
  out.commit();
}

}  // namespace

EdgeList parse_matrix_market(std::string_view text, const std::string& path) {
  refuse_utf16(text, path);
  LineReader reader(path, text);
  Header header;
  std::string_view line;
  if (!reader.next(line)) fail_data("{}: is empty; expected a Matrix Market file", path);
  parse_banner(line, reader, header);
  do {
    if (!reader.next(line)) fail_data("{}: ends before the line of sizes", path);
  } while (trimmed(line).empty() || line.starts_with('%'));
  parse_sizes(line, reader, header);

  EdgeLayout layout;
  layout.matrix = true;
  layout.weight = header.has_values ? 2 : -1;
  layout.first_line = reader.number() + 1;
  const size_t end = text.find('\n', size_t(line.data() - text.data()));
  layout.body = end == text.npos ? std::string_view() : text.substr(end + 1);
  EdgeRows rows = read_edge_rows(layout, path);

  EdgeList list;
  list.num_nodes = NodeId(header.rows);
  list.edges = rows.wide.empty() ? checked_edges(rows.edges, header, layout, path)
                                 : checked_edges(rows.wide, header, layout, path);
  list.weight = std::move(rows.weight);
  if (int64_t(list.edges.size()) != header.entries)
    fail_data("{}: declares {} entries, but holds {}{}", path, header.entries, list.edges.size(),
              int64_t(list.edges.size()) < header.entries ? "; it may be cut short" : "");
  check_claimed_nodes(header.rows, header.entries, path);
  if (header.symmetric) add_mirrored(list, header.skew);
  return list;
}

EdgeList read_matrix_market(const std::string& path) {
  const FileBytes bytes = read_bytes(path);
  return parse_matrix_market(bytes.view(), path == "-" ? "standard input" : path);
}

void write_matrix_market(const std::string& path, const Csr& pattern, std::span<const float> value,
                         bool overwrite) {
  write_entries(path, pattern, value, value.empty() ? "pattern" : "real", overwrite);
}

void write_matrix_market(const std::string& path, const Csr& pattern, std::span<const double> value,
                         bool overwrite) {
  write_entries(path, pattern, value, value.empty() ? "pattern" : "real", overwrite);
}

void write_matrix_market(const std::string& path, const Csr& pattern,
                         std::span<const int64_t> value, bool overwrite) {
  write_entries(path, pattern, value, value.empty() ? "pattern" : "integer", overwrite);
}

}  // namespace mgnn
