// How edge lists are read, step by step: the layout of the lines, one line, all lines in parallel,
// numbers of the nodes.
#pragma once

#include <climits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mgnn/io/edge_list.h"
#include "mgnn/io/text.h"

namespace mgnn {

// ---- edge_layout.cc: what the columns are, by the options and the first lines

struct EdgeLayout {
  char separator = ' ';
  bool integer_ids = true;
  bool guessed_ids = false;  // that ids are integers was not stated: 007 and +7 are faults
  bool trim = false;
  bool undirected = false;                           // as EdgeList::undirected
  bool matrix = false;                               // lines are entries of a matrix; for messages
  int from = 0, to = 1, relation = -1, weight = -1;  // columns from 0; -1: none
  int columns = 0;                                   // that a line has at most; 0: any number
  int least_columns = INT_MAX;                       // of the first lines, where this matters
  bool has_names = false;                            // a header or a comment names the columns
  bool directions = false;         // the relations are Directed and Undirected, as Gephi has them
  int64_t edge_like_comments = 0;  // before the first edge
  std::string_view body;           // from the first line with an edge on
  int64_t first_line = 1;          // its number in the file
  std::string guess = {};          // as EdgeList::guess
  std::string reading = {};        // the columns, and whether there is a header

  // Two integers first, and nothing else of interest.
  bool plain() const { return integer_ids && from == 0 && to == 1 && relation < 0 && weight < 0; }
};

// Throws Error (data) if there is no line with an edge, (usage) if the options ask for a column
// that is not there.
EdgeLayout find_edge_layout(std::string_view text, const std::string& path,
                            const EdgeListOptions& options);

// The place of a column's name among the usual names of relations or weights, the best being the first;
// -1: it is none of them.
int relation_rank(std::string_view name);
int weight_rank(std::string_view name);

// Directed, Undirected or Mutual, in any case.
bool is_direction(std::string_view text);

// A line that is passed over: empty, or a comment.
bool is_idle_line(std::string_view line);

// ---- other_tables.cc: texts of numbers that are no edge lists

// Throws Error (data) if lines are the rows of an adjacency matrix. `rows` are the first of them.
void check_is_edge_list(std::string_view text, const std::vector<std::vector<std::string>>& rows,
                        const std::string& path);

// Throws Error (data) if the first lines have different numbers of columns, as adjacency lists have.
void check_columns_are_even(const EdgeLayout& layout, const std::string& path);
int count_least_columns(
    std::span<const std::vector<std::string>> rows);  // of those with two or more

// Columns of a line up to one that begins with # or {: a comment, or attributes as NetworkX writes them.
int count_plain_columns(const std::vector<std::string>& row);

// ---- edge_line.cc: one line, with all that may be wrong with it

enum class LineFault {
  none,
  too_few_columns,
  too_many_columns,
  not_a_number,
  negative,
  too_large,
  like_a_name,
  blank,
  empty,
  nul,
  not_utf8,
  quotes,
  weight,
  comma,
  relation,
};
constexpr int kLineFaults = int(LineFault::relation) + 1;

struct EdgeLine {
  TextCell from, to, relation, weight;
  int64_t from_id = 0, to_id = 0;  // if ids are integers
  float weight_value = 0;
  const char* problem = nullptr;  // with quotes
};

// Takes a line (without its end, not idle) apart and reads its numbers.
LineFault parse_edge_line(std::string_view line, const EdgeLayout& layout, EdgeLine& edge);

// Whether a comment has as many columns as an edge, so that it may be one: ids may begin with #.
bool is_edge_like_comment(std::string_view line, const EdgeLayout& layout);

// Whether a text (without blanks around it) is a number such as 1,5 or -0,25.
bool is_decimal_comma(std::string_view text);

// A new name is looked at closely, once.
LineFault check_name(std::string_view name);

// What to say of a line that has a fault.
struct FaultText {
  std::string message;
  Hint hint = Hint::none;
};
FaultText describe_fault(LineFault fault, std::string_view line, const EdgeLayout& layout);

// ---- edge_rows.cc: all lines, before nodes are numbered

struct WideEdge {
  int64_t from, to;
};

struct EdgeRows {
  Array<Edge> edges;                        // integer ids below 2^31, or numbers of names
  Array<WideEdge> wide;                     // instead, if an integer id is larger
  uint64_t id_bits = 0;                     // all integer ids or-ed together
  NodeIds names;                            // by first appearance, if ids are strings
  Array<int32_t> relation;                  // (edges) if there is such a column
  std::vector<std::string> relation_names;  // by first appearance
  Array<float> weight;                      // (edges) if there is such a column
  int64_t edge_like_comments = 0;           // below the first edge
};

// Parallel; the result does not depend on the number of threads. Throws Error with the first wrong
// line, and how many more are wrong in the same way.
EdgeRows read_edge_rows(const EdgeLayout& layout, const std::string& path);

// ---- number_ids.cc: from ids to node numbers 0..n-1 in ascending order of id

// Fills num_nodes, edges and ids of an edge list from integer rows. `ids` stays trivial if the ids
// are 0..n-1 already. Parallel.
void number_ids(EdgeRows& rows, const std::string& path, EdgeList& list);

// `distinct` as a number of nodes; throws Error (data) if it is over 2^31 - 1.
NodeId node_count(int64_t distinct, const std::string& path);

}  // namespace mgnn
