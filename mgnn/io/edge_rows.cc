// The text is cut into parts at line ends, and threads take parts. Lines are counted first, which
// is cheap beside parsing them: then every part of a plain list knows where its edges go, and every
// error its line. Plain lines are read by the kernel; a line it does not know is taken apart by
// parse_edge_line, which also finds out what is wrong with it.
//
// Names are numbered within each part first; then the parts, in order, are merged into one table.
// So most of the hashing is parallel, and the numbers are those of first appearance in the file.

#include <sys/mman.h>

#include <algorithm>
#include <deque>

#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/io/edge_reader.h"
#include "mgnn/io/edges_kernel.h"
#include "mgnn/io/interner.h"

namespace mgnn {
namespace {

// ---- parts of the text

struct TextPart {
  const char *begin, *end;  // whole lines; end[-1] is '\n'
  int64_t lines;            // in it
  int64_t first_line;       // number of its first one
};

// `text`, whose first line has the number `first_line`, cut at line ends. 64 bytes can be read
// from every place in a part, past its end too: the last lines, and a last '\n' that may be
// missing, are copied to where this is true. REQUIRES: the text outlives this.
class TextParts {
 public:
  TextParts(std::string_view text, int64_t first_line);

  int64_t count() const { return int64_t(parts_.size()); }
  const TextPart& operator[](int64_t part) const { return parts_[part]; }

 private:
  std::vector<TextPart> parts_;
  std::string tail_;
};

constexpr size_t kReadAhead = 64;
constexpr size_t kPart = 1 << 20;

int64_t count_lines(const char* begin, const char* end) {
  return MGNN_DISPATCH(count_newlines, begin, end);
}

TextParts::TextParts(std::string_view text, int64_t first_line) {
  const auto line_end = [&](size_t from) { return std::min(text.find('\n', from), text.size()); };
  size_t body = 0;  // ends where the tail begins
  if (text.size() > kReadAhead) {
    const size_t last = text.rfind('\n', text.size() - kReadAhead - 1);
    body = last == text.npos ? 0 : last + 1;
  }
  for (size_t begin = 0; begin < body;) {
    const size_t end = std::min(line_end(std::min(begin + kPart, body - 1)) + 1, body);
    parts_.push_back({text.data() + begin, text.data() + end, 0, 0});
    begin = end;
  }
  tail_ = text.substr(body);
  if (!tail_.ends_with('\n')) tail_ += '\n';
  const size_t tail_size = tail_.size();
  tail_.append(kReadAhead, '\0');
  parts_.push_back({tail_.data(), tail_.data() + tail_size, 0, 0});

#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(int64_t(text.size()) / 8))
  for (size_t i = 0; i < parts_.size(); i++)
    parts_[i].lines = count_lines(parts_[i].begin, parts_[i].end);
  for (TextPart& part : parts_) {
    part.first_line = first_line;
    first_line += part.lines;
  }
}

// ---- faults

// The first fault of a part, and how many lines have each.
struct PartFaults {
  LineFault first = LineFault::none;
  std::string_view line;
  int64_t count[kLineFaults] = {};
  int64_t edge_like_comments = 0;

