// A graph that is divided among ranks: each has the rows of its nodes.
#pragma once

#include "mgnn/cluster/owners.h"
#include "mgnn/graph/graph.h"
#include "mgnn/motif/pair_forms.h"

namespace mgnn {

// How many neighbours of each type a node has.
struct TypeDegrees {
  uint32_t of[kNumTypes] = {};
  uint32_t total() const { return of[0] + of[1] + of[2]; }
};

// A neighbour and its type, in one number that sorts by node.
constexpr uint32_t packed_neighbour(NodeId node, int type) {
  return uint32_t(node) << 2 | uint32_t(type);
}
constexpr NodeId node_of(uint32_t neighbour) { return NodeId(neighbour >> 2); }
constexpr int type_of(uint32_t neighbour) { return int(neighbour & 3); }

struct RankGraph {
  static constexpr NodeId kMaxNodes = (NodeId(1) << 30) - 1;  // ids share 32 bits with a type
  static constexpr uint32_t kElsewhere = 0xFFFFFFFF;

  Owners owners;
  // Of the whole graph; the same on all ranks.
  NodeId num_nodes = 0;
  Offset num_arcs = 0;
  bool has_type[kNumTypes] = {};
  bool undirected = false;  // every arc has its reverse
  uint64_t fingerprint = 0;
  // Of this rank.
  Array<NodeId> node;          // its nodes, ascending
  Array<uint32_t> row_of;      // (num_nodes) where a node is in `node`, or kElsewhere
  Array<Offset> start;         // (nodes + 1)
  Array<uint32_t> neighbour;   // packed_neighbour, ascending in each row
  Array<TypeDegrees> degrees;  // (nodes)
  NodeIds ids;  // of the nodes first_id .. first_id + their number - 1, if not trivial
  NodeId first_id = 0;
  std::vector<std::string> remarks = {};
  std::string reading, name;

  uint32_t num_rows() const { return uint32_t(node.size()); }
  std::span<const uint32_t> row(uint32_t r) const {
    return {neighbour.data() + start[r], size_t(start[r + 1] - start[r])};
  }
};

// Every rank gives some of the edges; loops and repeated arcs are dropped. Called by all ranks. Throws
// Error if there are more than kMaxNodes nodes.
RankGraph divided_graph(Comm& comm, NodeId num_nodes, Array<Edge> edges, bool symmetrise);

// The rows of this rank of a graph that every rank has.
RankGraph part_of_graph(Comm& comm, const Graph& graph);

// What the user calls all nodes, on rank 0; nothing on the others.
NodeIds gather_ids(Comm& comm, const RankGraph& graph);

}  // namespace mgnn
