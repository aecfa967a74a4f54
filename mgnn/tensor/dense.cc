#include <cmath>
#include <limits>

#include "mgnn/tensor/inverse_index.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {

template <class T>
Var<T> add_bias(Var<T> x, Var<T> bias) {
  check(bias.rows == 1 && bias.cols == x.cols, "add_bias: a bias ({}, {}) for {} columns",
        bias.rows, bias.cols, x.cols);
  const Var<T> y = x.tape->make(x.rows, x.cols, x.learns() || bias.learns());
  fill_rows(y, [=](int64_t r, int64_t c) { return x(r, c) + bias.value[c]; });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    add_grad(x, [=](int64_t i) { return dy[i]; });
    if (bias.learns())
      column_sums(y, y.cols, bias.grad_to_write(),
                  [=](int64_t r, int64_t c) { return dy[r * y.cols + c]; });
  });
  return y;
}

template <class T>
Var<T> add_bias_in_place(Var<T> x, Var<T> bias, Activation activation) {
  const bool rectify = activation == Activation::relu;
  check(bias.rows == 1 && bias.cols == x.cols, "add_bias: a bias ({}, {}) for {} columns",
        bias.rows, bias.cols, x.cols);
  if (bias.learns() && !x.learns()) {
    const Var<T> y = add_bias(x, bias);
    return rectify ? relu(y) : y;
  }
  const T *const b = bias.value, floor = rectify ? T(0) : -std::numeric_limits<T>::infinity();
  fill_rows(x, [=](int64_t r, int64_t c) {
    const T sum = x(r, c) + b[c];
    return sum < floor ? floor : sum;
  });
  x.tape->on_backward(x, [=] {
    T* const dx = x.gradient->at;
    if (rectify)
      for_elements(x.size(), 1, [=](int64_t i) {
        const T d = dx[i], at = x.value[i];
        dx[i] = at > 0 ? d : T(0);
      });
    if (bias.learns())
      column_sums(x, x.cols, bias.grad_to_write(),
                  [=](int64_t r, int64_t c) { return dx[r * x.cols + c]; });
  });
  return x;
}

namespace {

// Copies `part` to the columns of `whole` from `first` on.
template <class T>
void put_columns(Var<T> part, Var<T> whole, int64_t first) {
  for_rows(part.rows, part.cols, [=](int64_t r) {
    std::copy_n(part.value + r * part.cols, part.cols, whole.value + r * whole.cols + first);
  });
}

}  // namespace

template <class T>
Var<T> concat_columns(std::span<const Var<T>> parts) {
  int64_t cols = 0;
  bool learns = false;
  for (const Var<T>& part : parts) {
    check(part.rows == parts[0].rows, "concat_columns: {} rows beside {}", part.rows,
          parts[0].rows);
    cols += part.cols;
    learns |= part.learns();
  }
  Tape<T>& tape = *parts[0].tape;
  const Var<T> y = tape.make(parts[0].rows, cols, learns);
  int64_t first = 0;
  for (const Var<T>& part : parts) {
    put_columns(part, y, first);
    if (part.learns())
      tape.on_backward(y, [=] {
        const T* dy = y.grad() + first;
        add_grad_rows(part, [=](int64_t r, int64_t c) { return dy[r * y.cols + c]; });
      });
    first += part.cols;
  }
  return y;
}

template <class T>
Var<T> concat_rows(std::span<const Var<T>> parts) {
  int64_t rows = 0;
  bool learns = false;
  for (const Var<T>& part : parts) {
    check_undivided("concat_rows", part);
    check(part.cols == parts[0].cols, "concat_rows: {} columns below {}", part.cols, parts[0].cols);
    rows += part.rows;
    learns |= part.learns();
  }
  Tape<T>& tape = *parts[0].tape;
  const Var<T> y = tape.make(rows, parts[0].cols, learns);
  int64_t first = 0;
  for (const Var<T>& part : parts) {
    if (!MetaScope::active()) std::copy_n(part.value, part.size(), y.value + first);
    if (part.learns())
      tape.on_backward(y, [=] {
        const T* dy = y.grad() + first;
        add_grad(part, [=](int64_t i) { return dy[i]; });
      });
    first += part.size();
  }
  return y;
}

template <class T>
Var<T> slice_columns(Var<T> x, int64_t first, int64_t count) {
  check(first >= 0 && count >= 0 && first + count <= x.cols,
        "slice_columns: columns {} to {} of {}", first, first + count, x.cols);
  const Var<T> y = x.tape->make(x.rows, count, x.learns());
  for_rows(x.rows, count, [=](int64_t r) {
    std::copy_n(x.value + r * x.cols + first, count, y.value + r * count);
  });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    T* dx = x.grad_to_add() + first;
    for_rows(x.rows, count, [=](int64_t r) {
      for (int64_t c = 0; c < count; c++) dx[r * x.cols + c] += dy[r * count + c];
    });
  });
  return y;
}

