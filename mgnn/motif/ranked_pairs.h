// The connected pairs of a graph, each stored once, with nodes ranked by degree: what the triangle
// pass runs on.
#pragma once

#include "mgnn/graph/graph.h"
#include "mgnn/motif/pair_forms.h"

namespace mgnn {

// Degrees of a node by the exact type of the neighbour, and its rank.
struct NodeProfile {
  uint32_t rank;  // 1 is the node with the most neighbours; ties by node number
  uint32_t degree[kNumTypes];
  uint32_t neighbours() const { return degree[0] + degree[1] + degree[2]; }
};

// A pair as its upper node (the one of smaller rank number) sees it.
struct LowerNeighbour {
  uint32_t rank_and_type;  // rank of the lower node << 2 | type, as the upper node sees it
  uint32_t slot;           // where the pair stands in `upper`
};

// At most 2^30 - 1 nodes (a rank shares 32 bits with a type) and 2^31 - 1 connected pairs (then an
// upper row has less than 2^16 entries: each of its nodes has at least as many neighbours).
struct RankedPairs {
  Csr connected;               // S = A ∨ Aᵀ, in the graph's numbering
  Array<NodeProfile> profile;  // (nodes)
  // By rank; rank 0 is nobody. The neighbours of larger degree, as the lower node sees them: rank
  // << 2 | type. Both lists of a node are in the order of its row in `connected`.
  Array<uint32_t> upper_start;  // (nodes + 2)
  Array<uint32_t> upper;        // (pairs + padding)
  Array<uint32_t> lower_start;  // (nodes + 2)
  Array<LowerNeighbour> lower;  // (pairs + padding)
  bool has_type[kNumTypes] = {};

  NodeId num_nodes() const { return connected.rows; }
  Offset num_pairs() const { return connected.nnz() / 2; }
};

// Parallel; O(nodes + arcs). Throws Error if the graph is larger than the limits above.
RankedPairs ranked_pairs(const Graph& graph);

// The type of every place of `connected`, as its row's node sees the column's.
Array<uint8_t> place_types(const RankedPairs& pairs);

// Asks the system for large pages under an array that will be large; call before first touch.
void prefer_large_pages(void* memory, size_t bytes);

template <class T>
Array<T> large_array(size_t size) {
  Array<T> array(size);
  prefer_large_pages(array.data(), size * sizeof(T));
  return array;
}

}  // namespace mgnn
