// Products of sparse features for several networks at once. The numbers under the masks of all
// networks lie side by side, so that one pass over the features, or over those of the neighbours,
// serves all of them, a few lanes at a time. They are made once and kept for the way back.

#include "mgnn/base/cpu.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/sparse_features.h"
#include "mgnn/tensor/sparse_modules_kernel.h"
#include "mgnn/tensor/spmm_kernel.h"

namespace mgnn {
namespace {

// The numbers of X under the masks of K networks, (nnz, padded K).
template <class T>
const T* dropped(Tape<T>& tape, const SparseFeatures& x, int64_t modules, double p) {
  check(p >= 0 && p < 1, "dropout: {} is not a probability below 1", p);
  const bool drops = tape.training() && p > 0;
  const int64_t stride = padded_modules(modules);
  T* const to = tape.arena().template array<T>(x.pattern.nnz() * stride);
  const DropEach<T> each{drops ? dropout_mask(tape.next_random(), p) : DropoutMask{}, modules,
                         stride, x.value.data(), to};
  constexpr int64_t kRuns = 64;
  const int64_t n = x.pattern.nnz();
#pragma omp parallel for schedule(static) if (worth_threads(n * modules))
  for (int64_t r = 0; r < kRuns; r++)
    MGNN_DISPATCH(drop_each, each, split_point(n, kRuns, r), split_point(n, kRuns, r + 1));
  return to;
}

// The gradient of a weight: rows_of(block, part, first, last) adds what a block of rows has to
// `part`, and the parts are added in order. How many there are depends on the shapes alone.
template <class T, class Rows>
void add_block_grads(Arena& arena, Var<T> weight, NodeId rows, int64_t work, Rows rows_of) {
  if (!weight.learns()) return;
  constexpr int64_t kMostNumbers = int64_t(1) << 24;  // in all parts
  const int64_t size = weight.size();
  const int64_t blocks = std::clamp<int64_t>(
      std::min<int64_t>(rows / 64, kMostNumbers / std::max<int64_t>(size, 1)), 1, 16);
  T* const parts = arena.array<T>(blocks * size);
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(work))
  for (int64_t b = 0; b < blocks; b++) {
    std::fill_n(parts + b * size, size, T(0));
    rows_of(b, parts + b * size, NodeId(split_point(rows, blocks, b)),
            NodeId(split_point(rows, blocks, b + 1)));
  }
  add_grad(
      weight,
      [=](int64_t i) {
        T total = 0;
        for (int64_t b = 0; b < blocks; b++) total += parts[b * size + i];
        return total;
      },
      blocks);
}

template <class T>
void product(const SparseFeatures& x, const T* value, int64_t modules, Var<T> weight, Var<T> y) {
  const Csr& p = x.pattern;
  const Spmm<T, T> one{p.start.data(), p.index.data(), nullptr, value, 1,
                       weight.cols,    weight.value,   y.value, false};
  const ModuleFeatures<T> all{
      p.start.data(),          p.index.data(),        value,        modules,
      padded_modules(modules), weight.cols / modules, weight.value, y.value};
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, weight.cols), [&](NodeId f, NodeId l) {
    if (modules == 1)
      MGNN_DISPATCH(spmm_each, one, f, l);
    else
      MGNN_DISPATCH(module_rows, all, f, l);
  });
}

template <class T>
void product_grad(Arena& arena, const SparseFeatures& x, const T* value, int64_t modules,
                  Var<T> weight, const T* dy) {
  const Csr& p = x.pattern;
  const int64_t d = weight.cols / modules;
  add_block_grads(
      arena, weight, p.rows, spmm_work(p.nnz(), p.rows, weight.cols),
      [&](int64_t, T* part, NodeId first, NodeId last) {
        const ModuleFeatures<T> m{
            p.start.data(), p.index.data(), value, modules, padded_modules(modules), d, dy, part};
        MGNN_DISPATCH(outer_rows, m, first, last);
      });
}

// Room for the largest of one row at a time, one for each of 16 blocks of rows.
template <class T>
struct MaxRooms {
  static constexpr int64_t kRooms = 16;
  int64_t features, stride;
  int32_t* seen;
  T* most;
  NodeId* touched;

  MaxRooms(Arena& arena, int64_t columns, int64_t count)
      : features(columns),
        stride(padded_modules(count)),
        seen(arena.array<int32_t>(kRooms * columns)),
        most(arena.array<T>(kRooms * columns * stride)),
        touched(arena.array<NodeId>(kRooms * columns)) {
    std::fill_n(seen, kRooms * columns, 0);
  }
  Heard<T> room(int64_t i, const Csr& heard) const {
    return {heard.start.data(), heard.index.data(), seen + i * features,
            most + i * features * stride, touched + i * features};
  }
};

}  // namespace

template <class T>
Var<T> sparse_features_times(const SparseFeatures& x, Var<T> weight, int64_t modules, double p) {
  check(weight.rows == x.pattern.cols && modules > 0 && weight.cols % modules == 0,
        "sparse_features_times: {} features, a weight ({}, {}) for {} modules", x.pattern.cols,
        weight.rows, weight.cols, modules);
  Tape<T>& tape = *weight.tape;
  if (modules == 1 || p == 0 || !tape.training()) return sparse_features_times(x, weight, p);
  const T* const value = dropped(tape, x, modules, p);
  const Var<T> y = tape.make(x.pattern.rows, weight.cols, weight.learns());
  product(x, value, modules, weight, y);
  tape.on_backward(
      y, [=, &x, &tape] { product_grad(tape.arena(), x, value, modules, weight, y.grad()); });
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
  const Csr &listed = pattern.rows, &features = x.pattern;
  const int64_t d = heard.cols / modules;
  const int64_t degree = 1 + listed.nnz() / std::max<int64_t>(listed.rows, 1);
  const int64_t work = features.nnz() * degree * (1 + heard.cols / 8);
  const T* const value = dropped(tape, x, modules, p);
  const Var<T> y = tape.make(listed.rows, heard.cols, heard.learns() || own.learns());
  product(x, value, modules, own, y);
  const MaxRooms<T> rooms(tape.arena(), features.cols, modules);
  const ModuleFeatures<T> m{features.start.data(),
                            features.index.data(),
                            value,
                            modules,
                            padded_modules(modules),
                            d,
                            heard.value,
                            y.value};
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(work))
  for (int64_t b = 0; b < rooms.kRooms; b++)
    MGNN_DISPATCH(max_rows, m, rooms.room(b, listed),
                  NodeId(split_point(listed.rows, rooms.kRooms, b)),
                  NodeId(split_point(listed.rows, rooms.kRooms, b + 1)));
  tape.on_backward(y, [=, &listed, &x, &tape] {
    product_grad(tape.arena(), x, value, modules, own, y.grad());
    ModuleFeatures<T> back = m;
    back.from = y.grad();
    add_block_grads(tape.arena(), heard, listed.rows, work,
                    [&](int64_t b, T* part, NodeId first, NodeId last) {
                      ModuleFeatures<T> to = back;
                      to.to = part;
                      MGNN_DISPATCH(max_outer_rows, to, rooms.room(b, listed), first, last);
                    });
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