  void add(LineFault fault, std::string_view where) {
    if (fault == LineFault::none) return;
    if (count[int(fault)]++ > 0 || first != LineFault::none) return;
    first = fault;
    line = where;
  }
};

void report_faults(const std::vector<PartFaults>& faults, const TextParts& parts,
                   const EdgeLayout& layout, const std::string& path) {
  for (int64_t i = 0; i < parts.count(); i++) {
    const PartFaults& found = faults[i];
    if (found.first == LineFault::none) continue;
    int64_t more = -1;
    for (const PartFaults& f : faults) more += f.count[int(found.first)];
    const int64_t line = parts[i].first_line + count_lines(parts[i].begin, found.line.data());
    const FaultText fault = describe_fault(found.first, found.line, layout);
    const std::string others =
        more > 0 ? fmt::format(" ({} more like this)", human_count(more)) : "";
    throw Error(Error(ErrorKind::data,
                      fmt::format("{}:{}: {}{}", path, line, fault.message, others), fault.hint)
                    .at(path, line));
  }
}

std::string_view line_at(const char* p, const char* end) {
  std::string_view line(p, size_t(std::find(p, end, '\n') - p));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}
const char* next_line(std::string_view line) {
  const char* const end = line.data() + line.size();
  return end + (*end == '\r' ? 2 : 1);
}

// Calls body(part, faults) for every part, in parallel, with a progress bar. Gives the number of comments
// that may be edges.
template <class Body>
int64_t for_each_part(const TextParts& parts, const EdgeLayout& layout, const std::string& path,
                      Body&& body) {
  Progress progress("reading " + path, int64_t(layout.body.size()), "B");
  std::vector<PartFaults> faults(size_t(parts.count()));
  ParallelError error;
#pragma omp parallel for schedule(dynamic, 1) if (parts.count() > 2 && num_threads() > 1)
  for (int64_t i = 0; i < parts.count(); i++)
    error.run([&] {
      check_interrupted();
      body(i, faults[i]);
      progress.advance(parts[i].end - parts[i].begin);
    });
  error.rethrow();
  report_faults(faults, parts, layout, path);
  int64_t comments = 0;
  for (const PartFaults& part : faults) comments += part.edge_like_comments;
  return comments;
}

// ---- plain lists: two integers a line, read to where they stay

// `out` has room for every edge that the part can hold. Gives their end.
template <class Pair>
Pair* read_plain_part(const TextPart& part, const EdgeLayout& layout, Pair* out, uint64_t& bits,
                      PartFaults& faults) {
  const char* p = part.begin;
  while (true) {
    p = MGNN_DISPATCH(parse_pairs, p, part.end, layout.separator, layout.columns != 2, out, bits);
    if (p == part.end) return out;
    const std::string_view line = line_at(p, part.end);
    if (is_idle_line(line)) {
      faults.edge_like_comments += is_edge_like_comment(line, layout);
    } else {
      EdgeLine edge;
      const LineFault fault = parse_edge_line(line, layout, edge);
      faults.add(fault, line);
      if (fault == LineFault::none) {
        bits |= uint64_t(edge.from_id) | uint64_t(edge.to_id);
        *out++ = {decltype(out->from)(edge.from_id), decltype(out->to)(edge.to_id)};
      }
    }
    p = next_line(line);
  }
}

// Asks for the memory of a part in one go, which is cheaper than a fault on every page. Where the
// kernel does not know how, the faults come.
template <class T>
void touch(T* begin, T* end) {
#ifdef MADV_POPULATE_WRITE
  constexpr uintptr_t kPage = 4096;
  const auto first = (reinterpret_cast<uintptr_t>(begin) + kPage - 1) / kPage * kPage;
  const auto last = reinterpret_cast<uintptr_t>(end) / kPage * kPage;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_POPULATE_WRITE);
#endif
}

// False if an id does not fit into a Pair; then `edges` hold nothing of use.
template <class Pair>
bool read_plain(const TextParts& parts, const EdgeLayout& layout, const std::string& path,
                Array<Pair>& edges, EdgeRows& rows) {
  constexpr int64_t kShortest = 4;  // "1 2\n"
  std::vector<int64_t> place(size_t(parts.count()) + 1, 0), size(size_t(parts.count()), 0);
  for (int64_t i = 0; i < parts.count(); i++)
    place[i + 1] = place[i] + std::min(parts[i].lines, (parts[i].end - parts[i].begin) / kShortest);
  check_memory(place.back() * int64_t(sizeof(Pair)), path);
  edges.resize(size_t(place.back()));

  constexpr int kBits = 8 * sizeof(edges[0].from) - 1;
  std::atomic<uint64_t> shared_bits = 0;
  rows.edge_like_comments = for_each_part(parts, layout, path, [&](int64_t i, PartFaults& faults) {
    if (shared_bits.load(std::memory_order_relaxed) >> kBits) return;
    uint64_t bits = 0;
    Pair* const begin = edges.data() + place[i];
    touch(begin, edges.data() + place[i + 1]);
    size[i] = read_plain_part(parts[i], layout, begin, bits, faults) - begin;
    shared_bits.fetch_or(bits, std::memory_order_relaxed);
  });
  rows.id_bits = shared_bits;
  if (rows.id_bits >> kBits) return false;

  int64_t used = 0;  // close the gaps that comments left
  for (int64_t i = 0; i < parts.count(); i++) {
    if (used != place[i]) std::copy_n(edges.data() + place[i], size[i], edges.data() + used);
    used += size[i];
  }
  edges.resize(size_t(used));
  return true;
}

// ---- all other lists

struct GeneralPart {
  Array<WideEdge> edges;  // ids, or numbers in `names`
  Array<int32_t> relation;
  Array<float> weight;
  Interner names, relations;
  std::deque<std::string> unescaped_names;  // what `names` and `relations` cannot view in the text
};

LineFault intern(const TextCell& cell, Interner& names, GeneralPart& part, int64_t& number) {
  std::string_view name = cell.text;
  if (cell.escaped) name = part.unescaped_names.emplace_back(unescaped(name));
  bool is_new;
  number = names.number(name, is_new);
  return is_new ? check_name(name) : LineFault::none;
}

void read_general_part(const TextPart& text, const EdgeLayout& layout, GeneralPart& part,
                       PartFaults& faults) {
  std::string_view line;
  for (const char* p = text.begin; p < text.end; p = next_line(line)) {
    line = line_at(p, text.end);
    if (is_idle_line(line)) {
      faults.edge_like_comments += is_edge_like_comment(line, layout);
      continue;
    }
    EdgeLine edge;
    LineFault fault = parse_edge_line(line, layout, edge);
    const auto number = [&](const TextCell& cell, Interner& names, int64_t& id) {
      if (fault == LineFault::none) fault = intern(cell, names, part, id);
    };
    if (!layout.integer_ids) {
      number(edge.from, part.names, edge.from_id);
      number(edge.to, part.names, edge.to_id);
    }
    int64_t relation = 0;
    if (layout.relation >= 0) number(edge.relation, part.relations, relation);
    faults.add(fault, line);
    part.edges.push_back({edge.from_id, edge.to_id});
    if (layout.relation >= 0) part.relation.push_back(int32_t(relation));
    if (layout.weight >= 0) part.weight.push_back(edge.weight_value);
  }
}

// The number in the whole file of each name of a part.
std::vector<int32_t> merge_names(const Interner& of_part, Interner& all) {
  std::vector<int32_t> number;
  number.reserve(of_part.names().size());
  bool is_new;
  for (const std::string_view name : of_part.names()) number.push_back(all.number(name, is_new));
  return number;
}

template <class T>
void append(Array<T>& all, Array<T>& of_part) {
  all.insert(all.end(), of_part.begin(), of_part.end());
  of_part = {};
}

EdgeRows merge_parts(std::vector<GeneralPart> parts, const EdgeLayout& layout) {
  EdgeRows rows;
  Interner names, relations;
  for (GeneralPart& part : parts) {
    check_interrupted();
    if (!layout.integer_ids) {
      const std::vector<int32_t> number = merge_names(part.names, names);
      for (const WideEdge& e : part.edges) rows.edges.push_back({number[e.from], number[e.to]});
      part.edges = {};
    }
    const std::vector<int32_t> number = merge_names(part.relations, relations);
    for (int32_t& relation : part.relation) relation = number[relation];
    for (const WideEdge& e : part.edges) rows.id_bits |= uint64_t(e.from) | uint64_t(e.to);
    append(rows.wide, part.edges);
    append(rows.relation, part.relation);
    append(rows.weight, part.weight);
  }
  for (const std::string_view name : names.names()) rows.names.push_back(name);
  for (const std::string_view name : relations.names()) rows.relation_names.emplace_back(name);
  return rows;
}

EdgeRows read_general(const TextParts& parts, const EdgeLayout& layout, const std::string& path) {
  std::vector<GeneralPart> read(size_t(parts.count()));
  const int64_t comments = for_each_part(parts, layout, path, [&](int64_t i, PartFaults& faults) {
    read_general_part(parts[i], layout, read[i], faults);
  });
  EdgeRows rows = merge_parts(std::move(read), layout);
  rows.edge_like_comments = comments;
  if (!layout.integer_ids || rows.id_bits >> 31) return rows;
  rows.edges.reserve(rows.wide.size());
  for (const WideEdge& e : rows.wide) rows.edges.push_back({NodeId(e.from), NodeId(e.to)});
  rows.wide = {};
  return rows;
}

}  // namespace

EdgeRows read_edge_rows(const EdgeLayout& layout, const std::string& path) {
  const TextParts parts(layout.body, layout.first_line);
  if (!layout.plain()) return read_general(parts, layout, path);
  EdgeRows rows;
  if (!read_plain(parts, layout, path, rows.edges, rows)) {
    rows.edges = {};
    read_plain(parts, layout, path, rows.wide, rows);
  }
  return rows;
}

}  // namespace mgnn
