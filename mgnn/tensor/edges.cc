// Maxima over neighbours, and values on the non-zeros of a pattern. Gradients to a row's
// neighbours are summed along the rows of the transpose: one writer each, a fixed order.

#include "mgnn/base/cpu.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/maximum_kernel.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {
namespace {

int64_t cost_per_row(const Csr& p, int64_t cols) {
  return (1 + p.nnz() / std::max<int64_t>(p.rows, 1)) * cols;
}

// The row to which non-zero e belongs, for all e of a block of rows: each(r, e).
template <class Each>
void for_edges(const Csr& p, int64_t cost, Each each) {
  for_rows(p.rows, cost_per_row(p, cost), [&](int64_t r) {
    for (Offset e = p.start[r]; e < p.start[r + 1]; e++) each(r, e, int64_t(p.index[e]));
  });
}

template <class T>
void check_ends(const char* operation, const Pattern& pattern, Var<T> left, Var<T> right) {
  check_undivided(operation, left), check_undivided(operation, right);
  check(
      left.rows == pattern.rows.rows && right.rows == pattern.rows.cols && left.cols == right.cols,
      "{}: ({}, {}) and ({}, {}) at the ends of a pattern of {} rows and {} columns", operation,
      left.rows, left.cols, right.rows, right.cols, pattern.rows.rows, pattern.rows.cols);
}

// The maximum of one row for matrix k, column c, and the non-zero that gives it (-1: none).
template <class T>
Offset largest(const Csr& p, int64_t r, Var<T> values, Var<T> x, int64_t k, int64_t c) {
  Offset best = -1;
  T maximum = 0;
  for (Offset e = p.start[r]; e < p.start[r + 1]; e++) {
    const T value = values(e, k);
    if (value == 0) continue;
    const T candidate = value * x(p.index[e], c);
    if (best < 0 || candidate > maximum) best = e, maximum = candidate;
  }
  return best;
}

}  // namespace

namespace {

// Which of this rank's rows the rows of `back` have chosen. Called by all ranks.
const NodeId* chosen_of_all(const RowShare& rows, const PatternShare& share, const NodeId* chosen,
                            int64_t d, Arena& arena) {
  const auto first = NodeId(rows.first);
  NodeId* const in_whole = arena.array<NodeId>(rows.rows * d);
  for_elements(rows.rows * d, 1, [=, &share](int64_t i) {
    in_whole[i] = chosen[i] < 0 ? -1 : share.column[chosen[i]];
  });
  const NodeId* const all = with_halo(rows, share.back, in_whole, d, arena);
  NodeId* const here = arena.array<NodeId>(share.back.rows * d);
  for_elements(share.back.rows * d, 1,
               [=](int64_t i) { here[i] = all[i] < first ? -1 : all[i] - first; });
  return here;
}

}  // namespace

template <class T>
Var<T> spmm_max(const Pattern& pattern, Var<T> values, Var<T> x) {
  const Csr& p = pattern.rows;
  check_undivided("spmm_max", x);
  check(values.rows == p.nnz() && x.rows == p.cols,
        "spmm_max: {} values for {} non-zeros, {} rows for {} columns", values.rows, p.nnz(),
        x.rows, p.cols);
  const int64_t count = values.cols, d = x.cols;
  const Var<T> y = x.tape->make(p.rows, count * d, x.learns() || values.learns());
  Offset* const chosen = x.tape->arena().template array<Offset>(y.size());
  for_rows(p.rows, cost_per_row(p, y.cols), [=, &p](int64_t r) {
    for (int64_t k = 0; k < count; k++)
      for (int64_t c = 0; c < d; c++) {
        const Offset e = largest(p, r, values, x, k, c);
        chosen[r * y.cols + k * d + c] = e;
        y(r, k * d + c) = e < 0 ? T(0) : values(e, k) * x(p.index[e], c);
      }
  });
  x.tape->on_backward(y, [=, &pattern] {
    const T* dy = y.grad();
    if (values.learns()) {
      T* dvalues = values.grad_to_add();
      for_rows(y.rows, y.cols, [=, &pattern](int64_t r) {
        for (int64_t i = 0; i < y.cols; i++) {
          const Offset e = chosen[r * y.cols + i];
          if (e >= 0)
            dvalues[e * count + i / d] += dy[r * y.cols + i] * x(pattern.rows.index[e], i % d);
        }
      });
    }
    if (!x.learns()) return;
    T* dx = x.grad_to_add();
    for_edges(pattern.columns, y.cols, [=, &pattern](int64_t node, Offset back, int64_t r) {
      const Offset e = pattern.place[back];
      for (int64_t k = 0; k < count; k++)
        for (int64_t c = 0; c < d; c++) {
          const int64_t at = r * y.cols + k * d + c;
          if (chosen[at] == e) dx[node * d + c] += values(e, k) * dy[at];
        }
    });
  });
  return y;
}

