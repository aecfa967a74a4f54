#include <cmath>

#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {
namespace {

void check_segments(const char* operation, std::span<const Offset> start, int64_t rows) {
  check(!start.empty() && start.front() == 0 && start.back() == rows,
        "{}: the segments do not cover the {} rows", operation, rows);
}

int64_t segments(std::span<const Offset> start) { return int64_t(start.size()) - 1; }

// each(s, first, last) for all segments in parallel.
template <class Each>
void for_segments(std::span<const Offset> start, int64_t cols, Each each) {
  const int64_t cost = cols * (1 + start.back() / std::max<int64_t>(segments(start), 1));
  for_rows(segments(start), cost, [=](int64_t s) { each(s, start[s], start[s + 1]); });
}

// to[first .. last - 1] (+)= factor * row, as a gradient or a sum.
template <class T>
void add_row(T* to, const T* row, T factor, int64_t cols) {
#pragma omp simd
  for (int64_t c = 0; c < cols; c++) to[c] += factor * row[c];
}

enum class Reduction { sum, mean };

template <class T>
Var<T> reduce(Var<T> x, std::span<const Offset> start, Reduction reduction) {
  const int64_t cols = x.cols;
  const Var<T> y = x.tape->make(segments(start), cols, x.learns());
  const auto factor = [=](Offset first, Offset last) {
    return reduction == Reduction::mean ? 1 / T(last - first) : T(1);
  };
  for_segments(start, cols, [=](int64_t s, Offset first, Offset last) {
    std::fill_n(y.value + s * cols, cols, T(0));
    for (Offset r = first; r < last; r++)
      add_row(y.value + s * cols, x.value + r * cols, factor(first, last), cols);
  });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    T* dx = x.grad_to_add();
    for_segments(start, cols, [=](int64_t s, Offset first, Offset last) {
      for (Offset r = first; r < last; r++)
        add_row(dx + r * cols, dy + s * cols, factor(first, last), cols);
    });
  });
  return y;
}

}  // namespace

template <class T>
Var<T> segment_sum(Var<T> x, std::span<const Offset> start) {
  check_undivided("segment_sum", x);
  check_segments("segment_sum", start, x.rows);
  return reduce(x, start, Reduction::sum);
}

template <class T>
Var<T> segment_mean(Var<T> x, std::span<const Offset> start) {
  check_undivided("segment_mean", x);
  check_segments("segment_mean", start, x.rows);
  return reduce(x, start, Reduction::mean);
}

template <class T>
Var<T> segment_max(Var<T> x, std::span<const Offset> start) {
  check_undivided("segment_max", x);
  check_segments("segment_max", start, x.rows);
  const int64_t cols = x.cols;
  const Var<T> y = x.tape->make(segments(start), cols, x.learns());
  Offset* const chosen = x.tape->arena().template array<Offset>(y.size());  // row, or -1
  for_segments(start, cols, [=](int64_t s, Offset first, Offset last) {
    for (int64_t c = 0; c < cols; c++) {
      Offset best = first < last ? first : -1;
      for (Offset r = first + 1; r < last; r++)
        if (x(r, c) > x(best, c)) best = r;
      chosen[s * cols + c] = best;
      y(s, c) = best < 0 ? T(0) : x(best, c);
    }
  });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    T* dx = x.grad_to_add();
    for_segments(start, cols, [=](int64_t s, Offset, Offset) {
      for (int64_t c = 0; c < cols; c++) {
        const Offset r = chosen[s * cols + c];
        if (r >= 0) dx[r * cols + c] += dy[s * cols + c];
      }
    });
  });
  return y;
}

template <class T>
Var<T> segment_softmax(Var<T> x, std::span<const Offset> start, std::span<const float> mask) {
  check_undivided("segment_softmax", x);
  check_segments("segment_softmax", start, x.rows);
  check(mask.empty() || int64_t(mask.size()) == x.size(),
        "segment_softmax: a mask of {} for {} elements", mask.size(), x.size());
  const int64_t cols = x.cols;
  const Var<T> y = x.tape->make(x.rows, cols, x.learns());
  for_segments(start, 10 * cols, [=](int64_t, Offset first, Offset last) {
    for (int64_t c = 0; c < cols; c++) {
      const auto hidden = [=](Offset r) { return !mask.empty() && mask[r * cols + c] == 0; };
      T maximum = -INFINITY, total = 0;
      for (Offset r = first; r < last; r++)
        if (!hidden(r)) maximum = std::max(maximum, x(r, c));
      for (Offset r = first; r < last; r++)
        total += y(r, c) = hidden(r) ? T(0) : std::exp(x(r, c) - maximum);
      for (Offset r = first; r < last; r++)
        if (!hidden(r)) y(r, c) /= total;
    }
  });
  x.tape->on_backward(y, [=] {
    const T* dy = y.grad();
    T* dx = x.grad_to_add();
    for_segments(start, 3 * cols, [=](int64_t, Offset first, Offset last) {
      for (int64_t c = 0; c < cols; c++) {
        T along = 0;
        for (Offset r = first; r < last; r++) along += dy[r * cols + c] * y(r, c);
        for (Offset r = first; r < last; r++)
          dx[r * cols + c] += y(r, c) * (dy[r * cols + c] - along);
      }
    });
  });
  return y;
}

#define MGNN_INSTANTIATE(T)                                      \
  template Var<T> segment_sum(Var<T>, std::span<const Offset>);  \
  template Var<T> segment_mean(Var<T>, std::span<const Offset>); \
  template Var<T> segment_max(Var<T>, std::span<const Offset>);  \
  template Var<T> segment_softmax(Var<T>, std::span<const Offset>, std::span<const float>);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn
