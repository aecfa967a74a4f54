// Products of sparse features for several networks at once. One pass over the features, or over
// those of the neighbours, serves up to 16 of them: the mask of each at a non-zero is one bit,
// drawn once and stored for the backward pass.

#include "mgnn/base/cpu.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"
#include "mgnn/tensor/sparse_modules_kernel.h"

namespace mgnn {
namespace {

constexpr int64_t kScratchSlots = 16;  // blocks of rows that threads share

// The features under the masks of K networks; bits of networks 16 g and on lie at g nnz.
struct MaskedFeatures {
  const SparseFeatures* x;
  int64_t modules;  // K
  double factor;
  const uint16_t* bits;
};

void draw(const KeepBits& bits, int64_t n) {
  if (MetaScope::active()) return;
  constexpr int64_t kRuns = 64;
#pragma omp parallel for schedule(static) if (worth_threads(n * bits.count))
  for (int64_t r = 0; r < kRuns; r++)
    MGNN_DISPATCH(keep_bits, bits, split_point(n, kRuns, r), split_point(n, kRuns, r + 1));
}

template <class Each>
void for_module_groups(int64_t modules, Each each) {
  for (int64_t first = 0; first < modules; first += kMaxModules)
    each(first, std::min(kMaxModules, modules - first));
}

template <class T>
MaskedFeatures drop(Tape<T>& tape, const SparseFeatures& x, int64_t modules, double p) {
  check(p >= 0 && p < 1, "dropout: {} is not a probability below 1", p);
  const bool drops = tape.training() && p > 0;
  const int64_t n = x.pattern.nnz(), groups = (modules + kMaxModules - 1) / kMaxModules;
  uint16_t* const bits = tape.arena().template array<uint16_t>(groups * n);
  if (!drops) {
    if (!MetaScope::active()) std::fill_n(bits, groups * n, uint16_t(0xFFFF));
    return {&x, modules, 1, bits};
  }
  const DropoutMask mask = dropout_mask(tape.next_random(), p);
  for_module_groups(modules, [&](int64_t first, int64_t count) {
    draw({.mask = mask,
          .modules = modules,
          .first = first,
          .count = count,
          .bits = bits + first / kMaxModules * n},
         n);
  });
  return {&x, modules, mask.factor, bits};
}

// Whether a pass goes over the rows of the features or over their columns.
enum class Side { rows, columns };

// each(features) for groups of networks. Rows of `from` and `to` are K blocks of d columns.
template <class T, class Each>
void for_modules(const MaskedFeatures& masked, int64_t d, const T* from, T* to, Each each,
                 Side side = Side::rows) {
  const SparseFeatures& x = *masked.x;
  const bool transposed = side == Side::columns;
  const Csr& p = transposed ? x.transposed : x.pattern;
  for_module_groups(masked.modules, [&](int64_t first, int64_t count) {
    each(ModuleFeatures<T>{.start = p.start.data(),
                           .index = p.index.data(),
                           .value = (transposed ? x.transposed_value : x.value).data(),
                           .place = transposed ? x.place.data() : nullptr,
                           .mask_bits = masked.bits + first / kMaxModules * p.nnz(),
                           .factor = T(masked.factor),
                           .count = count,
                           .d = d,
                           .row = masked.modules * d,
                           .from = from + first * d,
                           .to = to + first * d});
  });
}

// The gradient of a weight, to which rows_of(block, part, first, last) adds.
template <class T, class Rows>
void add_block_grads(Arena& arena, Var<T> weight, NodeId rows, int64_t work, Rows rows_of) {
  if (!weight.learns()) return;
  constexpr int64_t kMaxNumbers = int64_t(1) << 24;  // in all parts
  const int64_t blocks =
      std::min<int64_t>(rows / 64, kMaxNumbers / std::max<int64_t>(weight.size(), 1));
  const auto sums =
      block_sums<T>(arena, {.total = rows, .count = std::clamp<int64_t>(blocks, 1, kScratchSlots)},
                    nullptr, weight.size());
  sums.run(work, [&](int64_t b, T* part, int64_t first, int64_t last) {
    rows_of(b, part, NodeId(first), NodeId(last));
  });
  add_grad(weight, sums);
}

template <class T>
void product(const MaskedFeatures& masked, Var<T> weight, Var<T> y) {
  const Csr& p = masked.x->pattern;
  const T* const from = weight.value;
  for_modules(masked, weight.cols / masked.modules, from, y.value, [&](const auto& m) {
    for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, m.count * m.d),
                   [&](NodeId f, NodeId l) { MGNN_DISPATCH(module_rows, m, f, l); });
  });
}

