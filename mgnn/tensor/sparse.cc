#include "mgnn/tensor/sparse.h"

#include "mgnn/base/cpu.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/spmm_kernel.h"

namespace mgnn {
namespace {

template <class T>
void check_values(const char* operation, const Pattern& pattern, Var<T> values, int64_t x_rows) {
  check(values.rows == pattern.rows.nnz(), "{}: {} values for {} non-zeros", operation, values.rows,
        pattern.rows.nnz());
  check(x_rows == pattern.rows.cols, "{}: a pattern of {} columns times {} rows", operation,
        pattern.rows.cols, x_rows);
}

// dvalues[e, k] += dy[r, k] · x[c, k or all]
template <class T>
void add_value_grad(const Pattern& pattern, Var<T> values, Var<T> x, const T* dy, int64_t d) {
  if (!values.learns()) return;
  const Csr& p = pattern.rows;
  const int64_t count = values.cols;
  const int64_t x_step = x.cols == d ? 0 : d;
  T* const to = values.grad_to_add();
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, count * d), [=, &p](NodeId first, NodeId last) {
    for (NodeId r = first; r < last; r++)
      for (Offset e = p.start[r]; e < p.start[r + 1]; e++)
        for (int64_t k = 0; k < count; k++) {
          const T* left = dy + (r * count + k) * d;
          const T* right = x.value + p.index[e] * x.cols + k * x_step;
          T sum = 0;
          for (int64_t c = 0; c < d; c++) sum += left[c] * right[c];
          to[e * count + k] += sum;
        }
  });
}

// How many blocks of rows should scatter what flows back, each into a copy of its own: 0 where it
// is cheaper to gather the K blocks of each neighbour, or copies would be large. Depends on the
// shapes alone.
int64_t scattering_blocks(const Operator& a, int64_t size) {
  constexpr int64_t kMost = 16, kFewest = 4, kMostNumbers = int64_t(1) << 24;  // in all copies
  const int64_t worth = a.pattern.nnz() * (a.count - 2) / std::max<int64_t>(4 * a.pattern.cols, 1);
  const int64_t copies = std::min({worth, kMost, kMostNumbers / std::max<int64_t>(size, 1)});
  return copies < kFewest ? 0 : copies;
}

template <class T>
void scatter_grad(const Operator& a, Var<T> x, const T* dy, int64_t blocks) {
  const Csr& p = a.pattern;
  const auto sums = block_sums<T>(x.tape->arena(), p.rows, blocks, x.size());
  sums.run(spmm_work(p.nnz(), p.rows, a.count * x.cols), [&](int64_t, T* part, int64_t first,
                                                             int64_t last) {
    const Spmm<T, float> back{
        p.start.data(), p.index.data(), nullptr, a.value.data(), a.count, x.cols, dy, part, true};
    MGNN_DISPATCH(spmm_scatter, back, NodeId(first), NodeId(last));
  });
  add_grad(x, sums);
}

}  // namespace

Pattern make_pattern(Csr rows) {
  Pattern pattern;
  pattern.columns = transpose(rows);
  pattern.place = transposed_places(rows, pattern.columns);
  pattern.rows = std::move(rows);
  return pattern;
}

Operator make_operator(Csr pattern, Array<float> values, int64_t count) {
  check(count >= 1 && int64_t(values.size()) == pattern.nnz() * count,
        "make_operator: {} values for {} matrices of {} non-zeros", values.size(), count,
        pattern.nnz());
  Operator op{count, {}, {}, transpose(pattern), Array<float>(values.size()), false};
  const Array<Offset> place = transposed_places(pattern, op.transposed);
  for (size_t e = 0; e < place.size(); e++)
    std::copy_n(values.begin() + place[e] * count, count,
                op.transposed_value.begin() + Offset(e) * count);
  op.symmetric = op.transposed.start == pattern.start && op.transposed.index == pattern.index &&
                 op.transposed_value == values;
  if (op.symmetric) op.transposed = {}, op.transposed_value = {};
  op.pattern = std::move(pattern);
  op.value = std::move(values);
  return op;
}

Operator make_operator(SparseMatrix matrix) {
  return make_operator(std::move(matrix.pattern), std::move(matrix.value));
}

template <class T>
Var<T> spmm(const Operator& a, Var<T> x) {
  check(x.rows == a.pattern.cols, "spmm: an operator of {} columns times {} rows", a.pattern.cols,
        x.rows);
  const Csr& p = a.pattern;
  const Var<T> y = x.tape->make(p.rows, a.count * x.cols, x.learns());
  const Spmm<T, float> forward{p.start.data(), p.index.data(), nullptr, a.value.data(), a.count,
                               x.cols,         x.value,        y.value, false};
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, y.cols),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_spread, forward, f, l); });
  x.tape->on_backward(y, [=, &a] {
    if (const int64_t blocks = scattering_blocks(a, x.size()); blocks > 0)
      return scatter_grad(a, x, y.grad(), blocks);
    const Destination<T> to = x.grad_to_write();
    const Csr& b = a.back();
    const Spmm<T, float> backward{b.start.data(), b.index.data(), nullptr,  a.back_value().data(),
                                  a.count,        x.cols,         y.grad(), to.at,
                                  to.add};
    for_row_blocks(b.rows, spmm_work(b.nnz(), b.rows, y.cols),
                   [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_gather, backward, f, l); });
  });
  return y;
}

