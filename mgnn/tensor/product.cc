// The dense product by all threads. Tall results are cut by rows; small results of a long sum
// (the gradient of a weight) are cut along the sum into pieces that depend on the shape alone, and
// the pieces are added in order.

#include "mgnn/base/cpu.h"
#include "mgnn/tensor/dense.h"
#include "mgnn/tensor/gemm_kernel.h"
#include "mgnn/tensor/loops.h"

namespace mgnn {
namespace {

constexpr int64_t kRowBlock = 192;

template <class T>
void multiply_by_rows(const Gemm<T>& g) {
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

// The result of a b, with either operand transposed, and its gradients.
template <class T>
Var<T> product(Var<T> a, bool a_transposed, Var<T> b, bool b_transposed) {
  struct Side {
    int64_t rows, cols, row, col;  // shape and strides
  };
  const auto side = [](Var<T> x, bool transposed) {
    return transposed ? Side{x.cols, x.rows, 1, x.cols} : Side{x.rows, x.cols, x.cols, 1};
  };
  const Side l = side(a, a_transposed), r = side(b, b_transposed);
  check(l.cols == r.rows, "matmul: ({}, {}) times ({}, {}) cannot be", l.rows, l.cols, r.rows,
        r.cols);
  const Var<T> c = a.tape->make(l.rows, r.cols, a.learns() || b.learns());
  Arena& arena = a.tape->arena();
  multiply<T>({l.rows, r.cols, l.cols, a.value, l.row, l.col, b.value, r.row, r.col, c.value,
               c.cols, false},
              arena);
  a.tape->on_backward(c, [=, &arena] {
    const T* dc = c.grad();
    // dA = dC Bᵀ and dB = Aᵀ dC; where the operand is stored transposed, the transposes of these.
    if (a.learns()) {
      const Destination<T> to = a.grad_to_write();
      if (a_transposed)
        multiply<T>(
            {l.cols, l.rows, r.cols, b.value, r.row, r.col, dc, 1, c.cols, to.at, l.rows, to.add},
            arena);
      else
        multiply<T>(
            {l.rows, l.cols, r.cols, dc, c.cols, 1, b.value, r.col, r.row, to.at, l.cols, to.add},
            arena);
    }
    if (b.learns()) {
      const Destination<T> to = b.grad_to_write();
      if (b_transposed)
        multiply<T>(
            {r.cols, r.rows, l.rows, dc, 1, c.cols, a.value, l.row, l.col, to.at, r.rows, to.add},
            arena);
      else
        multiply<T>(
            {r.rows, r.cols, l.rows, a.value, l.col, l.row, dc, c.cols, 1, to.at, r.cols, to.add},
            arena);
    }
  });
  return c;
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
  return product(a, false, b, false);
}
template <class T>
Var<T> matmul_tn(Var<T> a, Var<T> b) {
  return product(a, true, b, false);
}
template <class T>
Var<T> matmul_nt(Var<T> a, Var<T> b) {
  return product(a, false, b, true);
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
    const int64_t pieces = (x.rows + kRowBlock - 1) / kRowBlock;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(x.rows * in * w.cols / 16))
    for (int64_t piece = 0; piece < pieces; piece++)
      for (int64_t k = 0; k < blocks; k++) {
        const int64_t first = piece * kRowBlock;
        MGNN_DISPATCH(gemm, block_of(k, first, std::min(kRowBlock, x.rows - first)));
      }
  };
  by_rows([=](int64_t k, int64_t first, int64_t rows) {
    return Gemm<T>{rows,
                   out,
                   in,
                   x.value + first * x.cols + k * in,
                   x.cols,
                   1,
                   w.value + k * out,
                   w.cols,
                   1,
                   y.value + first * y.cols + k * out,
                   y.cols,
                   false};
  });
  Arena& arena = x.tape->arena();
  x.tape->on_backward(y, [=, &arena] {
    const T* const dy = y.grad();
    if (x.learns()) {
      const Destination<T> to = x.grad_to_write();
      by_rows([=](int64_t k, int64_t first, int64_t rows) {
        return Gemm<T>{rows,
                       in,
                       out,
                       dy + first * y.cols + k * out,
                       y.cols,
                       1,
                       w.value + k * out,
                       1,
                       w.cols,
                       to.at + first * x.cols + k * in,
                       x.cols,
                       to.add};
      });
    }
    if (w.learns()) {
      const Destination<T> to = w.grad_to_write();
      for (int64_t k = 0; k < blocks; k++)
        multiply<T>({in, out, x.rows, x.value + k * in, 1, x.cols, dy + k * out, y.cols, 1,
                     to.at + k * out, w.cols, to.add},
                    arena);
    }
  });
  return y;
}

#define MGNN_INSTANTIATE(T)                       \
  template void multiply(const Gemm<T>&, Arena&); \
  template Var<T> matmul(Var<T>, Var<T>);         \
  template Var<T> matmul_tn(Var<T>, Var<T>);      \
  template Var<T> matmul_nt(Var<T>, Var<T>);      \
  template Var<T> block_matmul(Var<T>, Var<T>, int64_t);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)

}  // namespace mgnn
