#include "mgnn/base/cpu.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"
#include "mgnn/tensor/product_log.h"
#include "mgnn/tensor/spmm_kernel.h"

namespace mgnn {
namespace {

template <class T>
void check_values(const char* operation, const Pattern& pattern, Var<T> values, Var<T> x) {
  check_undivided(operation, x);
  const int64_t x_rows = x.rows;
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

// Number of private gradient buffers for scattering; 0 if gathering is cheaper or the buffers would
// be too large. Depends on the shapes alone.
template <class T>
int64_t scatter_buffers(const Operator& a, Var<T> x) {
  constexpr int64_t kMaxBuffers = 16, kMinBuffers = 4, kMaxNumbers = int64_t(1) << 24;  // in all
  const Offset nnz = a.share ? a.share->nnz : a.pattern.nnz();
  const int64_t size = total_rows(x) * x.cols;
  const int64_t worth = nnz * (a.count - 2) / std::max<int64_t>(4 * total_rows(x), 1);
  const int64_t buffers = std::min({worth, kMaxBuffers, kMaxNumbers / std::max<int64_t>(size, 1)});
  return buffers < kMinBuffers ? 0 : buffers;
}

// The product with K matrices on a pattern; x, y and the rest are to be filled in.
template <class T, class U>
Spmm<T, U> product_with(const Csr& p, const U* values, int64_t count, int64_t d) {
  return {
      .start = p.start.data(), .index = p.index.data(), .value = values, .count = count, .d = d};
}

template <class T>
void scatter_grad(const Operator& a, Var<T> x, const T* dy, int64_t blocks) {
  const OperatorShare* const share = a.share.get();
  const Csr& p = share ? share->scatter : a.pattern;
  const float* const value = (share ? share->scatter_value : a.value).data();
  // The row from which on rows are those from row r of the whole on.
  const auto here = [share](int64_t r) {
    if (!share) return NodeId(r);
    const Array<NodeId>& row = share->scatter_row;
    return NodeId(std::lower_bound(row.begin(), row.end(), r) - row.begin());
  };
  const auto sums =
      block_sums<T>(x.tape->arena(), {.total = total_rows(x), .count = blocks}, nullptr, x.size());
  sums.run(spmm_work(p.nnz(), p.rows, a.count * x.cols),
           [&](int64_t, T* part, int64_t first, int64_t last) {
             auto back = product_with<T>(p, value, a.count, x.cols);
             back.x = dy, back.y = part;
             MGNN_DISPATCH(spmm_scatter, back, here(first), here(last));
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
  Operator op;
  op.count = count;
  op.transposed = transpose(pattern);
  op.transposed_value = Array<float>(values.size());
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

template <class T>
Var<T> spmm(const Operator& a, Var<T> x) {
  const OperatorShare* const share = a.share.get();
  check(x.rows == (share ? a.pattern.rows : a.pattern.cols) && bool(share) == bool(x.share),
        "spmm: an operator of {} columns times {} rows", a.pattern.cols, x.rows);
  const Csr& p = a.pattern;
  Arena& arena = x.tape->arena();
  const Var<T> y = x.tape->make(p.rows, a.count * x.cols, x.learns());
  log_product<T>({.pattern = &p, .fixed = a.value.data(), .count = a.count, .x = x, .y = y});
  auto forward = product_with<T>(p, a.value.data(), a.count, x.cols);
  forward.x = share ? with_halo(*x.share, share->rows, x.value, x.cols, arena) : x.value;
  forward.y = y.value;
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, y.cols),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_broadcast, forward, f, l); });
  x.tape->on_backward(y, [=, &a, &arena] {
    const T* const dy =
        share ? with_halo(*x.share, share->back, y.grad(), y.cols, arena) : y.grad();
    if (const int64_t buffers = scatter_buffers(a, x); buffers > 0)
      return scatter_grad(a, x, dy, buffers);
    const Destination<T> to = x.grad_to_write();
    const Csr& b = a.back();
    auto backward = product_with<T>(b, a.back_value().data(), a.count, x.cols);
    backward.x = dy, backward.y = to.at, backward.add = to.add;
    for_row_blocks(b.rows, spmm_work(b.nnz(), b.rows, y.cols),
                   [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_gather, backward, f, l); });
  });
  return y;
}

template <class T>
Var<T> spmm_plus_self(const Operator& a, Var<T> x, Var<T> bias) {
  const Csr& p = a.pattern;
  const int64_t d = x.cols / 2;
  const OperatorShare* const share = a.share.get();
  check(a.count == 1 && x.rows == p.rows && (share || p.rows == p.cols) && x.cols % 2 == 0 &&
            bool(share) == bool(x.share),
        "spmm_plus_self: {} operators of ({}, {}) times ({}, {})", a.count, p.rows, p.cols, x.rows,
        x.cols);
  check(bias.rows == 0 || (bias.rows == 1 && bias.cols == d),
        "spmm_plus_self: a bias ({}, {}) for {} columns", bias.rows, bias.cols, d);
  const Var<T> y = x.tape->make(p.rows, d, x.learns() || bias.learns());
  log_product<T>({.pattern = &p, .fixed = a.value.data(), .count = 1, .x = x, .y = y});
  auto forward = product_with<T>(p, a.value.data(), 1, d);
  Arena& arena = x.tape->arena();
  forward.x = x.value, forward.y = y.value;
  forward.x_row = x.cols, forward.plus = x.value + d;
  if (share) {
    T* const own = arena.array<T>(p.rows * d);
    for_rows(p.rows, d, [=](int64_t r) { std::copy_n(x.value + (2 * r + 1) * d, d, own + r * d); });
    forward.x = with_halo(*x.share, share->rows, x.value, d, 2 * d, arena);
    forward.x_row = d, forward.plus = own;
  }
  if (bias.rows > 0) forward.bias = bias.value;
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, d),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_broadcast, forward, f, l); });
  x.tape->on_backward(y, [=, &a, &arena] {
    const T* const dy = y.grad();
    if (bias.learns())
      column_sums(y, d, bias.grad_to_write(), [=](int64_t r, int64_t c) { return dy[r * d + c]; });
    if (!x.learns()) return;
    const Destination<T> to = x.grad_to_write();
    const Csr& b = a.back();
    auto backward = product_with<T>(b, a.back_value().data(), 1, d);
    backward.x = share ? with_halo(*x.share, share->back, dy, d, arena) : dy;
    backward.y = to.at, backward.add = to.add;
    backward.y_row = 2 * d;
    for_row_blocks(b.rows, spmm_work(b.nnz(), b.rows, d), [&](NodeId f, NodeId l) {
      MGNN_DISPATCH(spmm_broadcast, backward, f, l);
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
  check_values("spmm", pattern, values, x);
  const Csr& p = pattern.rows;
  const int64_t count = values.cols;
  const Var<T> y = x.tape->make(p.rows, count * x.cols, x.learns() || values.learns());
  log_product<T>({.pattern = &p, .values = values.value, .count = count, .x = x, .y = y});
  auto forward = product_with<T, T>(p, values.value, count, x.cols);
  forward.x = x.value, forward.y = y.value;
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, y.cols),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_broadcast, forward, f, l); });
  x.tape->on_backward(y, [=, &pattern] {
    add_value_grad(pattern, values, x, y.grad(), x.cols);
    if (!x.learns()) return;
    const Destination<T> to = x.grad_to_write();
    const Csr& b = pattern.columns;
    auto backward = product_with<T, T>(b, values.value, count, x.cols);
    backward.place = pattern.place.data();
    backward.x = y.grad(), backward.y = to.at, backward.add = to.add;
    for_row_blocks(b.rows, spmm_work(b.nnz(), b.rows, y.cols),
                   [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_gather, backward, f, l); });
  });
  return y;
}

template <class T>
Var<T> spmm_heads(const Pattern& pattern, Var<T> values, Var<T> x) {
  check_values("spmm_heads", pattern, values, x);
  const int64_t count = values.cols;
  check(count > 0 && x.cols % count == 0, "spmm_heads: {} columns for {} heads", x.cols, count);
  const int64_t d = x.cols / count;
  const Csr& p = pattern.rows;
  const Var<T> y = x.tape->make(p.rows, x.cols, x.learns() || values.learns());
  log_product<T>(
      {.pattern = &p, .values = values.value, .count = count, .heads = true, .x = x, .y = y});
  auto forward = product_with<T, T>(p, values.value, count, d);
  forward.x = x.value, forward.y = y.value;
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, y.cols),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_per_head, forward, f, l); });
  x.tape->on_backward(y, [=, &pattern] {
    add_value_grad(pattern, values, x, y.grad(), d);
    if (!x.learns()) return;
    const Destination<T> to = x.grad_to_write();
    const Csr& b = pattern.columns;
    auto backward = product_with<T, T>(b, values.value, count, d);
    backward.place = pattern.place.data();
    backward.x = y.grad(), backward.y = to.at, backward.add = to.add;
    for_row_blocks(b.rows, spmm_work(b.nnz(), b.rows, y.cols),
                   [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_per_head, backward, f, l); });
  });
  return y;
}

#define MGNN_INSTANTIATE(T)                                        \
  template Var<T> spmm(const Operator&, Var<T>);                   \
  template Var<T> spmm(const Pattern&, Var<T>, Var<T>);            \
  template Var<T> spmm_plus_self(const Operator&, Var<T>, Var<T>); \
  template Var<T> spmm_heads(const Pattern&, Var<T>, Var<T>);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn
