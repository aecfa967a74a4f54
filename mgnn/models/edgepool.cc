// EdgePool: contracts the edges of the highest scores,
//
//   s_ij = softmax over in-neighbours j of (w_source · h_j + w_target · h_i + b), plus ½
//   by descending s: merge i and j if neither is merged yet;   h' = (h_i + h_j) s_ij
//
// An unmerged node keeps its features. Parallel edges between merged nodes become one, the edge
// within a merged node a self loop, as in PyG. The network around it: pooling.h.
//
// Diehl. "Edge contraction pooling for graph neural networks", 2019.

#include <numeric>

#include "mgnn/models/methods.h"
#include "mgnn/models/pooling.h"

namespace mgnn {
namespace {

class EdgePool {
 public:
  Options options(PoolOptions&) { return {}; }

  void build(int64_t width, const std::string& name, Parameters& weights, Rng& rng) {
    const InitOptions init{.kind = Init::linear, .fan = 2 * width};
    weights_.push_back({weights.add(name + ".source", width, 1, init, rng),
                        weights.add(name + ".target", width, 1, init, rng),
                        weights.add(name + ".bias", 1, 1, init, rng)});
  }

  template <class T>
  PoolLevel<T> pool(Step<T>& step, size_t which, const PoolLevel<T>& level,
                    const PoolOptions&) const {
    const Weights& w = weights_[which];
    const Pattern& pattern = level.neighbours(step);
    const Var<T> raw = edge_add(pattern, matmul(level.h, step.weight(w.target)),
                                matmul(level.h, step.weight(w.source)));
    const Var<T> score =
        shift(segment_softmax<T>(add_bias(raw, step.weight(w.bias)), pattern.rows.start), 0.5);
    const auto [partner, edge] = merged<T>(step, pattern.rows, score.value);
    const Clusters clusters = numbered_clusters(step, partner);

    // The score of each cluster; after those of the edges stands the 1 of unmerged nodes.
    const Var<T> one = step.tape.make_constant(1, 1);
    one.value[0] = 1;
    const Var<T> scores[] = {score, one};
    const std::span<NodeId> chosen = scratch<NodeId>(step, clusters.count());
    for (size_t c = 0; c < chosen.size(); c++) chosen[c] = edge[clusters.first[c]];
    const Var<T> sums = segment_sum(gather_rows(level.h, clusters.order), clusters.start);
    return {scale_rows(sums, gather_rows<T>(concat_rows<T>(scores), chosen)),
            &step.keep(make_pattern(coarse_pattern(pattern.rows, clusters, SelfLoops::added))),
            {},
            kept_graph_start(step, clusters.first, level.graph_start)};
  }

 private:
  struct Weights {
    Parameter source, target;  // (d, 1)
    Parameter bias;            // (1, 1)
  };
  struct Merged {
    std::span<const NodeId> partner;  // itself: unmerged
    std::span<const NodeId> edge;     // that was contracted; unmerged: number of edges
  };

  template <class T>
  static Merged merged(Step<T>& step, const Csr& p, const T* score) {
    const std::span<NodeId> partner = scratch<NodeId>(step, p.rows),
                            edge = scratch<NodeId>(step, p.rows);
    std::iota(partner.begin(), partner.end(), 0);
    std::fill(edge.begin(), edge.end(), NodeId(p.nnz()));
    std::vector<NodeId> target(size_t(p.nnz())), order(size_t(p.nnz()));
    for (NodeId r = 0; r < p.rows; r++)
      std::fill(target.begin() + p.start[r], target.begin() + p.start[r + 1], r);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](NodeId a, NodeId b) { return score[a] > score[b]; });
    for (const NodeId e : order) {
      const NodeId u = target[e], v = p.index[e];
      if (edge[u] != p.nnz() || edge[v] != p.nnz()) continue;
      partner[u] = v, partner[v] = u;
      edge[u] = edge[v] = e;
    }
    return {partner, edge};
  }

  std::vector<Weights> weights_;
};

}  // namespace

std::unique_ptr<Model> make_edgepool() { return make_model<PoolingNetwork<EdgePool>>(); }

}  // namespace mgnn
