// The same nodes, neighbours and lists as in rank_graph.cc and triangles.cc, counted but not made.

#include "mgnn/cluster/plan.h"

#include <algorithm>

#include "mgnn/base/error.h"
#include "mgnn/cluster/owners.h"

namespace mgnn {
namespace {

// The connected pairs, and who is above whom.
struct Pairs {
  Csr joined;
  Array<uint64_t> order;  // of a node: more neighbours are smaller

  explicit Pairs(const Graph& graph) {
    const NodeId n = graph.num_nodes();
    joined = Csr(n, n, {0}, {});
    for (NodeId u = 0; u < n; u++) {
      const auto out = graph.out.row(u), in = graph.in.row(u);
      std::set_union(out.begin(), out.end(), in.begin(), in.end(),
                     std::back_inserter(joined.index));
      joined.start.push_back(Offset(joined.index.size()));
      order.push_back(uint64_t(~uint32_t(joined.row_size(u))) << 32 | uint32_t(u));
    }
  }
  bool is_above(NodeId u, NodeId v) const { return order[u] < order[v]; }
  int64_t num_above(NodeId v) const {
    const auto row = joined.row(v);
    return std::count_if(row.begin(), row.end(), [&](NodeId u) { return is_above(u, v); });
  }
};

constexpr int64_t kCount = 8;  // bytes of a count, sent to every other rank before lists

// Marks of what a rank has seen, by node: those with the rank's number.
using Seen = Array<int32_t>;

class RankPlan {
 public:
  RankPlan(const Pairs& pairs, const Array<int64_t>& above, const Owners& owners,
           std::vector<RankNeeds>& needs)
      : pairs_(pairs), above_(above), owners_(owners), needs_(needs) {}

  void add_rank(int rank, std::span<const NodeId> nodes, Seen& foreign, Seen& wanted) {
    RankNeeds& mine = needs_[rank];
    mine.nodes = NodeId(nodes.size());
    for (const NodeId v : nodes) {
      mine.neighbours += pairs_.joined.row_size(v);
      mine.lookups += above_[v] * (above_[v] - 1) / 2;
      add_row(rank, v, foreign, wanted);
    }
  }

 private:
  void add_row(int rank, NodeId v, Seen& foreign, Seen& wanted) {
    NodeId first = -1;  // the topmost neighbour, whose list nobody needs for v
    for (const NodeId u : pairs_.joined.row(v))
      if (first < 0 || pairs_.is_above(u, first)) first = u;
    for (const NodeId u : pairs_.joined.row(v)) {
      const int owner = owners_.of(u);
      if (owner == rank) continue;
      if (foreign[u] != rank) {
        foreign[u] = rank;
        needs_[rank].foreign_nodes++;
        needs_[rank].census_bytes += 4;    // asks for the degrees
        needs_[owner].census_bytes += 12;  // and gets them
      }
      if (wanted[u] == rank || u == first || !pairs_.is_above(u, v)) continue;
      wanted[u] = rank;
      needs_[rank].census_bytes += 4 + 4;               // asks for size and list
      needs_[owner].census_bytes += 8 + 4 * above_[u];  // and gets them
    }
  }

  const Pairs& pairs_;
  const Array<int64_t>& above_;
  const Owners& owners_;
  std::vector<RankNeeds>& needs_;
};

}  // namespace

std::vector<RankNeeds> plan_ranks(const Graph& graph, int ranks) {
  check(ranks >= 1 && ranks <= int(Owners::kParts), "a plan is for 1 to {} ranks, not {}",
        Owners::kParts, ranks);
  const Pairs pairs(graph);
  const NodeId n = graph.num_nodes();
  const Owners owners{ranks};
  std::vector<std::vector<NodeId>> nodes(static_cast<size_t>(ranks));
  Array<int64_t> above(static_cast<size_t>(n));
  for (NodeId u = 0; u < n; u++) {
    nodes[owners.of(u)].push_back(u);
    above[u] = pairs.num_above(u);
  }
  std::vector<RankNeeds> needs(static_cast<size_t>(ranks));
  RankPlan plan(pairs, above, owners, needs);
  Seen foreign(size_t(n), -1), wanted(size_t(n), -1);
  for (int r = 0; r < ranks; r++) plan.add_rank(r, nodes[r], foreign, wanted);
  // Counts come before six lists; sums go by other ways.
  for (RankNeeds& rank : needs) rank.census_bytes += 6 * kCount * (ranks - 1);
  return needs;
}

}  // namespace mgnn
