// A directed graph, fixed once built.
#pragma once

#include <span>

#include "mgnn/base/names.h"
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

}  // namespace mgnn