template <class T>
Var<T> neighbour_max(const Pattern& pattern, Var<T> x) {
  const Csr& p = pattern.rows;
  const PatternShare* const share = pattern.share.get();
  check(x.rows == (share ? p.rows : p.cols) && bool(share) == bool(x.share),
        "neighbour_max: {} rows for {} columns", x.rows, p.cols);
  const int64_t d = x.cols;
  const Var<T> y = x.tape->make(p.rows, d, x.learns());
  Arena& arena = x.tape->arena();
  NodeId* const chosen = x.tape->arena().template array<NodeId>(y.size());
  const NeighbourMax<T> forward{
      .start = p.start.data(),
      .index = p.index.data(),
      .d = d,
      .x = share ? with_halo(*x.share, share->rows, x.value, d, arena) : x.value,
      .y = y.value,
      .chosen = chosen};
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, d),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(neighbour_max, forward, f, l); });
  x.tape->on_backward(y, [=, &pattern, &arena] {
    const Csr& b = pattern.columns;
    const T* dy = y.grad();
    const NodeId* whose = chosen;
    if (share) {
      dy = with_halo(*x.share, share->back, dy, d, arena);
      whose = chosen_of_all(*x.share, *share, chosen, d, arena);
    }
    const Destination<T> to = x.grad_to_write();
    const NeighbourMaxBack<T> backward{.start = b.start.data(),
                                       .index = b.index.data(),
                                       .d = d,
                                       .chosen = whose,
                                       .dy = dy,
                                       .dx = to.at,
                                       .add = to.add};
    for_row_blocks(b.rows, spmm_work(b.nnz(), b.rows, d),
                   [&](NodeId f, NodeId l) { MGNN_DISPATCH(neighbour_max_back, backward, f, l); });
  });
  return y;
}

template <class T>
Var<T> edge_add(const Pattern& pattern, Var<T> left, Var<T> right) {
  check_ends("edge_add", pattern, left, right);
  const int64_t d = left.cols;
  const Var<T> y = left.tape->make(pattern.rows.nnz(), d, left.learns() || right.learns());
  for_edges(pattern.rows, d, [=](int64_t r, Offset e, int64_t column) {
    for (int64_t c = 0; c < d; c++) y(e, c) = left(r, c) + right(column, c);
  });
  left.tape->on_backward(y, [=, &pattern] {
    const T* dy = y.grad();
    if (left.learns()) {
      T* dl = left.grad_to_add();
      for_edges(pattern.rows, d, [=](int64_t r, Offset e, int64_t) {
        for (int64_t c = 0; c < d; c++) dl[r * d + c] += dy[e * d + c];
      });
    }
    if (right.learns()) {
      T* dr = right.grad_to_add();
      for_edges(pattern.columns, d, [=, &pattern](int64_t node, Offset back, int64_t) {
        const Offset e = pattern.place[back];
        for (int64_t c = 0; c < d; c++) dr[node * d + c] += dy[e * d + c];
      });
    }
  });
  return y;
}

template <class T>
Var<T> edge_dot(const Pattern& pattern, Var<T> left, Var<T> right) {
  check_ends("edge_dot", pattern, left, right);
  const int64_t d = left.cols;
  const Var<T> y = left.tape->make(pattern.rows.nnz(), 1, left.learns() || right.learns());
  for_edges(pattern.rows, d, [=](int64_t r, Offset e, int64_t column) {
    T sum = 0;
    for (int64_t c = 0; c < d; c++) sum += left(r, c) * right(column, c);
    y.value[e] = sum;
  });
  left.tape->on_backward(y, [=, &pattern] {
    const T* dy = y.grad();
    if (left.learns()) {
      T* dl = left.grad_to_add();
      for_edges(pattern.rows, d, [=](int64_t r, Offset e, int64_t column) {
        for (int64_t c = 0; c < d; c++) dl[r * d + c] += dy[e] * right(column, c);
      });
    }
    if (right.learns()) {
      T* dr = right.grad_to_add();
      for_edges(pattern.columns, d, [=, &pattern](int64_t node, Offset back, int64_t r) {
        const Offset e = pattern.place[back];
        for (int64_t c = 0; c < d; c++) dr[node * d + c] += dy[e] * left(r, c);
      });
    }
  });
  return y;
}

#define MGNN_INSTANTIATE(T)                                 \
  template Var<T> neighbour_max(const Pattern&, Var<T>);    \
  template Var<T> spmm_max(const Pattern&, Var<T>, Var<T>); \
  template Var<T> edge_add(const Pattern&, Var<T>, Var<T>); \
  template Var<T> edge_dot(const Pattern&, Var<T>, Var<T>);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn
