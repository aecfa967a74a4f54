// GraRep: a factorisation for each number of steps. With P = D^-1 A, for k = 1..K,
//
//   X_ij = max(0, log(P^k_ij / Σ_l P^k_lj) + log n),   X ≈ U s Vᵀ,   Z_k = U √s,
//
// the rows of each Z_k scaled to length 1, and Z = [Z_1 | … | Z_K]. Directed and weighted; nodes
// without arcs have zeros. Memory is O(arcs + n dimension): see log_transition.h.
//
// karateclub's code differs: another matrix (log_transition.h), powers begin at 2, and Z_k = U s
// with rows of any length. It is here to reproduce tables made with it.
//
// Cao, Lu, Xu. "GraRep: Learning Graph Representations with Global Structural Information", CIKM
// 2015.

#include <cmath>

#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/embed/log_transition.h"
#include "mgnn/embed/methods.h"

namespace mgnn {
namespace {

struct GraRepOptions {
  int64_t dimension = 128;  // of all steps together, divided as evenly as possible
  int64_t steps = 4;        // K
  bool normalise = true;    // scale the rows of each step's part to length 1, as the authors' code
  int64_t power_iterations = 2;  // of the randomized SVD
  bool karateclub = false;       // that package's matrix and scaling
  uint64_t seed = 0;
};

// Rows that are zero up to rounding become zero: their direction is arbitrary.
void normalise_row(std::span<float> row, double scale) {
  double squares = 0;
  for (const float x : row) squares += double(x) * double(x);
  const double length = squares <= 1e-20 * scale ? 0 : std::sqrt(squares);
  for (float& x : row) x = length == 0 ? 0 : float(double(x) / length);
}

class GraRep : public Embedding {
 public:
  Options options() override {
    return {option("dimension", o_.dimension, "of a vector, all steps together"),
            option("steps", o_.steps, "maximum number of steps of a walk"),
            option("normalise", o_.normalise, "scale each step's part of a vector to length 1"),
            option("power_iterations", o_.power_iterations, "of the randomized SVD"),
            option("karateclub", o_.karateclub, "karateclub's matrix: see docs/embeddings.md"),
            option("seed", o_.seed, "random seed")};
  }

  Matrix run(const EmbedInput& input) const override {
    check(o_.steps > 0 && o_.dimension >= o_.steps,
          "grarep: dimension is {}; it must be at least the number of steps, {}", o_.dimension,
          o_.steps);
    check_svd_options(o_.dimension, o_.power_iterations);
    Matrix z(input.graph.num_nodes(), o_.dimension);
    Progress progress("factorising", o_.steps, "steps");
    for (int k = 1; k <= o_.steps; k++) {
      set_columns(input, k, z);
      progress.advance(1);
    }
    return z;
  }

 private:
  // Z_k.
  void set_columns(const EmbedInput& input, int k, Matrix& z) const {
    const int64_t first = split_point(o_.dimension, o_.steps, k - 1);
    const int64_t rank = split_point(o_.dimension, o_.steps, k) - first;
    const LinearMap x = o_.karateclub
                            ? log_transition_map(input, k + 1, EmbeddingVariant::karateclub)
                            : log_transition_map(input, k);
    const TruncatedSvd svd = randomized_svd(x, {.rank = int(rank),
                                                .power_iterations = int(o_.power_iterations),
                                                .seed = o_.seed + uint64_t(k)});
    for (int64_t u = 0; u < z.rows; u++) {
      for (int64_t c = 0; c < svd.rank; c++) {
        const double s = svd.value[c];
        z(u, first + c) = float(svd.left[u * svd.rank + c] * (o_.karateclub ? s : std::sqrt(s)));
      }
      if (o_.normalise && !o_.karateclub)
        normalise_row(z.row(u).subspan(first, rank), svd.rank > 0 ? svd.value[0] : 0);
    }
  }

  GraRepOptions o_;
};

}  // namespace

std::unique_ptr<Embedding> make_grarep() { return std::make_unique<GraRep>(); }

}  // namespace mgnn
