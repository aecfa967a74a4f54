// Formats that are known in order to be refused by their names: read as an edge list, many of them
// would give some graph, but not theirs.

#include <algorithm>
#include <cctype>

#include "mgnn/base/lines.h"
#include "mgnn/data/formats.h"

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

// <s> <p> <o> . on the first line that is not a comment, or directives of Turtle.
bool is_rdf(std::string_view bytes, const std::string& path) {
  const std::string head = head_of(bytes);
  if (head.starts_with("@prefix") || head.starts_with("@base") || head.starts_with("prefix "))
    return true;
  if (has_ending(path, {".nt", ".nq", ".ttl", ".nt.gz", ".nq.gz", ".ttl.gz"})) return true;
  const std::string_view line = trimmed(first_line(head));
  return (line.starts_with('<') || line.starts_with("_:")) && contains(line, "> <") &&
         line.ends_with('.');
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

bool is_ontology(std::string_view bytes, const std::string&) {
  const std::string head = head_of(bytes);
  return head.starts_with("format-version:") || head.starts_with("!gaf-version");
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

constexpr std::string_view kNetworkx =
    "write it as an edge list: networkx.write_edgelist(graph, \"edges.txt\", data=False)";
constexpr std::string_view kTable = "export two columns as CSV";

struct Refused {
  std::string_view title, advice;
  bool (*recognise)(std::string_view bytes, const std::string& path);
};
constexpr Refused kRefused[] = {
    {"GraphML", kNetworkx, is_graphml},
    {"GEXF", kNetworkx, is_gexf},
    {"HTML", "it is a web page; download the data themselves", is_html},
    {"XML", kTable, is_other_xml},
    {"GML", kNetworkx, is_gml},
    {"Pajek", kNetworkx, is_pajek},
    {"DOT", kNetworkx, is_dot},
    {"RDF", "write subject, predicate and object as columns of a TSV file", is_rdf},
    {"JSON", "write one edge a line: from, to", is_json},
    {"METIS", "write one edge a line: from, to", is_metis},
    {"GMT (gene sets)", "write one membership a line: set, gene", is_gene_sets},
    {"ontology (OBO, GAF)", "write one relation a line: from, relation, to", is_ontology},
    {"Parquet", kTable, is_parquet},
    {"Arrow", kTable, is_arrow},
    {"Python pickle", "it could run any program, so it is never opened; save arrays as .npz",
     is_pickle},
    {"Excel", kTable, is_workbook},
    {"SQLite", kTable, is_database},
    {"MATLAB", "save it as Matrix Market: scipy.io.mmwrite", is_matlab},
};

}  // namespace

void append_other_formats(std::vector<GraphFormat>& formats) {
  for (const Refused& refused : kRefused)
    formats.push_back({.name = refused.title,
                       .title = refused.title,
                       .recognise = refused.recognise,
                       .advice = refused.advice});
}

}  // namespace mgnn
