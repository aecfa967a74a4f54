// A swap keeps the kind of each edge (one-way or mutual), so whether it is allowed depends only on
// which pairs of nodes are joined at all: both new pairs must be free. One hash set of joined
// pairs, u < v, answers that: open addressing at most half full, and a removal moves later entries
// back, so that there are no tombstones.
//
// Milo et al. "Network motifs", Science 2002; Milo et al. "On the uniform generation of random
// graphs with prescribed degree sequences", arXiv:cond-mat/0312028.

#include "mgnn/graph/rewire.h"

#include <bit>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/graph/graph.h"

namespace mgnn {
namespace {

class PairSet {
 public:
  explicit PairSet(size_t max_size) : slots_(std::bit_ceil(2 * max_size + 2), kFree) {}

  bool contains(NodeId u, NodeId v) const { return slots_[slot_of(key(u, v))] != kFree; }
  void insert(NodeId u, NodeId v) { slots_[slot_of(key(u, v))] = key(u, v); }
  void erase(NodeId u, NodeId v) {
    size_t hole = slot_of(key(u, v));
    slots_[hole] = kFree;
    for (size_t i = next(hole); slots_[i] != kFree; i = next(i)) {
      const size_t home = home_of(slots_[i]);
      if (((i - home) & mask()) < ((i - hole) & mask())) continue;  // its home is behind the hole
      slots_[hole] = std::exchange(slots_[i], kFree);
      hole = i;
    }
  }

 private:
  static constexpr uint64_t kFree = ~uint64_t(0);
  static uint64_t key(NodeId u, NodeId v) {
    return uint64_t(std::min(u, v)) << 32 | uint32_t(std::max(u, v));
  }
  size_t mask() const { return slots_.size() - 1; }
  size_t next(size_t i) const { return (i + 1) & mask(); }
  size_t home_of(uint64_t pair) const { return mix_bits(pair) & mask(); }
  size_t slot_of(uint64_t pair) const {  // where it is, or would go
    size_t i = home_of(pair);
    while (slots_[i] != kFree && slots_[i] != pair) i = next(i);
    return i;
  }

  Array<uint64_t> slots_;
};

// Tries `count` swaps among `edges`; a mutual pair has no direction, so it is turned at random.
Offset swap_edges(Array<Edge>& edges, bool mutual, Offset count, PairSet& joined, Rng rng) {
  Offset done = 0;
  if (edges.size() < 2) return done;
  for (Offset i = 0; i < count; i++) {
    if (i % 65536 == 0) check_interrupted();
    Edge& e = edges[rng.below(edges.size())];
    Edge& f = edges[rng.below(edges.size())];
    if (mutual && rng.next() % 2 == 0) std::swap(e.from, e.to);
    if (e.from == f.to || f.from == e.to) continue;
    if (joined.contains(e.from, f.to) || joined.contains(f.from, e.to)) continue;
    joined.erase(e.from, e.to);
    joined.erase(f.from, f.to);
    std::swap(e.to, f.to);
    joined.insert(e.from, e.to);
    joined.insert(f.from, f.to);
    done++;
  }
  return done;
}

}  // namespace

Rewired rewired(const Graph& graph, Rng rng, const RewireOptions& options) {
  check(options.swaps_per_edge >= 0 && options.swaps_per_edge <= 1e6,
        "swaps per edge are {}, but 0 to a million are meant", options.swaps_per_edge);
  Array<Edge> one_way, mutual;
  for (NodeId u = 0; u < graph.num_nodes(); u++) {
    for (NodeId v : graph.out.row(u)) {
      if (!graph.has_arc(v, u))
        one_way.push_back({u, v});
      else if (u < v)
        mutual.push_back({u, v});
    }
  }
  PairSet joined(one_way.size() + mutual.size());
  for (const Array<Edge>* edges : {&one_way, &mutual})
    for (const Edge& e : *edges) joined.insert(e.from, e.to);

  const auto swaps = [&](const Array<Edge>& edges) {
    return Offset(options.swaps_per_edge * double(edges.size()));
  };
  Rewired result;
  // In turns, since what one kind may do depends on where the other kind is.
  constexpr int kTurns = 10;
  for (int turn = 0; turn < kTurns; turn++) {
    for (const bool is_mutual : {false, true}) {
      Array<Edge>& edges = is_mutual ? mutual : one_way;
      const Offset count = (swaps(edges) * (turn + 1)) / kTurns - (swaps(edges) * turn) / kTurns;
      const Rng source = rng.split(uint64_t(2 * turn + is_mutual));
      result.done += swap_edges(edges, is_mutual, count, joined, source);
      result.tried += count;
    }
  }
  one_way.reserve(one_way.size() + 2 * mutual.size());
  for (const Edge& e : mutual) one_way.insert(one_way.end(), {e, {e.to, e.from}});
  result.graph = make_graph(graph.num_nodes(), std::move(one_way));
  return result;
}

}  // namespace mgnn
