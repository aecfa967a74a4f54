// A directed graph, fixed once built.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mgnn/base/names.h"
#include "mgnn/base/types.h"
#include "mgnn/sparse/csr.h"

namespace mgnn {

struct Edge {
  NodeId from, to;
  friend bool operator==(const Edge&, const Edge&) = default;
};

// Both directions are stored, so that in- and out-neighbours are equally cheap. An undirected
// graph is one in which every arc has its reverse. No loops, no arc twice.
//
// Any number of threads may read a Graph at once.
struct Graph {
  Csr out;  // out.row(u): the v with u -> v, ascending
  Csr in;   // in.row(u):  the v with v -> u, ascending

  NodeId num_nodes() const { return out.rows; }
  Offset num_arcs() const { return out.nnz(); }
  bool has_arc(NodeId u, NodeId v) const;
};

// Where methods have an output: one row for every node, or one for every graph.
enum class Level { node, graph };
constexpr auto enum_names(Level) {
  return std::to_array<Named<Level>>({{"node", Level::node}, {"graph", Level::graph}});
}

// A number that two graphs share only if they have the same nodes and arcs (64-bit hash); the same
// on every machine and for any number of threads.
uint64_t fingerprint(const Graph& graph);

// The arcs in the order of `graph.out`.
Array<Edge> arcs(const Graph& graph);

// ---- from a list of edges to a graph

struct BuildOptions {
  bool symmetrise = false;  // add the reverse of every arc
};

// What the builder left out, for the user to see.
struct BuildStats {
  Offset arcs_given = 0;
  Offset loops_dropped = 0;       // every listed u -> u
  Offset duplicates_dropped = 0;  // arcs listed before, repeated loops among them
  NodeId nodes_dropped = 0;       // outside the largest component, if the data were cut to it
};

struct BuiltGraph {
  Graph graph;
  BuildStats stats;
};

// Builds a graph of `num_nodes` nodes; loops and repeated arcs are dropped and counted. Takes the
// edges by value so that their memory can be freed early: std::move them in.
// Throws Error if an edge names a node outside [0, num_nodes). Parallel; O(nodes + edges); peak
// memory with the edges at most 3 times the final graph's.
BuiltGraph build_graph(NodeId num_nodes, Array<Edge> edges, const BuildOptions& options = {});

// build_graph without options and statistics.
Graph make_graph(NodeId num_nodes, Array<Edge> edges);

// For every arc, in the order of graph.out, the sum of `value` over the `edges` that list it
// (edges that are loops are passed over). REQUIRES: every other edge is an arc of `graph`.
Array<float> arc_values(const Graph& graph, std::span<const Edge> edges,
                        std::span<const float> value);

// The graph of `kept` nodes (ascending) and the arcs among them, renumbered in that order.
Graph induced_subgraph(const Graph& graph, std::span<const NodeId> kept);

// ---- what the user calls the nodes 0..n-1

// Names are whole numbers, or strings kept in one piece of memory, or the numbers 0..n-1
// themselves (then nothing is stored).
struct NodeIds {
  Array<int64_t> number;     // (n) if the names are whole numbers
  Array<char> text;          // all names, one after the other, if they are strings
  Array<Offset> text_start;  // (n + 1) name i is text[text_start[i]] .. text_start[i + 1]

  bool trivial() const { return number.empty() && text_start.empty(); }
  bool are_strings() const { return !text_start.empty(); }
  std::string name(NodeId node) const;    // REQUIRES: 0 <= node < n
  void push_back(std::string_view name);  // REQUIRES: not numbers

  // The names of `kept` nodes, in that order; `this` with n nodes may be trivial.
  NodeIds subset(const Array<NodeId>& nodes) const;
};

// ---- sizes, degrees, reciprocity and components

struct DegreeSummary {
  Offset min = 0, max = 0;
  double mean = 0, median = 0;  // median of an even number: the mean of the two in the middle
};

struct GraphSummary {
  NodeId nodes = 0;
  Offset arcs = 0;
  Offset reciprocal_pairs = 0;  // unordered pairs with both arcs
  Offset undirected_edges = 0;  // unordered pairs with at least one
  NodeId isolated = 0;          // nodes without arcs
  NodeId components = 0;        // weakly connected
  NodeId largest_component = 0;
  DegreeSummary out = {}, in = {};

  double reciprocity() const {  // share of arcs whose reverse is an arc
    return arcs == 0 ? 0 : 2. * double(reciprocal_pairs) / double(arcs);
  }
};

// O(nodes + arcs), parallel but for the components.
GraphSummary summarise(const Graph& graph);

}  // namespace mgnn
