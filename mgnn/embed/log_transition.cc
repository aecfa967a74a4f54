// A row of P^k is k products of a sparse row with P, in an array of n numbers that is cleared after
// use; a column is the same with Pᵀ. So X times a block of vectors needs rows only, Xᵀ times a block
// columns only, no two threads write the same place, and X is never stored. Computing a row costs
// little compared with multiplying it with some forty vectors.

#include "mgnn/embed/log_transition.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "mgnn/base/cpu.h"
#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/embed/arc_matrix.h"
#include "mgnn/sparse/csr.h"
#include "mgnn/tensor/spmm_kernel.h"

namespace mgnn {
namespace {

// P and its transpose.
struct Transition {
  Csr forward_pattern, backward_pattern;  // with self-loops; else those of the graph are used
  ArcMatrices p;
};

std::shared_ptr<Transition> transition(const EmbedInput& input, EmbeddingVariant variant) {
  const auto t = std::make_shared<Transition>();
  std::vector<double> degree;
  const NodeId n = input.graph.num_nodes();
  if (variant == EmbeddingVariant::karateclub) {
    check(input.arc_weight.empty(), "grarep: the karateclub variant does not support weights");
    t->forward_pattern = with_diagonal(input.graph.out, DiagonalRows::all);
    t->backward_pattern = with_diagonal(input.graph.in, DiagonalRows::all);
    const auto size = size_t(t->forward_pattern.nnz());
    t->p.forward = ArcMatrix{&t->forward_pattern, Array<double>(size, 1)};
    t->p.backward = ArcMatrix{&t->backward_pattern, Array<double>(size, 1)};
    for (NodeId u = 0; u < n; u++) degree.push_back(double(input.graph.out.row_size(u)) + 2);
  } else {
    t->p = arc_matrices(input);
    for (NodeId u = 0; u < n; u++) degree.push_back(t->p.forward.row_sum(u));
  }
  divide_rows(t->p, degree);
  return t;
}

// Buffers for one row at a time.
struct Row {
  std::vector<double> dense, next;  // (n) zero outside `touched`
  std::vector<NodeId> touched, next_touched;
  std::vector<NodeId> index;  // non-zeros of the row of X
  std::vector<double> value;

  explicit Row(NodeId n) : dense(n, 0.), next(n, 0.) {}

  // dense = row `r` of m^k
  void set_power(const ArcMatrix& m, NodeId r, int k) {
    for (const NodeId j : touched) dense[j] = 0;
    touched = {r};
    dense[r] = 1;
    for (int step = 0; step < k; step++) {
      next_touched.clear();
      for (const NodeId i : touched) {
        const double here = std::exchange(dense[i], 0.);
        for (Offset e = m.pattern->start[i]; e < m.pattern->start[i + 1]; e++) {
          double& to = next[m.pattern->index[e]];
          if (to == 0) next_touched.push_back(m.pattern->index[e]);
          to += here * m.value[e];
        }
      }
      std::swap(dense, next);
      std::swap(touched, next_touched);
    }
  }
};

// From entries of P^k to those of X.
struct Scores {
  std::vector<double> column_sum;  // (n) of P^k; empty: karateclub's
  double log_n;

  double operator()(double p, NodeId column) const {
    if (p <= 0) return 0;
    if (column_sum.empty()) return std::log(p) - log_n;
    const double ratio = p / column_sum[column];
    return std::max(0., std::log(ratio) + log_n);
  }
};

enum class Factor { x, x_transposed };

// y = X x by rows of X, or y = Xᵀ x by its columns, which are the rows of (Pᵀ)^k.
void multiply(const ArcMatrix& m, int k, const Scores& scores, Factor factor, const double* x,
              int64_t columns, double* y) {
  const NodeId n = m.pattern->rows;
  ParallelError error;
#pragma omp parallel if (worth_threads(20 * (n + m.pattern->nnz())))
  {
    std::optional<Row> own;
    error.run([&] { own.emplace(n); });
#pragma omp for schedule(dynamic, 16)
    for (NodeId r = 0; r < n; r++)
      error.run([&] {
        Row& row = *own;
        if (r % 256 == 0) check_interrupted();
        row.set_power(m, r, k);
        row.index.clear();
        row.value.clear();
        for (const NodeId j : row.touched)
          if (const double score = scores(row.dense[j], factor == Factor::x ? j : r); score != 0) {
            row.index.push_back(j);
            row.value.push_back(score);
          }
        const Offset start[] = {0, Offset(row.index.size())};
        const Spmm<double, double> product{.start = start,
                                           .index = row.index.data(),
                                           .value = row.value.data(),
                                           .d = columns,
                                           .x = x,
                                           .y = y + r * columns};
        MGNN_DISPATCH(spmm_broadcast, product, 0, 1);
      });
  }
  error.rethrow();
}

// Column sums of P^k: k products of ones with Pᵀ.
std::vector<double> column_sums(const Transition& t, int k) {
  std::vector<double> sum(t.p.forward.pattern->rows, 1), next(sum.size());
  for (int step = 0; step < k; step++) {
    t.p.backward.times(sum.data(), 1, next.data());
    std::swap(sum, next);
  }
  return sum;
}

}  // namespace

LinearMap log_transition_map(const EmbedInput& input, int k, EmbeddingVariant variant) {
  const std::shared_ptr<Transition> t = transition(input, variant);
  const NodeId n = input.graph.num_nodes();
  const auto scores = std::make_shared<Scores>();
  scores->log_n = std::log(double(std::max(n, 1)));
  if (variant == EmbeddingVariant::paper) scores->column_sum = column_sums(*t, k);
  return {n, n,
          [=](const double* x, int64_t columns, double* y) {
            multiply(t->p.forward, k, *scores, Factor::x, x, columns, y);
          },
          [=](const double* x, int64_t columns, double* y) {
            multiply(t->p.backward, k, *scores, Factor::x_transposed, x, columns, y);
          }};
}

}  // namespace mgnn