// The gradient of a weight, feature by feature. The gradient of the result goes by in pieces that
// stay in the cache while all features use them.
template <class T>
void product_grad(Arena& arena, const MaskedFeatures& masked, Var<T> weight, const T* dy) {
  if (!weight.learns()) return;
  constexpr int64_t kPiece = int64_t(1) << 19;  // bytes
  const Csr& p = masked.x->transposed;
  const auto row_bytes = std::max<int64_t>(weight.cols * int64_t(sizeof(T)), 1);
  const auto rows = NodeId(std::max<int64_t>(kPiece / row_bytes, 64));
  const int64_t shares =
      worth_threads(spmm_work(p.nnz(), p.cols, weight.cols)) ? int64_t(num_threads()) : 1;
  const auto first_of = [&](int64_t share) {  // equal work, at the end of a feature
    const auto at =
        std::lower_bound(p.start.begin(), p.start.end() - 1, split_point(p.nnz(), shares, share));
    return share == shares ? p.rows : NodeId(at - p.start.begin());
  };
  Offset* const next = arena.array<Offset>(p.rows);
  const Destination<T> to = weight.grad_to_write();
  if (MetaScope::active()) return;
  if (!to.add) std::fill_n(to.at, weight.size(), T(0));
  for_modules(
      masked, weight.cols / masked.modules, dy, to.at,
      [&](const auto& m) {
        std::copy_n(p.start.begin(), p.rows, next);
#pragma omp parallel for schedule(static, 1) num_threads(int(shares)) if (shares > 1)
        for (int64_t share = 0; share < shares; share++) {
          const NodeId first = first_of(share), last = first_of(share + 1);
          for (int64_t limit = rows; limit < p.cols + rows; limit += rows)
            MGNN_DISPATCH(add_rows_below, m, first, last, NodeId(std::min<int64_t>(limit, p.cols)),
                          next + first);
        }
      },
      Side::columns);
}

// Scratch for the maxima of one row at a time, one slot for each block of rows.
template <class T>
struct MaxScratch {
  int64_t features, stride;
  int32_t* seen;
  T* maximum;
  NodeId* touched;

  MaxScratch(Arena& arena, int64_t columns, int64_t count)
      : features(columns),
        stride(padded_modules(count)),
        seen(arena.array<int32_t>(kScratchSlots * columns)),
        maximum(arena.array<T>(kScratchSlots * columns * stride)),
        touched(arena.array<NodeId>(kScratchSlots * (columns + 1))) {
    if (!MetaScope::active()) std::fill_n(seen, kScratchSlots * columns, 0);
  }
  NeighbourLists<T> slot(int64_t i, const Csr& lists) const {
    return {.start = lists.start.data(),
            .index = lists.index.data(),
            .seen = seen + i * features,
            .maximum = maximum + i * features * stride,
            .touched = touched + i * (features + 1)};
  }
};

template <class Each>
void for_slots(int64_t work, Each each) {
  if (MetaScope::active()) return;
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(work))
  for (int64_t b = 0; b < kScratchSlots; b++) each(b);
}

}  // namespace

template <class T>
Var<T> sparse_features_times(const SparseFeatures& x, Var<T> weight, int64_t modules, double p) {
  check(weight.rows == x.pattern.cols && modules > 0 && weight.cols % modules == 0,
        "sparse_features_times: {} features, a weight ({}, {}) for {} modules", x.pattern.cols,
        weight.rows, weight.cols, modules);
  Tape<T>& tape = *weight.tape;
  if (modules == 1 || p == 0 || !tape.training()) return sparse_features_times(x, weight, p);
  const MaskedFeatures masked = drop(tape, x, modules, p);
  const Var<T> y = tape.make(x.pattern.rows, weight.cols, weight.learns());
  check_undivided("dropout of several networks on the same sparse features", y);
  product(masked, weight, y);
  tape.on_backward(y, [=, &tape] { product_grad(tape.arena(), masked, weight, y.grad()); });
  return y;
}

template <class T>
Var<T> sparse_features_max_times(const Pattern& pattern, const SparseFeatures& x, Var<T> neighbour,
                                 Var<T> self, int64_t modules, double p) {
  check(neighbour.rows == x.pattern.cols && self.rows == neighbour.rows &&
            self.cols == neighbour.cols && modules > 0 && neighbour.cols % modules == 0 &&
            pattern.rows.cols == x.pattern.rows,
        "sparse_features_max_times: {} features, weights ({}, {}) and ({}, {}) for {} modules",
        x.pattern.cols, neighbour.rows, neighbour.cols, self.rows, self.cols, modules);
  Tape<T>& tape = *neighbour.tape;
  if (p == 0 || !tape.training()) modules = 1;  // all modules are given the same
  const Csr &lists = pattern.rows, &features = x.pattern;
  const int64_t d = neighbour.cols / modules;
  const int64_t degree = 1 + lists.nnz() / std::max<int64_t>(lists.rows, 1);
  const int64_t work = features.nnz() * degree * (1 + neighbour.cols / 8);
  const MaskedFeatures masked = drop(tape, x, modules, p);
  const Var<T> y = tape.make(lists.rows, neighbour.cols, neighbour.learns() || self.learns());
  check_undivided("the maximum of neighbours' sparse features", y);
  product(masked, self, y);
  const MaxScratch<T> scratch(tape.arena(), features.cols, std::min(modules, kMaxModules));
  for_slots(work, [&](int64_t b) {
    for_modules(masked, d, neighbour.value, y.value, [&](const auto& m) {
      MGNN_DISPATCH(max_rows, m, scratch.slot(b, lists),
                    NodeId(split_point(lists.rows, kScratchSlots, b)),
                    NodeId(split_point(lists.rows, kScratchSlots, b + 1)));
    });
  });
  tape.on_backward(y, [=, &lists, &tape] {
    const T* const dy = y.grad();
    product_grad(tape.arena(), masked, self, dy);
    add_block_grads(tape.arena(), neighbour, lists.rows, work,
                    [&](int64_t b, T* part, NodeId first, NodeId last) {
                      for_modules(masked, d, dy, part, [&](const auto& m) {
                        MGNN_DISPATCH(max_outer_rows, m, scratch.slot(b, lists), first, last);
                      });
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
#undef MGNN_INSTANTIATE

}  // namespace mgnn
