#include <algorithm>
#include <span>
#include <unordered_set>

#include "mgnn/base/human.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/edge_reader.h"

namespace mgnn {
namespace {

using Cells = std::vector<std::string>;

// What people call the columns; upper and lower case are the same, blanks, _ and - do not count.
constexpr std::string_view kFrom[] = {
    "source",     "src",      "from",     "head",     "subject",
    "node1",      "gene1",    "protein1", "id1",      "interactora",
    "genea",      "nodea",    "proteina", "sourceid", "fromid",
    "fromnodeid", ":startid", "citing",   "u",        "officialsymbolinteractora"};
constexpr std::string_view kTo[] = {
    "target",   "dst",    "to",       "tail",     "object",
    "node2",    "gene2",  "protein2", "id2",      "interactorb",
    "geneb",    "nodeb",  "proteinb", "targetid", "toid",
    "tonodeid", ":endid", "cited",    "v",        "officialsymbolinteractorb"};
constexpr std::string_view kRelation[] = {"relation",  "rel",      "type",
                                          "predicate", "metaedge", "interaction",
                                          ":type",     "edgetype", "relationship"};
constexpr std::string_view kWeight[] = {"weight", "score", "combinedscore", "value", "confidence"};

std::string plain_name(std::string_view name) {
  std::string plain = lower(name);
  std::erase_if(plain, [](char c) { return c == ' ' || c == '_' || c == '-' || c == '\t'; });
  return plain;
}

// Number of the column called by the first of `names` that is there, or -1.
int known_column(const Cells& header, std::span<const std::string_view> names) {
  for (const std::string_view name : names)
    for (size_t i = 0; i < header.size(); i++)
      if (plain_name(header[i]) == name) return int(i);
  return -1;
}
int known_from(const Cells& header) { return known_column(header, kFrom); }
int known_to(const Cells& header) { return known_column(header, kTo); }
int rank_among(std::string_view name, std::span<const std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), plain_name(name));
  return found == names.end() ? -1 : int(found - names.begin());
}
bool names_both_ends(const Cells& header) {
  return known_from(header) >= 0 && known_to(header) >= 0;
}

bool is_whole_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A number that text is the usual form of: 007 and +7 are names, and so is what 64 bits cannot hold.
bool is_integer_id(std::string_view text) {
  text = trimmed(text);
  int64_t number;
  if (!is_whole_number(text) || !parse_number(text, number)) return false;
  return !text.starts_with('+') && (text == "0" || !text.starts_with('0'));
}

// Or nothing where a number could be.
bool is_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double number;
  const std::string word = lower(text);
  return word.empty() || word == "na" || word == "null" || word == "none" || word == "?" ||
         parse_number(text, number) || is_decimal_comma(text);
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

// The first lines with edges, and what stands before them.
struct FirstLines {
  static constexpr size_t kMaxLines = 21, kMaxBytes = size_t(1) << 16;  // but two lines in any case
  std::vector<std::string_view> line;                                   // at least one
  std::vector<int64_t> number;
  std::vector<std::string_view> comments;  // before them, but for an empty line
  std::string_view comment;                // the last of these that begins with #, without it
  bool comment_is_first = false;           // of all lines
  std::string_view percent;                // the first before them, if it begins with %, without it
};

FirstLines first_lines(std::string_view text, const std::string& path) {
  FirstLines lines;
  LineReader reader(path, text);
  size_t bytes = 0;
  const auto is_enough = [&] {
    return lines.line.size() >= FirstLines::kMaxLines ||
           (lines.line.size() >= 2 && bytes > FirstLines::kMaxBytes);
  };
  for (std::string_view line; !is_enough() && reader.next(line);) {
    if (is_idle_line(line)) {
      const std::string_view comment = trimmed(line);
      if (lines.line.empty() && !comment.empty() && lines.comments.size() < FirstLines::kMaxLines)
        lines.comments.push_back(comment);
      if (lines.line.empty() && comment.starts_with('#')) {
        lines.comment = comment.substr(1);
        lines.comment_is_first = reader.number() == 1;
      }
      if (reader.number() == 1 && comment.starts_with('%')) lines.percent = comment.substr(1);
      continue;
    }
    bytes += line.size();
    lines.line.push_back(line);
    lines.number.push_back(reader.number());
  }
  if (lines.line.empty() && !lines.comments.empty())
    fail_data(
        "{}: holds no edges, but lines that begin with # or %, which are comments; quote ids "
        "that begin so",
        path);
  if (lines.line.empty()) fail_data("{}: holds no edges", path);
  return lines;
}

