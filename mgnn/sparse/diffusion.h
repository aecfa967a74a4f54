// Diffusion along a graph: sums of powers of a transition matrix.
#pragma once

#include "mgnn/base/names.h"
#include "mgnn/sparse/csr.h"

namespace mgnn {

enum class Spread {
  ppr,   // S = Σ_k a (1 - a)^k T^k = a (I - (1 - a) T)^-1: personalised PageRank
  heat,  // S = Σ_k e^-t t^k / k! T^k = exp(-t (I - T))
};
constexpr auto enum_names(Spread) {
  return std::to_array<Named<Spread>>({{"ppr", Spread::ppr}, {"heat", Spread::heat}});
}
enum class Keep { top, threshold };
constexpr auto enum_names(Keep) {
  return std::to_array<Named<Keep>>({{"top", Keep::top}, {"threshold", Keep::threshold}});
}

struct DiffusionOptions {
  Spread spread = Spread::ppr;
  double alpha = 0.05;      // a, of ppr
  double time = 5;          // t, of heat
  double tolerance = 1e-7;  // of the entries before any is left out
  bool push = false;        // ppr only: approximate, local to each column
  double push_eps = 1e-4;  // then entry (v, j) is too small by at most push_eps √(d_v d_j) (push)
  int64_t push_arcs = 200'000;  // less exact where a column has taken more walks along arcs
  Keep keep = Keep::top;        // of each column of S
  int64_t top = 128;            // its largest entries, of equal ones those of smaller rows
  double threshold = 1e-4;      // or those that are no smaller
  bool normalise = true;        // what is kept of a column then sums to 1
};

// The columns of S: row j of the result lists column j. T is square with entries >= 0, spectral
// radius at most 1, such as D^-½ (A + I) D^-½; `degree` (rows), d above, is used by push only.
//
// Blocks of columns are multiplied and sparsified at once, so no more than a block is ever dense:
// O(rows nnz) time for each of about ln(tolerance) / ln(1 - alpha) steps, or their square root
// where T is symmetric (Chebyshev). Push: O(1 / (push_eps alpha)), or O(push_arcs), for each
// column. Parallel; the same for any number of threads. Can be interrupted. Throws Error for
// invalid options.
struct DiffusedColumns {
  Csr pattern;
  Array<double> value;
};
DiffusedColumns diffused_columns(const Csr& pattern, std::span<const double> value,
                                 std::span<const double> degree, const DiffusionOptions& options);

}  // namespace mgnn
