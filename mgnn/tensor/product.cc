// The dense product by all threads. Tall results are cut by rows; small results of a long sum
// (the gradient of a weight) are cut along the sum into pieces that depend on the shape alone, and
// the pieces are added in order.

#include "mgnn/base/cpu.h"
#include "mgnn/tensor/gemm_kernel.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {
namespace {

constexpr int64_t kRowBlock = 192;

template <class T>
void multiply_by_rows(const Gemm<T>& g) {
  if (MetaScope::active()) return;
  const int64_t blocks = (g.rows + kRowBlock - 1) / kRowBlock;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(g.rows * g.cols * g.depth / 16))
  for (int64_t block = 0; block < blocks; block++) {
    Gemm<T> part = g;
    part.rows = std::min(kRowBlock, g.rows - block * kRowBlock);
    part.a += block * kRowBlock * g.a_row;
    part.c += block * kRowBlock * g.c_row;
    MGNN_DISPATCH(gemm, part);
  }
}

template <class T>
void multiply_by_depth(const Gemm<T>& g, int64_t pieces, Arena& scratch) {
  const int64_t size = g.rows * g.cols;
  T* const parts = scratch.array<T>(pieces * size);
  if (MetaScope::active()) return;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(size * g.depth / 16))
  for (int64_t piece = 0; piece < pieces; piece++) {
    const int64_t first = split_point(g.depth, pieces, piece);
    Gemm<T> part = g;
    part.depth = split_point(g.depth, pieces, piece + 1) - first;
    part.a += first * g.a_col;
    part.b += first * g.b_row;
    part.c = parts + piece * size;
    part.c_row = g.cols;
    part.add = false;
    MGNN_DISPATCH(gemm, part);
  }
  for_rows(g.rows, pieces * g.cols, [=](int64_t r) {
    T* const to = g.c + r * g.c_row;
    if (!g.add) std::fill_n(to, g.cols, T(0));
    for (int64_t piece = 0; piece < pieces; piece++)
      for (int64_t c = 0; c < g.cols; c++) to[c] += parts[piece * size + r * g.cols + c];
  });
}

// A matrix and the distances from row to row and from column to column.
template <class T>
struct Strided {
  const T* at;
  int64_t row, col;
  Strided transposed() const { return {at, col, row}; }
};
template <class T>
Strided<T> strided(const T* at, int64_t cols) {
  return {at, cols, 1};
}

// to (rows, cols) (+)= a b, the sum over `depth`.
template <class T>
void multiply(int64_t rows, int64_t cols, int64_t depth, Strided<T> a, Strided<T> b,
              Destination<T> to, Arena& arena) {
  multiply<T>({.rows = rows,
               .cols = cols,
               .depth = depth,
               .a = a.at,
               .a_row = a.row,
               .a_col = a.col,
               .b = b.at,
               .b_row = b.row,
               .b_col = b.col,
               .c = to.at,
               .c_row = cols,
               .add = to.add},
              arena);
}

// A sum over the rows of x: the gradient of a weight.
template <class T>
void multiply_over_rows(const Gemm<T>& g, Var<T> x) {
  Arena& arena = x.tape->arena();
  if (total_rows(x) < kDivisibleRows) return multiply(g, arena);
  const auto sums = block_sums(x, 1, g.rows * g.cols);
  sums.run(g.rows * g.cols * g.depth / 16, [&](int64_t, T* part, int64_t first, int64_t last) {
    Gemm<T> block = g;
    block.depth = last - first;
    block.a += first * g.a_col;
    block.b += first * g.b_row;
    block.c = part;
    block.c_row = g.cols;
    MGNN_DISPATCH(gemm, block);
  });
  for_rows(g.rows, g.cols, [&](int64_t r) {
    T* const to = g.c + r * g.c_row;
    for (int64_t c = 0; c < g.cols; c++)
      to[c] = sums.total(r * g.cols + c) + (g.add ? to[c] : T(0));
  });
}
template <class T>
void multiply_over_rows(int64_t rows, int64_t cols, int64_t depth, Strided<T> a, Strided<T> b,
                        Destination<T> to, Var<T> x) {
  multiply_over_rows<T>({.rows = rows,
                         .cols = cols,
                         .depth = depth,
                         .a = a.at,
                         .a_row = a.row,
                         .a_col = a.col,
                         .b = b.at,
                         .b_row = b.row,
                         .b_col = b.col,
                         .c = to.at,
                         .c_row = cols,
                         .add = to.add},
                        x);
}

}  // namespace

template <class T>
void multiply(const Gemm<T>& g, Arena& scratch) {
  const int64_t pieces = std::min<int64_t>(g.depth / 512, 16);
  if (pieces > 1 && g.rows < 8 * kRowBlock)
    multiply_by_depth(g, pieces, scratch);
  else
    multiply_by_rows(g);
}

