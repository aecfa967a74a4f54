// Graclus: merges matched neighbours and takes the maximum of their features, column by column.
// This is one level of Graclus' matching, as PyG uses it, without the refinement of the original
// (multilevel weighted kernel k-means).
//
// Nodes are visited in random order; an unmatched node is matched with an unmatched neighbour: the
// first, or with `normalised_cut` that of maximum 1/d_u + 1/d_v. The order is random also in
// evaluation mode, where it depends on `seed` and the index of a node within its graph only, so
// that results do not depend on batches. The network around it: pooling.h.
//
// Dhillon, Guan, Kulis. "Weighted graph cuts without eigenvectors", PAMI 2007.

#include <numeric>

#include "mgnn/models/methods.h"
#include "mgnn/models/pooling.h"
#include "mgnn/tensor/random.h"

namespace mgnn {
namespace {

class Graclus {
 public:
  Options options(PoolOptions&) {
    return {option("normalised_cut", normalised_cut_, "prefer neighbours of low degree"),
            option("seed", seed_, "seed of the order of nodes in evaluation mode")};
  }

  void build(int64_t, const std::string&, Parameters&, Rng&) {}

  template <class T>
  PoolLevel<T> pool(Step<T>& step, size_t which, const PoolLevel<T>& level,
                    const PoolOptions&) const {
    const Csr& neighbours = level.neighbours(step).rows;
    const RandomKey key =
        step.tape.training() ? step.tape.next_random() : random_key(seed_, 0, which);
    const Clusters clusters =
        numbered_clusters(step, matched(step, neighbours, level.graph_start, key));
    return {segment_max(gather_rows(level.h, clusters.order), clusters.start),
            &step.keep(make_pattern(coarse_pattern(neighbours, clusters, SelfLoops::none))),
            {},
            kept_graph_start(step, clusters.first, level.graph_start)};
  }

 private:
  template <class T>
  std::span<const NodeId> matched(Step<T>& step, const Csr& p, std::span<const Offset> graph_start,
                                  RandomKey key) const {
    const std::span<NodeId> partner = scratch<NodeId>(step, p.rows);
    std::iota(partner.begin(), partner.end(), 0);
    std::vector<NodeId> order;
    for (size_t g = 0; g + 1 < graph_start.size(); g++) {
      const Offset first = graph_start[g];
      order.resize(size_t(graph_start[g + 1] - first));
      std::iota(order.begin(), order.end(), NodeId(first));
      std::sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
        const uint32_t x = random_bits(key, uint64_t(a - first)),
                       y = random_bits(key, uint64_t(b - first));
        return x != y ? x < y : a < b;
      });
      for (const NodeId u : order) {
        if (partner[u] != u) continue;
        const NodeId v = best_unmatched(p, partner, u);
        partner[u] = v, partner[v] = u;
      }
    }
    return partner;
  }

  // The neighbour to match u with; u itself if there is none.
  NodeId best_unmatched(const Csr& p, std::span<const NodeId> partner, NodeId u) const {
    NodeId best = u;
    for (const NodeId v : p.row(u)) {
      if (v == u || partner[v] != v) continue;
      if (best == u || (normalised_cut_ && p.row_size(v) < p.row_size(best))) best = v;
    }
    return best;
  }

  bool normalised_cut_ = false;
  uint64_t seed_ = 0;
};

}  // namespace

std::unique_ptr<Model> make_graclus() { return make_model<PoolingNetwork<Graclus>>(); }

}  // namespace mgnn