template <class T>
Var<T> spmm_beside(const Operator& a, Var<T> x, Var<T> bias) {
  const Csr& p = a.pattern;
  const int64_t d = x.cols / 2;
  check(a.count == 1 && x.rows == p.cols && p.rows == p.cols && x.cols % 2 == 0,
        "spmm_beside: {} operators of ({}, {}) times ({}, {})", a.count, p.rows, p.cols, x.rows,
        x.cols);
  check(bias.rows == 0 || (bias.rows == 1 && bias.cols == d),
        "spmm_beside: a bias ({}, {}) for {} columns", bias.rows, bias.cols, d);
  const Var<T> y = x.tape->make(p.rows, d, x.learns() || bias.learns());
  Spmm<T, float> forward{p.start.data(), p.index.data(), nullptr, a.value.data(), 1, d,
                         x.value,        y.value,        false};
  forward.x_row = x.cols, forward.plus = x.value + d;
  if (bias.rows > 0) forward.bias = bias.value;
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, d),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_spread, forward, f, l); });
  x.tape->on_backward(y, [=, &a] {
    const T* const dy = y.grad();
    if (bias.learns())
      column_sums(y.tape->arena(), y.rows, d, bias.grad_to_write(),
                  [=](int64_t r, int64_t c) { return dy[r * d + c]; });
    if (!x.learns()) return;
    const Destination<T> to = x.grad_to_write();
    const Csr& b = a.back();
    Spmm<T, float> backward{
        b.start.data(), b.index.data(), nullptr, a.back_value().data(), 1, d, dy, to.at, to.add};
    backward.y_row = 2 * d;
    for_row_blocks(b.rows, spmm_work(b.nnz(), b.rows, d), [&](NodeId f, NodeId l) {
      MGNN_DISPATCH(spmm_spread, backward, f, l);
      for (NodeId r = f; r < l; r++) {
        T* const own = to.at + (2 * r + 1) * d;
        for (int64_t c = 0; c < d; c++) own[c] = to.add ? own[c] + dy[r * d + c] : dy[r * d + c];
      }
    });
  });
  return y;
}

template <class T>
Var<T> spmm(const Pattern& pattern, Var<T> values, Var<T> x) {
  check_values("spmm", pattern, values, x.rows);
  const Csr& p = pattern.rows;
  const int64_t count = values.cols;
  const Var<T> y = x.tape->make(p.rows, count * x.cols, x.learns() || values.learns());
  const Spmm<T, T> forward{p.start.data(), p.index.data(), nullptr, values.value, count,
                           x.cols,         x.value,        y.value, false};
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, y.cols),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_spread, forward, f, l); });
  x.tape->on_backward(y, [=, &pattern] {
    add_value_grad(pattern, values, x, y.grad(), x.cols);
    if (!x.learns()) return;
    const Destination<T> to = x.grad_to_write();
    const Csr& b = pattern.columns;
    const Spmm<T, T> backward{b.start.data(), b.index.data(), pattern.place.data(),
                              values.value,   count,          x.cols,
                              y.grad(),       to.at,          to.add};
    for_row_blocks(b.rows, spmm_work(b.nnz(), b.rows, y.cols),
                   [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_gather, backward, f, l); });
  });
  return y;
}

template <class T>
Var<T> spmm_heads(const Pattern& pattern, Var<T> values, Var<T> x) {
  check_values("spmm_heads", pattern, values, x.rows);
  const int64_t count = values.cols;
  check(count > 0 && x.cols % count == 0, "spmm_heads: {} columns for {} heads", x.cols, count);
  const int64_t d = x.cols / count;
  const Csr& p = pattern.rows;
  const Var<T> y = x.tape->make(p.rows, x.cols, x.learns() || values.learns());
  const Spmm<T, T> forward{p.start.data(), p.index.data(), nullptr, values.value, count, d,
                           x.value,        y.value,        false};
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, y.cols),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_each, forward, f, l); });
  x.tape->on_backward(y, [=, &pattern] {
    add_value_grad(pattern, values, x, y.grad(), d);
    if (!x.learns()) return;
    const Destination<T> to = x.grad_to_write();
    const Csr& b = pattern.columns;
    const Spmm<T, T> backward{b.start.data(), b.index.data(), pattern.place.data(),
                              values.value,   count,          d,
                              y.grad(),       to.at,          to.add};
    for_row_blocks(b.rows, spmm_work(b.nnz(), b.rows, y.cols),
                   [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_each, backward, f, l); });
  });
  return y;
}

#define MGNN_INSTANTIATE(T)                                     \
  template Var<T> spmm(const Operator&, Var<T>);                \
  template Var<T> spmm(const Pattern&, Var<T>, Var<T>);         \
  template Var<T> spmm_beside(const Operator&, Var<T>, Var<T>); \
  template Var<T> spmm_heads(const Pattern&, Var<T>, Var<T>);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)

}  // namespace mgnn