template <class T>
Var<T> matmul(Var<T> a, Var<T> b) {
  check(a.cols == b.rows, "matmul: invalid shapes ({}, {}) times ({}, {})", a.rows, a.cols, b.rows,
        b.cols);
  check_undivided("a product with nodes on its right", b);
  const int64_t n = a.rows, d = a.cols, m = b.cols;
  const Var<T> c = a.tape->make(n, m, a.learns() || b.learns());
  Arena& arena = a.tape->arena();
  const Strided<T> left = strided(a.value, d), right = strided(b.value, m);
  multiply<T>(n, m, d, left, right, {c.value, false}, arena);
  a.tape->on_backward(c, [=, &arena] {
    const Strided<T> dc = strided(c.grad(), m);
    if (a.learns()) multiply<T>(n, d, m, dc, right.transposed(), a.grad_to_write(), arena);
    if (b.learns()) multiply_over_rows<T>(d, m, n, left.transposed(), dc, b.grad_to_write(), a);
  });
  return c;
}

template <class T>
Var<T> matmul_nt(Var<T> a, Var<T> b) {
  check(a.cols == b.cols, "matmul_nt: invalid shapes ({}, {}) times ({}, {}) transposed", a.rows,
        a.cols, b.rows, b.cols);
  check_undivided("a product with nodes on its right", b);
  const int64_t n = a.rows, d = a.cols, m = b.rows;
  const Var<T> c = a.tape->make(n, m, a.learns() || b.learns());
  Arena& arena = a.tape->arena();
  const Strided<T> left = strided(a.value, d), right = strided(b.value, d);
  multiply<T>(n, m, d, left, right.transposed(), {c.value, false}, arena);
  a.tape->on_backward(c, [=, &arena] {
    const Strided<T> dc = strided(c.grad(), m);
    if (a.learns()) multiply<T>(n, d, m, dc, right, a.grad_to_write(), arena);
    if (b.learns()) multiply_over_rows<T>(m, d, n, dc.transposed(), left, b.grad_to_write(), a);
  });
  return c;
}

template <class T>
Var<T> block_matmul(Var<T> x, Var<T> w, int64_t blocks) {
  check(blocks > 0 && w.cols % blocks == 0 && x.cols == w.rows * blocks,
        "block_matmul: ({}, {}) times ({}, {}) in {} blocks", x.rows, x.cols, w.rows, w.cols,
        blocks);
  const int64_t in = w.rows, out = w.cols / blocks;
  const Var<T> y = x.tape->make(x.rows, w.cols, x.learns() || w.learns());
  // All blocks of a few rows, so that these are read once.
  const auto by_rows = [=](auto block_of) {
    if (MetaScope::active()) return;
    const int64_t pieces = (x.rows + kRowBlock - 1) / kRowBlock;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(x.rows * in * w.cols / 16))
    for (int64_t piece = 0; piece < pieces; piece++)
      for (int64_t k = 0; k < blocks; k++) {
        const int64_t first = piece * kRowBlock;
        MGNN_DISPATCH(gemm, block_of(k, first, std::min(kRowBlock, x.rows - first)));
      }
  };
  by_rows([=](int64_t k, int64_t first, int64_t rows) {
    return Gemm<T>{.rows = rows,
                   .cols = out,
                   .depth = in,
                   .a = x.value + first * x.cols + k * in,
                   .a_row = x.cols,
                   .a_col = 1,
                   .b = w.value + k * out,
                   .b_row = w.cols,
                   .b_col = 1,
                   .c = y.value + first * y.cols + k * out,
                   .c_row = y.cols,
                   .add = false};
  });
  x.tape->on_backward(y, [=] {
    const T* const dy = y.grad();
    if (x.learns()) {
      const Destination<T> to = x.grad_to_write();
      by_rows([=](int64_t k, int64_t first, int64_t rows) {
        return Gemm<T>{.rows = rows,
                       .cols = in,
                       .depth = out,
                       .a = dy + first * y.cols + k * out,
                       .a_row = y.cols,
                       .a_col = 1,
                       .b = w.value + k * out,
                       .b_row = 1,
                       .b_col = w.cols,
                       .c = to.at + first * x.cols + k * in,
                       .c_row = x.cols,
                       .add = to.add};
      });
    }
    if (w.learns()) {
      const Destination<T> to = w.grad_to_write();
      for (int64_t k = 0; k < blocks; k++)
        multiply_over_rows<T>({.rows = in,
                               .cols = out,
                               .depth = x.rows,
                               .a = x.value + k * in,
                               .a_row = 1,
                               .a_col = x.cols,
                               .b = dy + k * out,
                               .b_row = y.cols,
                               .b_col = 1,
                               .c = to.at + k * out,
                               .c_row = w.cols,
                               .add = to.add},
                              x);
    }
  });
  return y;
}

#define MGNN_INSTANTIATE(T)                       \
  template void multiply(const Gemm<T>&, Arena&); \
  template Var<T> matmul(Var<T>, Var<T>);         \
  template Var<T> matmul_nt(Var<T>, Var<T>);      \
  template Var<T> block_matmul(Var<T>, Var<T>, int64_t);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn
