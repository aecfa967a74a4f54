// HOPE: vectors whose inner products are a similarity S of nodes. With S ≈ U s Vᵀ,
//
//   Z = [U √s | V √s],
//
// so that the inner product of u's first half (as source) and v's second half (as target) is S_uv.
// Directed and weighted. Columns beyond the rank of S are zero. S is never stored: the randomized
// SVD needs its products only (similarity.h).
//
// karateclub's HOPE is that of common neighbours.
//
// Ou, Cui, Pei, Zhang, Zhu. "Asymmetric Transitivity Preserving Graph Embedding", KDD 2016.

#include <cmath>

#include "mgnn/base/progress.h"
#include "mgnn/embed/methods.h"
#include "mgnn/embed/similarity.h"

namespace mgnn {
namespace {

struct HopeOptions {
  int64_t dimension = 128;  // even: half for a node as source, half as target
  SimilarityOptions similarity = {};
  int64_t power_iterations = 6;  // of the randomized SVD
  uint64_t seed = 0;
};

class Hope : public Embedding {
 public:
  Options options() override {
    SimilarityOptions& s = o_.similarity;
    return {option("dimension", o_.dimension, "of a vector: half as source, half as target"),
            choice("similarity", s.similarity, "similarity that inner products approximate"),
            option("beta", s.beta, "katz: decay; 0: half of the largest that converges"),
            option("alpha", s.alpha, "rooted-pagerank: probability to continue a walk"),
            option("power_iterations", o_.power_iterations, "of the randomized SVD"),
            option("seed", o_.seed, "random seed")};
  }

  Matrix run(const EmbedInput& input) const override {
    check(o_.dimension > 0 && o_.dimension % 2 == 0,
          "hope: the dimension must be even (half as source, half as target), not {}",
          o_.dimension);
    check_svd_options(o_.dimension, o_.power_iterations);
    LinearMap map = similarity_map(input, o_.similarity);
    Progress progress("decomposing", 2 * o_.power_iterations + 2, "products");
    for (LinearMap::Product* product : {&map.times, &map.transposed_times})
      *product = [inner = std::move(*product), &progress](auto... args) {
        inner(args...);
        progress.advance(1);
      };
    const int64_t half = o_.dimension / 2;
    const TruncatedSvd svd = randomized_svd(
        map, {.rank = int(half), .power_iterations = int(o_.power_iterations), .seed = o_.seed});
    Matrix z(input.graph.num_nodes(), o_.dimension);
    for (int64_t u = 0; u < z.rows; u++)
      for (int64_t k = 0; k < svd.rank; k++) {
        const double root = std::sqrt(svd.value[k]);
        z(u, k) = float(svd.left[u * svd.rank + k] * root);
        z(u, half + k) = float(svd.right[u * svd.rank + k] * root);
      }
    return z;
  }

 private:
  HopeOptions o_;
};

}  // namespace

std::unique_ptr<Embedding> make_hope() { return std::make_unique<Hope>(); }

}  // namespace mgnn
