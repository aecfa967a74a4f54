// Products of sparse features for several networks at once. A mask element follows from the number
// of its non-zero and the network, so the way back makes again what the way there has made, and
// nothing but the result is stored.

#include "mgnn/base/cpu.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/sparse_features.h"
#include "mgnn/tensor/spmm_kernel.h"

namespace mgnn {
namespace {

// The numbers of X for module k of K under its mask.
template <class T>
struct Dropped {
  const float* value;
  int64_t modules;
  bool drops;
  DropoutMask mask;
  T operator()(Offset e, int64_t k) const {
    if (!drops) return T(value[e]);
    return mask.keeps(uint64_t(e * modules + k)) ? T(value[e]) * T(mask.factor) : T(0);
  }
};

template <class T>
Dropped<T> dropped(Tape<T>& tape, const SparseFeatures& x, int64_t modules, double p) {
  check(p >= 0 && p < 1, "dropout: {} is not a probability below 1", p);
  const bool drops = tape.training() && p > 0;
  return {x.value.data(), modules, drops,
          drops ? dropout_mask(tape.next_random(), p) : DropoutMask{}};
}

// y (rows, K d) (+)= Σ_e value(e, k) w[c, k], all modules in one pass.
template <class T>
void product(Arena& arena, const Csr& p, const Offset* place, const Dropped<T>& value, const T* w,
             int64_t d, Destination<T> to) {
  const int64_t modules = value.modules;
  T* const values = arena.array<T>(p.nnz() * modules);
  for_rows(p.nnz(), 2 * modules, [=](int64_t e) {
    for (int64_t k = 0; k < modules; k++) values[e * modules + k] = value(place ? place[e] : e, k);
  });
  const Spmm<T, T> m{p.start.data(), p.index.data(), nullptr, values, modules, d, w, to.at, to.add};
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, modules * d),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_each, m, f, l); });
}

// Row by row the largest of the rows that `heard` lists, as non-zeros: each(column, value).
template <class T>
class RowMax {
 public:
  // `scratch` arrays (features) each: stamps (0 at first), how many rows have it, the largest.
  RowMax(const Csr& heard, const Csr& x, const Dropped<T>& value, int32_t* count, T* most,
         NodeId* touched)
      : heard_(heard), x_(x), value_(value), count_(count), most_(most), touched_(touched) {}

  template <class Each>
  void row(NodeId r, int64_t k, Each each) {
    const auto listed = heard_.row(r);
    int64_t found = 0;
    for (const NodeId node : listed)
      for (Offset e = x_.start[size_t(node)]; e < x_.start[size_t(node) + 1]; e++) {
        const T v = value_(e, k);
        if (v == 0) continue;
        const NodeId c = x_.index[size_t(e)];
        if (count_[c]++ == 0) {
          touched_[found++] = c;
          most_[c] = v;
        } else {
          most_[c] = std::max(most_[c], v);
        }
      }
    for (int64_t i = 0; i < found; i++) {
      const NodeId c = touched_[i];
      const bool everywhere = count_[c] == int32_t(listed.size());
      count_[c] = 0;
      if (everywhere || most_[c] > 0) each(c, most_[c]);  // elsewhere it is 0
    }
  }

 private:
  const Csr &heard_, &x_;
  const Dropped<T>& value_;
  int32_t* count_;
  T* most_;
  NodeId* touched_;
};

template <class T>
void add_scaled(T* to, const T* from, T factor, int64_t d) {
#pragma omp simd
  for (int64_t c = 0; c < d; c++) to[c] += factor * from[c];
}

// rows(block, first, last, max) for a few blocks of rows, whose number depends on the rows alone.
template <class T, class Rows>
void for_max_blocks(Arena& arena, const Csr& heard, const Csr& x, const Dropped<T>& value,
                    int64_t blocks, Rows rows) {
  const int64_t cols = x.cols;
  int32_t* const count = arena.array<int32_t>(blocks * cols);
  T* const most = arena.array<T>(blocks * cols);
  NodeId* const touched = arena.array<NodeId>(blocks * cols);
  std::fill_n(count, blocks * cols, 0);
  const int64_t degree = 1 + heard.nnz() / std::max<int64_t>(heard.rows, 1);
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(x.nnz() * degree * value.modules))
  for (int64_t b = 0; b < blocks; b++) {
    RowMax<T> max(heard, x, value, count + b * cols, most + b * cols, touched + b * cols);
    rows(b, NodeId(split_point(heard.rows, blocks, b)),
         NodeId(split_point(heard.rows, blocks, b + 1)), max);
  }
}

