// The connected pairs of a graph, each stored once, with nodes ranked by degree: what the triangle
// pass runs on.
#pragma once

#include <span>

#include "mgnn/base/large_array.h"
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

// At most 2^30 - 1 nodes and connected pairs: ranks and slots share 32 bits with a type. An upper
// row has less than 2^16 entries, for each of its nodes has at least as many neighbours.
struct RankedPairs {
  Csr connected;                    // S = A ∨ Aᵀ, in the graph's numbering
  LargeArray<NodeProfile> profile;  // (nodes)
  // By rank; rank 0 is no node. The neighbours of larger degree, as the lower node sees them: rank
  // << 2 | type, in the order of the node's row in `connected`.
  LargeArray<uint32_t> upper_start;  // (nodes + 2)
  LargeArray<uint32_t> upper;        // (pairs + padding)
  // The neighbours of smaller degree, by ascending rank.
  LargeArray<uint32_t> lower_start;  // (nodes + 2)
  LargeArray<LowerNeighbour> lower;  // (pairs + padding)
  // The same pairs in the order of the node's row in `connected`: slot << 2 | type.
  LargeArray<uint32_t> lower_slot;  // (pairs + padding)
  bool has_type[kNumTypes] = {};

  // Of a node by its rank.
  uint32_t upper_size(uint32_t x) const { return upper_start[x + 1] - upper_start[x]; }
  uint32_t lower_size(uint32_t x) const { return lower_start[x + 1] - lower_start[x]; }
  std::span<const uint32_t> upper_row(uint32_t x) const {
    return {upper.data() + upper_start[x], upper_size(x)};
  }
  std::span<const LowerNeighbour> lower_row(uint32_t x) const {
    return {lower.data() + lower_start[x], lower_size(x)};
  }

  NodeId num_nodes() const { return connected.rows; }
  Offset num_pairs() const { return connected.nnz() / 2; }
};

// The nodes of the ranks after `before`, in blocks of about as many nodes and pairs each.
class RankBlocks {
 public:
  RankBlocks(const RankedPairs& pairs, uint32_t before)
      : pairs_(pairs),
        end_(uint32_t(pairs.profile.size()) + 1),
        first_work_(work_before(before + 1)) {}

  int64_t count() const { return (work_before(end_) - first_work_ + kWork - 1) / kWork; }
  uint32_t first_of(int64_t block) const;  // of the last block + 1: the end of all
  int64_t num_lower(int64_t block) const {
    return pairs_.lower_start[first_of(block + 1)] - pairs_.lower_start[first_of(block)];
  }

 private:
  static constexpr int64_t kWork = 2048;  // nodes and their pairs
  int64_t work_before(int64_t x) const {
    return int64_t(pairs_.upper_start[x]) + pairs_.lower_start[x] + x;
  }

  const RankedPairs& pairs_;
  const uint32_t end_;
  const int64_t first_work_;
};

// All, or only what finds triangles: `profile`, `upper`, `lower`; no index of `connected`, no `lower_slot`
enum class PairLists { all, for_triangles };

// Parallel; O(nodes + arcs). Throws Error if the graph is larger than the limits above.
RankedPairs ranked_pairs(const Graph& graph, PairLists lists = PairLists::all);

// The type of every place of `connected`, as its row's node sees the column's.
Array<uint8_t> place_types(const RankedPairs& pairs);

}  // namespace mgnn
