// Products of (I - βA)^-1 βA with a few vectors x are the sum of βA x, (βA)² x, … whose terms shrink
// by βρ(A) each.

#include "mgnn/embed/similarity.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/embed/arc_matrix.h"
#include "mgnn/sparse/eigen.h"
#include "mgnn/tensor/loops.h"

namespace mgnn {
namespace {

// y = Σ_{k >= 1} (factor M)^k x. One sweep over the rows for each term.
void add_powers(const ArcMatrix& m, double factor, const double* x, int64_t columns, double* y) {
  constexpr int kMaxTerms = 10'000;  // far beyond what a ratio of 0.99 needs
  constexpr double kTolerance = 1e-10;
  const NodeId n = m.pattern->rows;
  const int64_t size = int64_t(n) * columns;
  Array<double> term(x, x + size), next(size);
  Array<double> block_maximum(n, 0.);  // at the first row of each block
  std::fill_n(y, size, 0.);
  double maximum = 0;
  for (int k = 1; k <= kMaxTerms; k++) {
    check_interrupted();
    m.times_by_blocks(term.data(), columns, next.data(), [&](NodeId first, NodeId last) {
      double here = 0;
      for (int64_t i = first * columns; i < last * columns; i++) {
        y[i] += next[i] *= factor;
        here = std::max(here, std::abs(next[i]));
      }
      block_maximum[first] = here;
    });
    std::swap(term, next);
    const double of_term =
        n == 0 ? 0 : *std::max_element(block_maximum.begin(), block_maximum.end());
    maximum = std::max(maximum, of_term);
    if (of_term <= kTolerance * maximum) return;
  }
  fail("the series over walks did not converge after {} terms; use a smaller beta or alpha",
       kMaxTerms);
}

LinearMap::Product powers_product(const ArcMatrix& m, double factor) {
  return [&m, factor](const double* x, int64_t columns, double* y) {
    add_powers(m, factor, x, columns, y);
  };
}

LinearMap::Product pagerank_product(const ArcMatrix& m, double alpha) {
  return [&m, alpha](const double* x, int64_t columns, double* y) {
    add_powers(m, alpha, x, columns, y);
    for_elements(m.pattern->rows * columns, 1,
                 [&](int64_t i) { y[i] = (1 - alpha) * (y[i] + x[i]); });
  };
}

// M diag(between) M
LinearMap::Product through_product(const ArcMatrix& m, const std::vector<double>& between) {
  return [&m, &between](const double* x, int64_t columns, double* y) {
    Array<double> half(m.pattern->rows * columns);
    m.times(x, columns, half.data());
    for_elements(int64_t(half.size()), 1, [&](int64_t i) { half[i] *= between[i / columns]; });
    m.times(half.data(), columns, y);
  };
}

int64_t num_neighbours(const Graph& graph, NodeId u) {
  const std::span<const NodeId> out = graph.out.row(u), in = graph.in.row(u);
  int64_t both = 0;
  for (size_t i = 0, j = 0; i < out.size() && j < in.size();) {
    if (out[i] == in[j])
      both++, i++, j++;
    else if (out[i] < in[j])
      i++;
    else
      j++;
  }
  return int64_t(out.size() + in.size()) - both;
}

double middle_weight(Similarity similarity, int64_t neighbours) {
  if (similarity == Similarity::common_neighbours) return 1;
  if (similarity == Similarity::resource_allocation)
    return neighbours == 0 ? 0 : 1 / double(neighbours);
  return neighbours <= 1 ? 0 : 1 / std::log(double(neighbours));  // between two nodes it has two
}

// Without cycles any beta converges; this one is below 1 / the largest singular value.
double beta_without_cycles(const ArcMatrices& a) {
  double rows = 0, columns = 0;
  for (NodeId u = 0; u < a.forward.pattern->rows; u++) {
    rows = std::max(rows, a.forward.row_sum(u));
    columns = std::max(columns, a.backward.row_sum(u));
  }
  return rows == 0 ? 1 : 0.5 / std::sqrt(rows * columns);
}

double katz_beta(const ArcMatrices& a, double beta) {
  const double radius = largest_eigenvalue(*a.forward.pattern, a.forward.value);
  check(beta >= 0 && (radius == 0 || beta < 1 / radius),
        "beta = {} is not below {:.6g}, one over the largest eigenvalue of the graph: Katz' series "
        "diverges; use a smaller one, or 0 for half of that bound",
        beta, 1 / radius);
  if (beta > 0) return beta;
  return radius > 0 ? 0.5 / radius : beta_without_cycles(a);
}

// What a similarity's products refer to.
struct Matrices {
  ArcMatrices a;
  std::vector<double> between;  // (n)
};

}  // namespace

LinearMap similarity_map(const EmbedInput& input, const SimilarityOptions& o) {
  const auto matrices = std::make_shared<Matrices>(Matrices{arc_matrices(input), {}});
  ArcMatrices& a = matrices->a;
  const NodeId n = input.graph.num_nodes();
  LinearMap map{n, n, {}, {}};
  if (o.similarity == Similarity::katz) {
    const double beta = katz_beta(a, o.beta);
    map.times = powers_product(a.forward, beta);
    map.transposed_times = powers_product(a.backward, beta);
  } else if (o.similarity == Similarity::rooted_pagerank) {
    check(o.alpha >= 0 && o.alpha < 1, "alpha must be from 0 to below 1, not {}", o.alpha);
    std::vector<double> degree;
    for (NodeId u = 0; u < n; u++) degree.push_back(a.forward.row_sum(u));
    divide_rows(a, degree);
    map.times = pagerank_product(a.forward, o.alpha);
    map.transposed_times = pagerank_product(a.backward, o.alpha);
  } else {
    for (NodeId u = 0; u < n; u++)
      matrices->between.push_back(middle_weight(o.similarity, num_neighbours(input.graph, u)));
    map.times = through_product(a.forward, matrices->between);
    map.transposed_times = through_product(a.backward, matrices->between);
  }
  // The products refer to `matrices`.
  for (LinearMap::Product* product : {&map.times, &map.transposed_times})
    *product = [matrices, inner = std::move(*product)](auto... args) { inner(args...); };
  return map;
}

}  // namespace mgnn
