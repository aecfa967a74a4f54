#include "mgnn/io/edge_list.h"

#include <charconv>

#include "mgnn/base/csv.h"
#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/io/compressed.h"
#include "mgnn/io/edge_reader.h"
#include "mgnn/io/text_writer.h"

namespace mgnn {
namespace {

// A name as a cell that the reader takes for the same name.
std::string name_cell(const std::string& name, char separator, const std::string& path) {
  if (name.find_first_of(std::string("\n\0", 2)) != name.npos)
    fail_data("{}: node id {} has a line end or NUL byte, which an edge list cannot hold", path,
              in_quotes(name));
  const bool plain = name.find_first_of("\" \t\r") == name.npos &&
                     name.find(separator) == name.npos && !name.starts_with('#') &&
                     !name.starts_with('%');
  return plain ? name : csv_quoted(name);
}

}  // namespace

EdgeList parse_edge_list(std::string_view text, const std::string& path,
                         const EdgeListOptions& options) {
  const EdgeLayout layout = find_edge_layout(text, path, options);
  EdgeRows rows = read_edge_rows(layout, path);
  EdgeList list;
  list.relation = std::move(rows.relation);
  list.relation_names = std::move(rows.relation_names);
  list.weight = std::move(rows.weight);
  list.undirected = layout.undirected;
  list.guess = layout.guess;
  list.reading =
      fmt::format("{}; ids are {}", layout.reading, layout.integer_ids ? "whole numbers" : "names");
  if (layout.integer_ids) {
    number_ids(rows, path, list);
  } else {
    list.edges = std::move(rows.edges);
    list.ids = std::move(rows.names);
    list.num_nodes = node_count(int64_t(list.ids.text_start.size()) - 1, path);
  }
  return list;
}

EdgeList read_edge_list(const std::string& path, const EdgeListOptions& options) {
  const FileBytes bytes = read_bytes(path);
  return parse_edge_list(bytes.view(), path == "-" ? "standard input" : path, options);
}

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
