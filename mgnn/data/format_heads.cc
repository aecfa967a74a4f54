#include "mgnn/data/format_heads.h"

#include <algorithm>
#include <cctype>

#include "mgnn/base/lines.h"

namespace mgnn {
namespace {

constexpr size_t kHead = 4096;  // bytes that are looked at

// The beginning of the text, in lower case, without blanks and a byte order mark in front.
std::string head_of(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  return lower(trimmed(bytes.substr(0, kHead)));
}

bool has_ending(const std::string& path, std::initializer_list<std::string_view> endings) {
  const std::string name = lower(path);
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string_view first_line(std::string_view head) { return head.substr(0, head.find('\n')); }

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// `word`, then blanks, then `next`: "graph [", at the beginning of a line.
bool has_block(std::string_view head, std::string_view word, char next) {
  for (size_t at = head.find(word); at != std::string_view::npos; at = head.find(word, at + 1)) {
    const size_t after = head.find_first_not_of(" \t\r\n", at + word.size());
    if ((at == 0 || head[at - 1] == '\n') && after != std::string_view::npos && head[after] == next)
      return true;
  }
  return false;
}

bool is_xml(std::string_view head) {
  return head.starts_with("<?xml") || head.starts_with("<!doctype");
}

// The first line that is neither empty nor a comment, if it is in the head.
std::string_view first_plain_line(std::string_view bytes) {
  bytes = bytes.substr(0, kHead);
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  LineReader reader("", bytes, 2);
  for (std::string_view line; reader.next(line);)
    if (line = trimmed(line); !line.empty() && line[0] != '#') return line;
  return {};
}

}  // namespace

bool is_graphml(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  return head.starts_with("<graphml") || (is_xml(head) && contains(head, "<graphml"));
}
bool is_gexf(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  return head.starts_with("<gexf") || (is_xml(head) && contains(head, "<gexf"));
}
bool is_html(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  return head.starts_with("<!doctype html") || head.starts_with("<html");
}
bool is_other_xml(std::string_view bytes, const std::string&) { return is_xml(head_of(bytes)); }

bool is_gml(std::string_view bytes, const std::string&) {
  return has_block(head_of(bytes), "graph", '[');
}

bool is_pajek(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  return head.starts_with("*vertices") || head.starts_with("*network");
}

// [strict] graph|digraph [name] {
bool is_dot(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  std::string_view rest = head;
  if (rest.starts_with("strict ")) rest = trimmed(rest.substr(7));
  if (!rest.starts_with("graph") && !rest.starts_with("digraph")) return false;
  const size_t brace = rest.find('{');
  return brace != std::string_view::npos && !contains(rest.substr(0, brace), "\n\n") && brace < 200;
}

bool is_json(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  if (head.empty() || (head[0] != '{' && head[0] != '[')) return false;
  const size_t next = head.find_first_not_of(" \t\r\n", 1);
  return next != std::string::npos && contains("\"{[]}", head.substr(next, 1));
}

bool is_turtle(std::string_view bytes, const std::string& path) {
  const std::string head = head_of(bytes);
  return head.starts_with("@prefix") || head.starts_with("@base") || head.starts_with("prefix ") ||
         has_ending(path, {".ttl", ".ttl.gz"});
}

// <s> <p> <o> . on the first line that is not a comment.
bool is_ntriples(std::string_view bytes, const std::string& path) {
  if (has_ending(path, {".nt", ".nq", ".nt.gz", ".nq.gz"})) return true;
  const std::string_view line = first_plain_line(bytes);
  return (line.starts_with('<') || line.starts_with("_:")) && contains(line, "> ") &&
         line.ends_with('.') && std::count(line.begin(), line.end(), ' ') >= 3;
}

// A first line of two to four whole numbers, the first of which is the number of the lines that follow.
bool is_metis(std::string_view bytes, const std::string& path) {
  if (!has_ending(path, {".metis", ".metis.gz", ".graph", ".graph.gz"})) return false;
  int64_t lines = 0, nodes = -1;
  LineReader reader(path, bytes);
  for (std::string_view line; reader.next(line);) {
    if (line.starts_with('%')) continue;
    if (nodes >= 0) {
      lines++;
      continue;
    }
    std::string_view first;
    if (!next_field(line, ' ', first) || !parse_number(first, nodes) || nodes < 0) return false;
  }
  return nodes >= 0 && lines == nodes;
}

bool is_gene_sets(std::string_view, const std::string& path) {
  return has_ending(path, {".gmt", ".gmt.gz"});
}

bool is_ontology(std::string_view bytes, const std::string& path) {
  return head_of(bytes).starts_with("format-version:") || has_ending(path, {".obo", ".obo.gz"});
}
bool is_annotation(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  return head.starts_with("!gaf-version") || head.starts_with("!gpa-version");
}

bool is_biogrid(std::string_view bytes, const std::string&) {
  return head_of(bytes).starts_with("#biogrid interaction id\t");
}

// Its header, or two identifiers db:id and as many columns as version 2.5 has.
bool is_mitab(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  if (head.starts_with("#id(s) interactor a\t") || head.starts_with("#id(s) interactor a \t"))
    return true;
  const std::string_view line = first_plain_line(bytes);
  const size_t tab = line.find('\t');
  return std::count(line.begin(), line.end(), '\t') >= 14 && contains(line, "\tpsi-mi:\"") &&
         contains(line.substr(0, tab), ":");
}

bool is_konect_bipartite(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  std::string_view line = first_line(head);
  if (!line.starts_with('%')) return false;
  line = trimmed(line.substr(1));
  return line == "bip" || line.starts_with("bip ") || line.starts_with("bip\t");
}

bool is_string_links(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  const std::string_view line = first_line(head);
  return line.starts_with("protein1 protein2 ") && contains(line, " combined_score");
}

// As apoc.export.csv writes a whole graph.
bool is_neo4j_export(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  std::string line(first_line(head));
  std::erase(line, '"');
  return line.starts_with("_id,_labels,") && contains(line, ",_start,_end,_type");
}

bool is_parquet(std::string_view bytes, const std::string&) { return bytes.starts_with("PAR1"); }
bool is_arrow(std::string_view bytes, const std::string&) {
  return bytes.starts_with("ARROW1") || bytes.starts_with("FEA1");
}
// Protocols 2 to 5 begin with their number; PyTorch puts a pickle into a zip archive.
bool is_pickle(std::string_view bytes, const std::string& path) {
  if (bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5) return true;
  return bytes.starts_with("PK\x03\x04") &&
         (has_ending(path, {".pt", ".pth"}) || contains(bytes.substr(0, kHead), "data.pkl"));
}
bool is_workbook(std::string_view bytes, const std::string&) {
  return bytes.starts_with("PK\x03\x04") && contains(bytes.substr(0, kHead), "[Content_Types].xml");
}
bool is_database(std::string_view bytes, const std::string&) {
  return bytes.starts_with("SQLite format 3");
}
bool is_matlab(std::string_view bytes, const std::string&) {
  return bytes.starts_with("MATLAB 5.0 MAT-file");
}

}  // namespace mgnn
