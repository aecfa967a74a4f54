// TopKPool: keeps the top-scoring nodes,
//
//   y = tanh(H p / |p|),   H' = (H ∘ y)[top],   A' = A[top, top]
//
// with the top ceil(ratio n) of each graph. The network around it: pooling.h.
//
// Gao, Ji. "Graph U-Nets", ICML 2019. Cangea et al. "Towards sparse hierarchical graph
// classifiers", 2018.

#include "mgnn/models/methods.h"
#include "mgnn/models/pooling.h"

namespace mgnn {
namespace {

class TopK {
 public:
  Options options(PoolOptions& o) {
    return {option("ratio", o.ratio, "share of the nodes of each graph that are kept")};
  }

  void build(int64_t width, const std::string& name, Parameters& weights, Rng& rng) {
    direction_.push_back(
        weights.add(name + ".weight", 1, width, {.kind = Init::xavier_uniform}, rng));
  }

  template <class T>
  PoolLevel<T> pool(Step<T>& step, size_t which, const PoolLevel<T>& level,
                    const PoolOptions& o) const {
    const Var<T> p = l2_normalise_rows(step.weight(direction_[which]));
    const Var<T> score = tanh(matmul_nt(level.h, p));
    const auto kept_nodes = top_rows<T>(step, score.value, level.graph_start, o.ratio);
    return {gather_rows(scale_rows(level.h, score), kept_nodes),
            &step.keep(make_pattern(induced_pattern(level.neighbours(step).rows, kept_nodes))),
            {},
            kept_graph_start(step, kept_nodes, level.graph_start)};
  }

 private:
  std::vector<Parameter> direction_;  // p (1, d)
};

}  // namespace

std::unique_ptr<Model> make_topkpool() { return make_model<PoolingNetwork<TopK>>(); }

}  // namespace mgnn