// d heard += Mᵀ dy: a part of each block of rows, then the parts in order.
template <class T>
void add_heard_grad(Arena& arena, const Csr& pattern, const SparseFeatures& x,
                    const Dropped<T>& value, Var<T> heard, const T* dy, int64_t blocks) {
  const int64_t cols = heard.cols, d = cols / value.modules, size = heard.size();
  T* const parts = arena.array<T>(blocks * size);
  for_max_blocks(arena, pattern, x.pattern, value, blocks,
                 [=](int64_t b, NodeId first, NodeId last, RowMax<T>& max) {
                   T* const part = parts + b * size;
                   std::fill_n(part, size, T(0));
                   for (NodeId r = first; r < last; r++)
                     for (int64_t k = 0; k < value.modules; k++)
                       max.row(r, k, [&](NodeId c, T v) {
                         add_scaled(part + c * cols + k * d, dy + r * cols + k * d, v, d);
                       });
                 });
  add_grad(heard, [=](int64_t i) {
    T total = 0;
    for (int64_t b = 0; b < blocks; b++) total += parts[b * size + i];
    return total;
  });
}

}  // namespace

template <class T>
Var<T> sparse_features_times(const SparseFeatures& x, Var<T> weight, int64_t modules, double p) {
  check(weight.rows == x.pattern.cols && modules > 0 && weight.cols % modules == 0,
        "sparse_features_times: {} features, a weight ({}, {}) for {} modules", x.pattern.cols,
        weight.rows, weight.cols, modules);
  Tape<T>& tape = *weight.tape;
  if (modules == 1 || p == 0 || !tape.training()) return sparse_features_times(x, weight, p);
  const int64_t d = weight.cols / modules;
  const Dropped<T> value = dropped(tape, x, modules, p);
  const Var<T> y = tape.make(x.pattern.rows, weight.cols, weight.learns());
  product<T>(tape.arena(), x.pattern, nullptr, value, weight.value, d, {y.value, false});
  tape.on_backward(y, [=, &x, &tape] {
    product<T>(tape.arena(), x.transposed, x.place.data(), value, y.grad(), d,
               weight.grad_to_write());
  });
  return y;
}

template <class T>
Var<T> sparse_features_max_times(const Pattern& pattern, const SparseFeatures& x, Var<T> heard,
                                 Var<T> own, int64_t modules, double p) {
  check(heard.rows == x.pattern.cols && own.rows == heard.rows && own.cols == heard.cols &&
            modules > 0 && heard.cols % modules == 0 && pattern.rows.cols == x.pattern.rows,
        "sparse_features_max_times: {} features, weights ({}, {}) and ({}, {}) for {} modules",
        x.pattern.cols, heard.rows, heard.cols, own.rows, own.cols, modules);
  Tape<T>& tape = *heard.tape;
  if (p == 0 || !tape.training()) modules = 1;  // all modules are given the same
  const int64_t cols = heard.cols, d = cols / modules;
  const int64_t blocks = std::clamp<int64_t>(pattern.rows.rows / 64, 1, 16);
  const Dropped<T> value = dropped(tape, x, modules, p);
  const Var<T> y = tape.make(pattern.rows.rows, cols, heard.learns() || own.learns());
  product<T>(tape.arena(), x.pattern, nullptr, value, own.value, d, {y.value, false});
  for_max_blocks(tape.arena(), pattern.rows, x.pattern, value, blocks,
                 [=](int64_t, NodeId first, NodeId last, RowMax<T>& max) {
                   for (NodeId r = first; r < last; r++)
                     for (int64_t k = 0; k < modules; k++)
                       max.row(r, k, [&](NodeId c, T v) {
                         add_scaled(y.value + r * cols + k * d, heard.value + c * cols + k * d, v,
                                    d);
                       });
                 });
  tape.on_backward(y, [=, &pattern, &x, &tape] {
    if (own.learns())
      product<T>(tape.arena(), x.transposed, x.place.data(), value, y.grad(), d,
                 own.grad_to_write());
    if (heard.learns())
      add_heard_grad(tape.arena(), pattern.rows, x, value, heard, y.grad(), blocks);
  });
  return y;
}

#define MGNN_INSTANTIATE(T)                                                                        \
  template Var<T> sparse_features_times(const SparseFeatures&, Var<T>, int64_t, double);           \
  template Var<T> sparse_features_max_times(const Pattern&, const SparseFeatures&, Var<T>, Var<T>, \
                                            int64_t, double);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)

}  // namespace mgnn
