// The loops that operations are made of. All give the same bits for any number of threads, and do nothing
// in a MetaScope.
#pragma once

#include "mgnn/base/parallel.h"
#include "mgnn/tensor/exchange.h"

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

// Sums over rows: over blocks of rows first, each by one thread, then of the blocks in order. The number
// of blocks must depend on the shapes alone. Few of them are in memory at a time where they are large.
template <class T>
struct BlockSums {
  RowBlocks blocks;
  const RowShare* share;
  int64_t size, together;
  T* parts;  // (together, size)
  T* sum;    // (size)

  // rows_of(block, part, first, last) adds the sums of rows first .. last - 1 to `part`.
  template <class Rows>
  void run(int64_t work, Rows rows_of) const {
    if (MetaScope::active()) return;
    const bool at_once = together >= blocks.count;
    if (at_once) run_some(0, work, rows_of);
    const auto add_all = [&] {
      if (!share || share->comm->rank() == 0) std::fill_n(sum, size, T(0));
      for (int64_t first = 0; first < blocks.count; first += together) {
        if (!at_once) run_some(first, work, rows_of);
        add_some(std::min(together, blocks.count - first));
      }
    };
    if (share)
      share->comm->accumulate(sum, size * int64_t(sizeof(T)), add_all);
    else
      add_all();
  }
  T total(int64_t i) const { return sum[i]; }

 private:
  template <class Rows>
  void run_some(int64_t first, int64_t work, Rows rows_of) const {
    const int64_t last = std::min(first + together, blocks.count);
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(work))
    for (int64_t b = first; b < last; b++) {
      T* const part = parts + (b - first) * size;
      std::fill_n(part, size, T(0));
      rows_of(b, part, blocks.start(b), blocks.start(b + 1));
    }
  }
  void add_some(int64_t count) const {
    for_elements(size, count, [count, this](int64_t i) {
      for (int64_t b = 0; b < count; b++) sum[i] += parts[b * size + i];
    });
  }
};

template <class T>
BlockSums<T> block_sums(Arena& arena, const RowBlocks& blocks, const RowShare* share,
                        int64_t size) {
  constexpr int64_t kMaxNumbers = int64_t(1) << 24;  // in all parts
  const int64_t together = std::clamp<int64_t>(kMaxNumbers / std::max<int64_t>(size, 1), 1,
                                               std::max<int64_t>(blocks.count, 1));
  T* const parts = arena.array<T>(together * size);
  return {blocks, share, size, together, parts, arena.array<T>(size)};
}
// Over the rows of x; `wanted` blocks where these are few.
template <class T>
BlockSums<T> block_sums(Var<T> x, int64_t wanted, int64_t size) {
  return block_sums<T>(x.tape->arena(), row_blocks(x.rows, wanted, x.share), x.share, size);
}

// Adds the sums from `first` on to the gradient of x.
template <class T>
void add_grad(Var<T> x, const BlockSums<T>& sums, int64_t first = 0) {
  add_grad(x, [=](int64_t i) { return sums.total(first + i); });
}

// to[c] (+)= Σ f(r, c) over the rows of x, likewise.
template <class T, class F>
void column_sums(Var<T> x, int64_t cols, Destination<T> to, F f) {
  const auto sums = block_sums(x, std::clamp<int64_t>(x.rows / 512, 1, 32), cols);
  sums.run(x.rows * cols, [&](int64_t, T* part, int64_t first, int64_t last) {
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
