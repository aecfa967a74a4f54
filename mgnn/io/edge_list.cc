#include "mgnn/io/edge_list.h"

#include <charconv>

#include "mgnn/base/csv.h"
#include "mgnn/base/error.h"
#include "mgnn/base/human.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/lines.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/edge_reader.h"
#include "mgnn/io/text_writer.h"

namespace mgnn {
namespace {

// A name as a cell that the reader takes for the same name.
std::string name_cell(const std::string& name, char separator, const std::string& path) {
  check_id_is_text(name, path);
  constexpr std::string_view kBlanks = " \t";
  if (name.empty() || kBlanks.find(name.front()) != kBlanks.npos ||
      kBlanks.find(name.back()) != kBlanks.npos)
    fail_data("{}: node id {} is empty or has a blank at an end, which edge lists cannot hold",
              path, in_quotes(name));
  const bool plain = name.find_first_of("\" \t") == name.npos &&
                     name.find(separator) == name.npos && !name.starts_with('#') &&
                     !name.starts_with('%');
  return plain ? name : csv_quoted(name);
}

// Relations that say of each edge whether it has a direction: the reverse of those that have none is added.
void use_directions(EdgeList& list, const std::string& path) {
  for (const std::string& name : list.relation_names)
    if (!is_direction(name))
      fail_data(Hint::relation_column,
                "{}: a column says of the first edges whether they are directed, but of another {}",
                path, in_quotes(name));
  const size_t given = list.edges.size();
  for (size_t e = 0; e < given; e++) {
    const Edge edge = list.edges[e];
    if (lower(list.relation_names[list.relation[e]]) == "directed" || edge.from == edge.to)
      continue;
    list.edges.push_back({edge.to, edge.from});
    if (!list.weight.empty()) list.weight.push_back(list.weight[e]);
  }
  list.relation = {};
  list.relation_names = {};
}

// What was guessed, in one sentence.
std::string guess_of(const EdgeLayout& layout, int64_t edge_like_comments) {
  if (edge_like_comments == 0) return layout.guess;
  return fmt::format(
      "{}{}{} lines that begin with # or % and have as many columns as an edge are comments; quote "
      "ids that begin so",
      layout.guess, layout.guess.empty() ? "" : "; ", human_count(edge_like_comments));
}

}  // namespace

EdgeList parse_edge_list(std::string_view text, const std::string& path,
                         const EdgeListOptions& options) {
  const EdgeLayout layout = find_edge_layout(text, path, options);
  EdgeRows rows = read_edge_rows(layout, path);
  check_columns_are_even(layout, path);  // after lines that are wrong in themselves
  EdgeList list;
  list.relation = std::move(rows.relation);
  list.relation_names = std::move(rows.relation_names);
  list.weight = std::move(rows.weight);
  list.undirected = layout.undirected;
  list.guess = guess_of(layout, layout.edge_like_comments + rows.edge_like_comments);
  list.reading =
      fmt::format("{}; ids are {}", layout.reading, layout.integer_ids ? "whole numbers" : "names");
  if (layout.integer_ids) {
    number_ids(rows, path, list);
  } else {
    list.edges = std::move(rows.edges);
    list.ids = std::move(rows.names);
    list.num_nodes = node_count(int64_t(list.ids.text_start.size()) - 1, path);
  }
  if (layout.directions) use_directions(list, path);
  return list;
}

EdgeList read_edge_list(const std::string& path, const EdgeListOptions& options) {
  const FileBytes bytes = read_bytes(path);
  return parse_edge_list(bytes.view(), path == "-" ? "standard input" : path, options);
}

namespace {

using EndNames = std::pair<std::string_view, std::string_view>;

// A header whose names are those of nodes would be read as an edge.
EndNames names_of_ends(const NodeIds& ids, NodeId num_nodes, const std::string& path) {
  if (!ids.are_strings()) return {"source", "target"};
  for (const EndNames& names : {EndNames{"source", "target"}, EndNames{"from", "to"}}) {
    bool taken = false;
    for (NodeId u = 0; u < num_nodes && !taken; u++) {
      const std::string id = ids.name(u);
      taken = id == names.first || id == names.second;
    }
    if (!taken) return names;
  }
  fail_data(
      "{}: nodes are called source or target and from or to, as columns of edge lists are; "
      "write .graphml instead",
      path);
}

}  // namespace

void write_edge_list(const std::string& path, const Graph& graph, const NodeIds& ids,
                     std::span<const float> weight, Separator between, bool overwrite) {
  const char separator = char(between);
  check(weight.empty() || Offset(weight.size()) == graph.num_arcs(), "{}: {} weights for {} arcs",
        path, weight.size(), graph.num_arcs());
  TextWriter out(path, overwrite);
  Offset arc = 0;
  const auto name = [&](NodeId node) {
    return ids.are_strings() ? name_cell(ids.name(node), separator, path) : ids.name(node);
  };
  // Of names alone the first edge might be taken for a header, and numbers in a third column may be anything.
  if (ids.are_strings() || !weight.empty()) {
    const auto [from, to] = names_of_ends(ids, graph.num_nodes(), path);
    out.text(fmt::format("{}{}{}{}\n", from, separator, to,
                         weight.empty() ? "" : std::string(1, separator) + "weight"));
  }
  for (NodeId u = 0; u < graph.num_nodes(); u++) {
    if (graph.out.row_size(u) == 0) continue;
    const std::string from = name(u);
    for (const NodeId v : graph.out.row(u)) {
      out.text(from);
      out.text({&separator, 1});
      if (ids.are_strings())
        out.text(name(v));
      else
        out.number(ids.trivial() ? int64_t(v) : ids.number[v]);
      if (!weight.empty()) {
        out.text({&separator, 1});
        out.number(weight[arc]);
      }
      out.text("\n");
      arc++;
    }
  }
  out.commit();
}

}  // namespace mgnn