bool are_integers(const Cells& cells, int from, int to) {
  return from < int(cells.size()) && to < int(cells.size()) && is_integer_id(cells[from]) &&
         is_integer_id(cells[to]);
}

// Whether a name of the first line is an id in the lines below.
bool occurs_below(const std::vector<Cells>& rows, int column) {
  for (size_t r = 1; r < rows.size(); r++)
    for (const std::string& cell : rows[r])
      if (cell == rows[0][column]) return true;
  return false;
}

// Whether both names stand once in the whole text, as those of a header do.
bool occurs_once(std::string_view text, const Cells& names) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const size_t first = text.find(name);
    return !name.empty() && first != text.npos && text.find(name, first + 1) == text.npos;
  });
}

// Below the first line.
bool is_column_of_numbers(const std::vector<Cells>& rows, size_t column) {
  return std::all_of(rows.begin() + 1, rows.end(), [&](const Cells& row) {
    return column < row.size() && is_number(row[column]);
  });
}

bool looks_like_header(const std::vector<Cells>& rows) {
  const Cells& first = rows[0];
  if (names_both_ends(first))
    return !occurs_below(rows, known_from(first)) && !occurs_below(rows, known_to(first));
  if (rows.size() < 2 || std::any_of(first.begin(), first.end(), is_number)) return false;
  for (int end = 0; end < std::min(2, int(first.size())); end++)
    if (occurs_below(rows, end)) return false;
  for (size_t c = 0; c < first.size(); c++)
    if (is_column_of_numbers(rows, c)) return true;
  return false;
}

// Words that no other line has, above ids that do occur twice: unknown names of columns. Single letters
// are rather ids, and so is what blanks separate.
bool stands_alone(std::string_view text, const std::vector<Cells>& rows, char separator) {
  if (separator == ' ' || rows.size() < 3 || rows[0].size() < 2 || !occurs_once(text, rows[0]))
    return false;
  for (const std::string& name : rows[0])
    if (name.size() < 2 || is_number(name)) return false;
  std::unordered_set<std::string_view> ids;
  for (size_t r = 1; r < rows.size(); r++)
    for (size_t c = 0; c < std::min<size_t>(rows[r].size(), 2); c++)
      if (!ids.insert(rows[r][c]).second) return true;
  return false;
}

// What is said of a first line that is read as an edge but may be a header; else nothing.
std::string doubt_of_first_line(std::string_view text, const std::vector<Cells>& rows,
                                const EdgeLayout& layout, const std::string& line) {
  if (are_integers(rows[0], layout.from, layout.to) || !occurs_once(text, rows[0])) return "";
  if (rows.size() > 1)
    return fmt::format(
        "the first line, {}, is read as an edge, though its names occur nowhere else", line);
  if (layout.separator == ' ') return "";
  return fmt::format("the only line, {}, is read as an edge, not as a header", line);
}

// Two columns are the ends. Of more, where nobody says which, the first two are if they are of one kind
// and the others have a meaning or are numbers; else there would be a graph, but perhaps not the one
// that is meant.
void check_ends_are_clear(const EdgeLayout& layout, const Cells& row, const std::string& path,
                          int64_t line) {
  if (row.size() < 3) return;
  const bool integers = is_integer_id(row[0]) && is_integer_id(row[1]);
  bool clear = is_integer_id(row[0]) == is_integer_id(row[1]);
  for (int c = 2; c < count_plain_columns(row) && !integers; c++)
    clear &= c == layout.relation || c == layout.weight || is_number(row[c]);
  if (clear) return;
  fail_usage(Hint::end_columns,
             "{}:{}: has {} columns, and nothing says which two are the ends of an edge", path,
             line, row.size());
}

// "edges are from column 1 (gene1) to 2 (gene2), weights are column 3 (score)"
std::string described(const EdgeLayout& layout, const Cells& names) {
  const auto column = [&](int c) {
    if (c >= int(names.size())) return fmt::format("{}", c + 1);
    return fmt::format("{} ({})", c + 1, in_quotes(trimmed(names[c])));
  };
  std::string text =
      fmt::format("edges are from column {} to {}", column(layout.from), column(layout.to));
  if (layout.relation >= 0)
    text += fmt::format(", {} are column {}", layout.directions ? "directions" : "relations",
                        column(layout.relation));
  if (layout.weight >= 0) text += fmt::format(", weights are column {}", column(layout.weight));
  return text;
}