template <class T>
Var<T> reshape(Var<T> x, int64_t rows, int64_t cols) {
  if (rows != x.rows) check_undivided("reshape", x);
  check(rows * cols == x.size(), "reshape: ({}, {}) does not have the size of ({}, {})", x.rows,
        x.cols, rows, cols);
  return {x.tape, rows, cols, x.value, x.gradient, x.share};
}

template <class T>
Var<T> gather_rows(Var<T> x, std::span<const NodeId> index) {
  check_undivided("gather_rows", x);
  for (const NodeId i : index) check(i >= 0 && i < x.rows, "gather_rows: row {} of {}", i, x.rows);
  const Var<T> y = x.tape->make(int64_t(index.size()), x.cols, x.learns());
  for_rows(y.rows, y.cols, [=](int64_t r) {
    std::copy_n(x.value + index[r] * x.cols, x.cols, y.value + r * y.cols);
  });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    T* dx = x.grad_to_add();
    const InverseIndex inverse = inverse_index(index, x.rows, x.tape->arena());
    for_rows(x.rows, x.cols * (1 + y.rows / std::max<int64_t>(x.rows, 1)), [=](int64_t r) {
      for (Offset e = inverse.start[r]; e < inverse.start[r + 1]; e++)
        for (int64_t c = 0; c < x.cols; c++)
          dx[r * x.cols + c] += dy[inverse.place[e] * x.cols + c];
    });
  });
  return y;
}

template <class T>
Var<T> row_dot(Var<T> a, Var<T> b) {
  check_same_shape("row_dot", a, b);
  const Var<T> y = a.tape->make(a.rows, 1, a.learns() || b.learns());
  for_rows(a.rows, a.cols, [=](int64_t r) {
    T sum = 0;
    for (int64_t c = 0; c < a.cols; c++) sum += a(r, c) * b(r, c);
    y.value[r] = sum;
  });
  a.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    add_grad_rows(a, [=](int64_t r, int64_t c) { return dy[r] * b(r, c); });
    add_grad_rows(b, [=](int64_t r, int64_t c) { return dy[r] * a(r, c); });
  });
  return y;
}

namespace {

// Adds Σ dy[i] other[theirs[i]] over the pairs i with ours[i] = r to the gradient of row r of x, in
// the order of the pairs.
template <class T>
void add_pair_grad(Var<T> x, Var<T> other, const T* dy, std::span<const NodeId> ours,
                   std::span<const NodeId> theirs) {
  if (!x.learns()) return;
  const int64_t cols = x.cols;
  T* const dx = x.grad_to_add();
  const InverseIndex inverse = inverse_index(ours, x.rows, x.tape->arena());
  const int64_t each = cols * (1 + int64_t(ours.size()) / std::max<int64_t>(x.rows, 1));
  for_rows(x.rows, each, [=](int64_t r) {
    T* const to = dx + r * cols;
    for (Offset e = inverse.start[r]; e < inverse.start[r + 1]; e++) {
      const Offset i = inverse.place[e];
      const T* const row = other.value + theirs[i] * cols;
#pragma omp simd
      for (int64_t c = 0; c < cols; c++) to[c] += dy[i] * row[c];
    }
  });
}

}  // namespace

template <class T>
Var<T> pair_dot(Var<T> left, Var<T> right, std::span<const NodeId> sources,
                std::span<const NodeId> targets) {
  check_undivided("pair_dot", left), check_undivided("pair_dot", right);
  check(left.cols == right.cols && sources.size() == targets.size(),
        "pair_dot: {} and {} columns, {} sources for {} targets", left.cols, right.cols,
        sources.size(), targets.size());
  for (size_t i = 0; i < sources.size(); i++)
    check(sources[i] >= 0 && sources[i] < left.rows && targets[i] >= 0 && targets[i] < right.rows,
          "pair_dot: pair ({}, {}) of {} and {} rows", sources[i], targets[i], left.rows,
          right.rows);
  const int64_t cols = left.cols;
  const Var<T> y = left.tape->make(int64_t(sources.size()), 1, left.learns() || right.learns());
  for_rows(y.rows, cols, [=](int64_t i) {
    const T* const a = left.value + sources[i] * cols;
    const T* const b = right.value + targets[i] * cols;
    T sum = 0;
    for (int64_t c = 0; c < cols; c++) sum += a[c] * b[c];
    y.value[i] = sum;
  });
  left.tape->on_backward(y, [=] {
    add_pair_grad(left, right, y.grad(), sources, targets);
    add_pair_grad(right, left, y.grad(), targets, sources);
  });
  return y;
}

