// The loops that operations are made of. All give the same bits for any number of threads, and do nothing
// in a MetaScope.
#pragma once

#include "mgnn/base/parallel.h"
#include "mgnn/tensor/tape.h"

namespace mgnn {

// each(i) for i = 0..n-1, in any order. `cost` is that of one call, in nanoseconds.
template <class Each>
void for_elements(int64_t n, int64_t cost, Each each) {
  if (MetaScope::active()) return;
#pragma omp parallel for simd schedule(static) if (parallel : worth_threads(n * cost))
  for (int64_t i = 0; i < n; i++) each(i);
}

// The same for calls that are loops themselves.
template <class Each>
void for_rows(int64_t n, int64_t cost, Each each) {
  if (MetaScope::active()) return;
#pragma omp parallel for schedule(dynamic, 64) if (worth_threads(n * cost))
  for (int64_t i = 0; i < n; i++) each(i);
}

// rows_of(first, last) for blocks of rows that together are 0..rows-1.
template <class Rows>
void for_row_blocks(int64_t rows, int64_t work, Rows rows_of) {
  if (MetaScope::active()) return;
  const int64_t block = std::clamp<int64_t>(rows / 64, 1, 64);
  const int64_t blocks = (rows + block - 1) / block;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(work))
  for (int64_t b = 0; b < blocks; b++)
    rows_of(NodeId(b * block), NodeId(std::min(rows, (b + 1) * block)));
}

// Steps of a sparse product.
inline int64_t spmm_work(Offset nnz, int64_t rows, int64_t cols) {
  return (nnz + rows) * (1 + cols / 8);
}

// y[i] = f(i)
template <class T, class F>
void fill(Var<T> y, F f, int64_t cost = 1) {
  T* const to = y.value;
  for_elements(y.size(), cost, [=](int64_t i) { to[i] = f(i); });
}

// Adds f(i) to the gradient of element i, if x learns.
template <class T, class F>
void add_grad(Var<T> x, F f, int64_t cost = 1) {
  if (!x.learns()) return;
  const Destination<T> to = x.grad_to_write();
  if (to.add)
    for_elements(x.size(), cost, [=](int64_t i) { to.at[i] += f(i); });
  else
    for_elements(x.size(), cost, [=](int64_t i) { to.at[i] = f(i); });
}

// The same with f(row, column).
template <class T, class F>
void fill_rows(Var<T> y, F f) {
  for_rows(y.rows, y.cols, [=](int64_t r) {
    T* const to = y.value + r * y.cols;
#pragma omp simd
    for (int64_t c = 0; c < y.cols; c++) to[c] = f(r, c);
  });
}

template <class T, class F>
void add_grad_rows(Var<T> x, F f) {
  if (!x.learns()) return;
  const Destination<T> grad = x.grad_to_write();
  for_rows(x.rows, x.cols, [=](int64_t r) {
    T* const to = grad.at + r * x.cols;
    if (!grad.add) std::fill_n(to, x.cols, T(0));
#pragma omp simd
    for (int64_t c = 0; c < x.cols; c++) to[c] += f(r, c);
  });
}

// Σ f(i), in blocks whose size depends on n alone.
template <class F>
double ordered_sum(int64_t n, F f) {
  if (MetaScope::active()) return 0;
  constexpr int64_t kMaxBlocks = 64, kBlockSize = 4096;
  double part[kMaxBlocks];
  const int64_t blocks = std::clamp<int64_t>(n / kBlockSize, 1, kMaxBlocks);
#pragma omp parallel for schedule(static) if (worth_threads(n))
  for (int64_t b = 0; b < blocks; b++) {
    double sum = 0;
    for (int64_t i = split_point(n, blocks, b); i < split_point(n, blocks, b + 1); i++)
      sum += double(f(i));
    part[b] = sum;
  }
  double sum = 0;
  for (int64_t b = 0; b < blocks; b++) sum += part[b];
  return sum;
}

// Partial sums over blocks of rows, added in a fixed order, so that no two threads write the same
// place. The number of blocks must depend on the shapes alone.
template <class T>
struct BlockSums {
  int64_t rows, blocks, size;
  T* parts;  // (blocks, size)

  // rows_of(block, part, first, last) adds the sums of rows first .. last - 1 to `part`.
  template <class Rows>
  void run(int64_t work, Rows rows_of) const {
    if (MetaScope::active()) return;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(work))
    for (int64_t b = 0; b < blocks; b++) {
      std::fill_n(parts + b * size, size, T(0));
      rows_of(b, parts + b * size, split_point(rows, blocks, b), split_point(rows, blocks, b + 1));
    }
  }
  T total(int64_t i) const {
    T sum = 0;
    for (int64_t b = 0; b < blocks; b++) sum += parts[b * size + i];
    return sum;
  }
};

template <class T>
BlockSums<T> block_sums(Arena& arena, int64_t rows, int64_t blocks, int64_t size) {
  return {rows, blocks, size, arena.array<T>(blocks * size)};
}

// Adds the sums from `first` on to the gradient of x.
template <class T>
void add_grad(Var<T> x, const BlockSums<T>& sums, int64_t first = 0) {
  add_grad(
      x, [=](int64_t i) { return sums.total(first + i); }, sums.blocks);
}

// to[c] (+)= Σ_r f(r, c), likewise.
template <class T, class F>
void column_sums(Arena& arena, int64_t rows, int64_t cols, Destination<T> to, F f) {
  const auto sums = block_sums<T>(arena, rows, std::clamp<int64_t>(rows / 512, 1, 32), cols);
  sums.run(rows * cols, [&](int64_t, T* part, int64_t first, int64_t last) {
    for (int64_t r = first; r < last; r++)
      for (int64_t c = 0; c < cols; c++) part[c] += f(r, c);
  });
  if (MetaScope::active()) return;
  for (int64_t c = 0; c < cols; c++) to.at[c] = sums.total(c) + (to.add ? to.at[c] : T(0));
}

template <class T>
void check_same_shape(const char* operation, const Var<T>& a, const Var<T>& b) {
  check(a.rows == b.rows && a.cols == b.cols, "{}: shapes ({}, {}) and ({}, {}) differ", operation,
        a.rows, a.cols, b.rows, b.cols);
}

}  // namespace mgnn