// "not used: column since", or nothing.
std::string unused(const EdgeLayout& layout, const Cells& names, size_t columns) {
  std::vector<std::string> texts;
  for (int c = 0; c < int(columns); c++)
    if (c != layout.from && c != layout.to && c != layout.relation && c != layout.weight)
      texts.push_back(c < int(names.size()) ? in_quotes(trimmed(names[c]))
                                            : fmt::format("{}", c + 1));
  if (texts.empty()) return "";
  return fmt::format("not used: column{} {}", texts.size() > 1 ? "s" : "", human_list(texts, 8));
}

// The first line of a file of KONECT: % sym unweighted
struct KonectLine {
  bool present = false, undirected = false, bipartite = false, weighted = false;
};

KonectLine konect_line(std::string_view percent, const std::string& path) {
  constexpr std::string_view kWeights[] = {"unweighted", "positive",      "posweighted",
                                           "signed",     "multisigned",   "weighted",
                                           "dynamic",    "multiweighted", "multiposweighted"};
  const Cells words = split_cells(trimmed(percent), ' ');
  if (words.size() != 2 ||
      std::find(std::begin(kWeights), std::end(kWeights), words[1]) == std::end(kWeights))
    return {};
  KonectLine line{.present = true,
                  .undirected = words[0] == "sym",
                  .bipartite = words[0] == "bip",
                  .weighted = words[1] != "unweighted" && words[1] != "dynamic"};
  line.present = line.undirected || line.bipartite || words[0] == "asym";
  if (line.bipartite)
    fail_data(
        "{}: is a bipartite graph of KONECT, whose two columns number different nodes alike; write "
        "the ids of one column with another beginning, and leave out the line % bip",
        path);
  return line;
}

// The ends by what is stated, else by their names. Where only one is known, the other is the other of two
// columns, or the usual one of more.
void find_ends(EdgeLayout& layout, const EdgeListOptions& options, const Cells& cells,
               bool has_header, const std::string& path, int64_t line) {
  const auto place = [&](const std::string& column, int known) {
    if (!column.empty()) return asked_column(column, cells, has_header, path, line);
    return has_header ? known : -1;
  };
  int from = place(options.from_column, known_from(cells));
  int to = place(options.to_column, known_to(cells));
  const bool stated = !options.from_column.empty() || !options.to_column.empty();
  const bool two = cells.size() == 2 && !stated;
  if (from >= 0 && to < 0) to = two ? 1 - from : 1;
  if (to >= 0 && from < 0) from = two ? 1 - to : 0;
  if (from < 0) return;  // columns 1 and 2
  layout.from = from;
  layout.to = to;
  if (from != to) return;
  if (!stated)
    fail_usage(Hint::end_columns,
               "{}:{}: column {} is called {}, but nothing says which is the other "
               "end of an edge",
               path, line, from + 1, in_quotes(trimmed(cells[from])));
  fail_usage("{}: column {} is asked for as both ends of an edge", path, from + 1);
}

void find_columns(EdgeLayout& layout, const EdgeListOptions& options, const Cells& cells,
                  bool has_header, const std::string& path, int64_t line) {
  find_ends(layout, options, cells, has_header, path, line);
  const auto asked = [&](const std::string& column, int& place) {
    if (!column.empty()) place = asked_column(column, cells, has_header, path, line);
  };
  if (has_header) {
    const auto free = [&](int c) { return c == layout.from || c == layout.to ? -1 : c; };
    layout.relation = free(known_column(cells, kRelation));
    layout.weight = free(known_column(cells, kWeight));
  }
  asked(options.relation_column, layout.relation);
  asked(options.weight_column, layout.weight);
}

// Gephi says of each edge whether it is directed, in a column called Type.
bool are_directions(std::span<const Cells> rows, int column) {
  return column >= 0 && std::all_of(rows.begin(), rows.end(), [&](const Cells& row) {
           return column < int(row.size()) && is_direction(row[column]);
         });
}

// The number of columns that no line exceeds; the first lines must have the same.
int column_count(const Cells& names, std::span<const Cells> rows) {
  if (!names.empty()) return int(names.size());
  int columns = 0;
  for (const Cells& row : rows) columns = std::max(columns, count_plain_columns(row));
  return columns;
}

// Integers if the first edge has them, and no later id only looks like one.
bool has_integer_ids(const EdgeLayout& layout, IdKind stated, std::span<const Cells> rows) {
  if (stated != IdKind::automatic) return stated == IdKind::integer;
  const auto is_odd = [&](const Cells& row) {
    for (const int end : {layout.from, layout.to})
      if (end < int(row.size()) && is_whole_number(row[end]) &&
          !trimmed(row[end]).starts_with('-') && !is_integer_id(row[end]))
        return true;
    return false;
  };
  return are_integers(rows[0], layout.from, layout.to) &&
         std::none_of(rows.begin(), rows.end(), is_odd);
}

}  // namespace

int relation_rank(std::string_view name) { return rank_among(name, kRelation); }
int weight_rank(std::string_view name) { return rank_among(name, kWeight); }

bool is_direction(std::string_view text) {
  const std::string word = lower(trimmed(text));
  return word == "directed" || word == "undirected" || word == "mutual";
}

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
  layout.guessed_ids = options.ids == IdKind::automatic;
  layout.separator = options.separator == Separator::automatic ? found_separator(lines.line[0], ' ')
                                                               : char(options.separator);
  std::vector<Cells> rows;
  for (const std::string_view line : lines.line)
    rows.push_back(split_cells(line, layout.separator));
  // Names may stand in a comment, as in files of SNAP and BioGRID. Words of a sentence are as many as the
  // columns by chance only where blanks separate these.
  const Cells comment = split_cells(trimmed(lines.comment), layout.separator);
  const bool automatic = options.header == HeaderLine::automatic;
  const bool own_header =
      automatic && (looks_like_header(rows) || stands_alone(text, rows, layout.separator));
  const bool in_comment =
      automatic && comment.size() == rows[0].size() &&
      (names_both_ends(comment) ||
       (lines.comment_is_first && comment.size() > 1 && layout.separator != ' ' && !own_header));
  const bool has_header = options.header == HeaderLine::present ||
                          (automatic && !in_comment && (asks_by_name(options) || own_header));
  const Cells& names = in_comment ? comment : rows[0];
  const KonectLine konect = konect_line(lines.percent, path);
  if (konect.present && konect.weighted && rows[0].size() > 2) layout.weight = 2;
  find_columns(layout, options, names, has_header || in_comment, path, lines.number[0]);
  if (has_header && rows.size() < 2) fail_data("{}: holds no edges, only a header line", path);
  const bool stated = !options.from_column.empty() || !options.to_column.empty();
  const bool named = (has_header || in_comment) && names_both_ends(names);
  const std::span<const Cells> edges = std::span(rows).subspan(size_t(has_header));
  const Cells shown = has_header || in_comment ? names : Cells();
  if (!stated && shown.empty()) check_is_edge_list(text, rows, path);
  if (!stated && !named) check_ends_are_clear(layout, edges[0], path, lines.number[has_header]);
  layout.columns = column_count(shown, edges);
  layout.has_names = !shown.empty();
  if (!stated && shown.empty()) layout.least_columns = count_least_columns(edges);
  layout.directions = options.relation_column.empty() && are_directions(edges, layout.relation);
  for (const std::string_view line : lines.comments)
    layout.edge_like_comments +=
        is_edge_like_comment(line, layout) && !(in_comment && line.substr(1) == lines.comment);

  const std::string not_used = unused(layout, shown, rows[has_header].size());
  layout.reading = fmt::format("{}{}{}; {}", described(layout, shown), not_used.empty() ? "" : "; ",
                               not_used, has_header || in_comment ? "a header" : "no header");
  if (konect.present) {
    layout.undirected = konect.undirected;
    layout.reading +=
        konect.undirected ? "; undirected, as % sym says" : "; directed, as % asym says";
  }
  const bool header_guessed = has_header && automatic && !asks_by_name(options);
  if (konect.present && konect.weighted && layout.weight < 0)
    layout.guess = fmt::format("the first line says {}, but there is no column of weights",
                               in_quotes(trimmed(lines.percent)));
  else if (named)
    layout.guess = not_used;
  else if (header_guessed || in_comment || (!stated && !konect.present && rows[0].size() > 2))
    layout.guess = described(layout, shown);

  if (layout.guess.empty() && !has_header && automatic)
    layout.guess = doubt_of_first_line(text, rows, layout, in_quotes(lines.line[0]));

  const char* const begin = lines.line[has_header].data();
  layout.body = {begin, size_t(text.data() + text.size() - begin)};
  layout.first_line = lines.number[has_header];
  layout.integer_ids = has_integer_ids(layout, options.ids, edges);
  return layout;
}

}  // namespace mgnn