template <class T>
Var<T> block_dot(Var<T> x, Var<T> a, int64_t blocks) {
  check(a.rows == 1 && a.cols == x.cols && blocks > 0 && x.cols % blocks == 0,
        "block_dot: ({}, {}) with ({}, {}) in {} blocks", x.rows, x.cols, a.rows, a.cols, blocks);
  const int64_t d = x.cols / blocks;
  const Var<T> y = x.tape->make(x.rows, blocks, x.learns() || a.learns());
  for_rows(x.rows, x.cols, [=](int64_t r) {
    for (int64_t k = 0; k < blocks; k++) {
      T total = 0;
      for (int64_t c = k * d; c < (k + 1) * d; c++) total += x(r, c) * a.value[c];
      y(r, k) = total;
    }
  });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    if (x.learns()) {
      T* const dx = x.grad_to_add();
      for_rows(x.rows, x.cols, [=](int64_t r) {
        for (int64_t k = 0; k < blocks; k++) {
          const T dk = dy[r * blocks + k];
#pragma omp simd
          for (int64_t c = k * d; c < (k + 1) * d; c++) dx[r * x.cols + c] += dk * a.value[c];
        }
      });
    }
    if (a.learns())
      column_sums<T>(x, x.cols, a.grad_to_write(),
                     [=](int64_t r, int64_t c) { return dy[r * blocks + c / d] * x(r, c); });
  });
  return y;
}

template <class T>
Var<T> row_sum(Var<T> x) {
  const Var<T> y = x.tape->make(x.rows, 1, x.learns());
  for_rows(x.rows, x.cols, [=](int64_t r) {
    T sum = 0;
    for (int64_t c = 0; c < x.cols; c++) sum += x(r, c);
    y.value[r] = sum;
  });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    add_grad_rows(x, [=](int64_t r, int64_t) { return dy[r]; });
  });
  return y;
}

template <class T>
Var<T> scale_rows(Var<T> x, Var<T> s) {
  check(s.rows == x.rows && s.cols == 1, "scale_rows: factors ({}, {}) for {} rows", s.rows, s.cols,
        x.rows);
  const Var<T> y = x.tape->make(x.rows, x.cols, x.learns() || s.learns());
  fill_rows(y, [=](int64_t r, int64_t c) { return x(r, c) * s.value[r]; });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    add_grad_rows(x, [=](int64_t r, int64_t c) { return dy[r * x.cols + c] * s.value[r]; });
    if (!s.learns()) return;
    T* ds = s.grad_to_add();
    for_rows(x.rows, x.cols, [=](int64_t r) {
      T sum = 0;
      for (int64_t c = 0; c < x.cols; c++) sum += dy[r * x.cols + c] * x(r, c);
      ds[r] += sum;
    });
  });
  return y;
}

template <class T>
Var<T> l2_normalise_rows(Var<T> x, double eps) {
  const Var<T> y = x.tape->make(x.rows, x.cols, x.learns());
  T* length = x.tape->arena().template array<T>(x.rows);
  for_rows(x.rows, 2 * x.cols, [=](int64_t r) {
    T sum = 0;
    for (int64_t c = 0; c < x.cols; c++) sum += x(r, c) * x(r, c);
    length[r] = std::max(std::sqrt(sum), T(eps));
    for (int64_t c = 0; c < x.cols; c++) y(r, c) = x(r, c) / length[r];
  });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    T* dx = x.grad_to_add();
    for_rows(x.rows, 2 * x.cols, [=](int64_t r) {
      T along = 0;  // the part of dy along y changes nothing, unless the length is held at eps
      if (length[r] > T(eps))
        for (int64_t c = 0; c < x.cols; c++) along += dy[r * x.cols + c] * y(r, c);
      for (int64_t c = 0; c < x.cols; c++)
        dx[r * x.cols + c] += (dy[r * x.cols + c] - along * y(r, c)) / length[r];
    });
  });
  return y;
}

#define MGNN_INSTANTIATE(T)                                                                   \
  template Var<T> add_bias(Var<T>, Var<T>);                                                   \
  template Var<T> add_bias_in_place(Var<T>, Var<T>, Activation);                              \
  template Var<T> concat_columns(std::span<const Var<T>>);                                    \
  template Var<T> concat_rows(std::span<const Var<T>>);                                       \
  template Var<T> slice_columns(Var<T>, int64_t, int64_t);                                    \
  template Var<T> reshape(Var<T>, int64_t, int64_t);                                          \
  template Var<T> gather_rows(Var<T>, std::span<const NodeId>);                               \
  template Var<T> row_dot(Var<T>, Var<T>);                                                    \
  template Var<T> pair_dot(Var<T>, Var<T>, std::span<const NodeId>, std::span<const NodeId>); \
  template Var<T> block_dot(Var<T>, Var<T>, int64_t);                                         \
  template Var<T> row_sum(Var<T>);                                                            \
  template Var<T> scale_rows(Var<T>, Var<T>);                                                 \
  template Var<T> l2_normalise_rows(Var<T>, double);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn
