// A row of P^k is k products of a sparse row with P, in an array of n numbers that is cleared after
// use; a column is the same with Pᵀ. So X times a block of vectors needs rows only, Xᵀ times a
// block columns only, nothing is ever added to by two threads, and X is never stored. Making a row
// costs little beside multiplying it with some forty vectors.
//
// Cao, Lu, Xu. "GraRep: Learning Graph Representations with Global Structural Information", CIKM
// 2015.
//
// karateclub's code differs: every node has a loop that counts twice in its degree, powers begin at
// 2, columns are not normalised, log n is subtracted, negative values are kept, and the part of a
// step is U s, rows as they are. It is here to reproduce tables made with it.

#include "mgnn/embed/grarep.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "mgnn/base/cpu.h"
#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/embed/arc_matrix.h"
#include "mgnn/sparse/normalise.h"
#include "mgnn/tensor/spmm_kernel.h"

namespace mgnn {
namespace {

// P and its transpose.
struct Transition {
  Csr forward_pattern, backward_pattern;  // of their own only with loops
  ArcMatrices p;
};

std::shared_ptr<Transition> transition(const EmbedInput& input, bool karateclub) {
  const auto t = std::make_shared<Transition>();
  std::vector<double> degree;
  const NodeId n = input.graph.num_nodes();
  if (karateclub) {
    check(input.arc_weight.empty(), "grarep: the karateclub variant knows no weights");
    t->forward_pattern = with_diagonal(input.graph.out, DiagonalRows::all);
    t->backward_pattern = with_diagonal(input.graph.in, DiagonalRows::all);
    const auto size = size_t(t->forward_pattern.nnz());
    t->p = {{&t->forward_pattern, Array<double>(size, 1)},
            {&t->backward_pattern, Array<double>(size, 1)}};
    for (NodeId u = 0; u < n; u++) degree.push_back(double(input.graph.out.row_size(u)) + 2);
  } else {
    t->p = arc_matrices(input);
    for (NodeId u = 0; u < n; u++) degree.push_back(t->p.forward.row_sum(u));
  }
  divide_rows(t->p, degree);
  return t;
}

// A sparse row under way.
struct Row {
  std::vector<double> dense, next;  // (n) zero but for the places in `touched`
  std::vector<NodeId> touched, next_touched;
  std::vector<NodeId> index;  // what is left of it
  std::vector<double> value;

  explicit Row(NodeId n) : dense(size_t(n), 0.), next(size_t(n), 0.) {}

  // dense = row `r` of m^k
  void make(const ArcMatrix& m, NodeId r, int k) {
    for (const NodeId j : touched) dense[size_t(j)] = 0;
    touched = {r};
    dense[size_t(r)] = 1;
    for (int step = 0; step < k; step++) {
      next_touched.clear();
      for (const NodeId i : touched) {
        const double here = std::exchange(dense[size_t(i)], 0.);
        for (Offset e = m.pattern->start[i]; e < m.pattern->start[i + 1]; e++) {
          double& to = next[size_t(m.pattern->index[e])];
          if (to == 0) next_touched.push_back(m.pattern->index[e]);
          to += here * m.value[size_t(e)];
        }
      }
      std::swap(dense, next);
      std::swap(touched, next_touched);
    }
  }
};

// What turns entries of P^k into those of X.
struct Scores {
  std::vector<double> column_sum;  // (n) of P^k; empty: none
  double log_n;

  // 0: not stored.
  double operator()(double p, NodeId column) const {
    if (p <= 0) return 0;
    if (column_sum.empty()) return std::log(p) - log_n;
    const double ratio = p / column_sum[size_t(column)];
    return std::max(0., std::log(ratio) + log_n);
  }
};

// y = X x by rows of X, or y = Xᵀ x by its columns, which are the rows of (Pᵀ)^k.
void multiply(const ArcMatrix& m, int k, const Scores& scores, bool by_columns, const double* x,
              int64_t columns, double* y) {
  const NodeId n = m.pattern->rows;
  ParallelError error;
#pragma omp parallel if (worth_threads(20 * (n + m.pattern->nnz())))
  {
    Row row(n);
#pragma omp for schedule(dynamic, 16)
    for (NodeId r = 0; r < n; r++)
      error.run([&] {
        if (r % 256 == 0) check_interrupted();
        row.make(m, r, k);
        row.index.clear();
        row.value.clear();
        for (const NodeId j : row.touched)
          if (const double score = scores(row.dense[size_t(j)], by_columns ? r : j); score != 0) {
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
  std::vector<double> sum(size_t(t.p.forward.pattern->rows), 1), next(sum.size());
  for (int step = 0; step < k; step++) {
    t.p.backward.times(sum.data(), 1, next.data());
    std::swap(sum, next);
  }
  return sum;
}

// Rows as good as zero become zero: their direction is rounding.
void normalise_row(std::span<float> row, double scale) {
  double squares = 0;
  for (const float x : row) squares += double(x) * double(x);
  const double length = squares <= 1e-20 * scale ? 0 : std::sqrt(squares);
  for (float& x : row) x = length == 0 ? 0 : float(double(x) / length);
}

}  // namespace

LinearMap grarep_map(const EmbedInput& input, int k, bool karateclub) {
  const std::shared_ptr<Transition> t = transition(input, karateclub);
  const NodeId n = input.graph.num_nodes();
  const auto scores = std::make_shared<Scores>();
  scores->log_n = std::log(double(std::max(n, 1)));
  if (!karateclub) scores->column_sum = column_sums(*t, k);
  return {n, n,
          [=](const double* x, int64_t columns, double* y) {
            multiply(t->p.forward, k, *scores, false, x, columns, y);
          },
          [=](const double* x, int64_t columns, double* y) {
            multiply(t->p.backward, k, *scores, true, x, columns, y);
          }};
}

Matrix grarep(const EmbedInput& input, const GraRepOptions& o) {
  check(o.steps > 0 && o.dimension >= o.steps, "grarep: a dimension of {} cannot have {} steps",
        o.dimension, o.steps);
  Matrix z(input.graph.num_nodes(), o.dimension);
  Progress progress("factorising", o.steps, "steps");
  for (int k = 1; k <= o.steps; k++) {
    const int64_t first = split_point(o.dimension, o.steps, k - 1);
    const int64_t rank = split_point(o.dimension, o.steps, k) - first;
    const LinearMap x = grarep_map(input, o.karateclub ? k + 1 : k, o.karateclub);
    const TruncatedSvd svd = randomized_svd(x, {.rank = int(rank),
                                                .power_iterations = int(o.power_iterations),
                                                .seed = o.seed + uint64_t(k)});
    for (int64_t u = 0; u < z.rows; u++) {
      for (int64_t c = 0; c < svd.rank; c++) {
        const double s = svd.value[size_t(c)];
        z(u, first + c) =
            float(svd.left[size_t(u * svd.rank + c)] * (o.karateclub ? s : std::sqrt(s)));
      }
      if (o.normalise && !o.karateclub)
        normalise_row(z.row(u).subspan(size_t(first), size_t(rank)),
                      svd.rank > 0 ? svd.value[0] : 0);
    }
    progress.advance(1);
  }
  return z;
}

}  // namespace mgnn
