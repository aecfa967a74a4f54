// Edge lists as text: one edge a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mgnn/base/names.h"
#include "mgnn/graph/graph.h"

namespace mgnn {

enum class IdKind { automatic, integer, string };
constexpr auto enum_names(IdKind) {
  return std::to_array<Named<IdKind>>(
      {{"auto", IdKind::automatic}, {"integer", IdKind::integer}, {"string", IdKind::string}});
}

enum class HeaderLine { automatic, present, absent };
constexpr auto enum_names(HeaderLine) {
  return std::to_array<Named<HeaderLine>>(
      {{"auto", HeaderLine::automatic}, {"yes", HeaderLine::present}, {"no", HeaderLine::absent}});
}

// The values are the characters.
enum class Separator : char {
  automatic = '\0',
  tab = '\t',
  comma = ',',
  semicolon = ';',
  blank = ' ',  // runs of blanks and tabs
  pipe = '|',
};
constexpr auto enum_names(Separator) {
  return std::to_array<Named<Separator>>({{"auto", Separator::automatic},
                                          {"tab", Separator::tab},
                                          {"comma", Separator::comma},
                                          {"semicolon", Separator::semicolon},
                                          {"blank", Separator::blank},
                                          {"pipe", Separator::pipe}});
}

struct EdgeListOptions {
  // automatic: from the first line: tab, comma, semicolon, else runs of blanks
  Separator separator = Separator::automatic;
  // automatic: integers if the first edge has two whole numbers, and the next twenty none that is
  // written as a name is: 007, +7, or more than 64 bits
  IdKind ids = IdKind::automatic;
  HeaderLine header = HeaderLine::automatic;
  bool trim = false;  // drop blanks around names; otherwise such a name is an error
  // Columns by their header's name or number from 1. Empty: those that the header, or a comment above
  // the first edge, calls source, from, head, subject, gene1 … / target, to, tail, object, gene2 … /
  // relation, type, predicate … / weight, score …; else 1, 2, none, none, if that is clear.
  std::string from_column = {}, to_column = {}, relation_column = {}, weight_column = {};
};

// Nodes are numbered by ascending id (integers) or by first appearance (strings).
struct EdgeList {
  NodeId num_nodes = 0;
  Array<Edge> edges;  // as listed, loops and repetitions too
  NodeIds ids;
  Array<int32_t> relation;                  // (edges) if there is such a column
  std::vector<std::string> relation_names;  // by first appearance
  Array<float> weight;                      // (edges) if there is such a column
  std::string reading;      // of a text: columns, header and ids, as they were understood
  bool undirected = false;  // the file says that its edges have no direction (KONECT: % sym)
  std::string guess;  // which columns were taken for what, where that was not stated; or empty
};

// Lines that begin with # or % and empty lines are passed over, but for the first of a KONECT file, which
// says the direction and whether column 3 is a weight (% sym posweighted); bipartite ones (% bip) are
// refused, since their columns number different nodes alike. CRLF and a byte order mark are known. Reads
// compressed files too. Throws Error with path:line on anything else.
EdgeList read_edge_list(const std::string& path, const EdgeListOptions& options = {});
EdgeList parse_edge_list(std::string_view text, const std::string& path,
                         const EdgeListOptions& options = {});

// One arc a line with external ids, and weights where given. REQUIRES: a separator that is not
// automatic.
void write_edge_list(const std::string& path, const Graph& graph, const NodeIds& ids,
                     std::span<const float> weight = {}, Separator separator = Separator::tab,
                     bool overwrite = true);

}  // namespace mgnn
