// Y = (X ∘ M) W and dW = (X ∘ M)ᵀ dY with M the dropout mask. A mask element follows from the
// number of its non-zero, so the transpose finds it again without looking anything up.
//
// dW is summed feature by feature, from rows of dY all over the memory; or, where each feature has
// many non-zeros, node by node into a few copies of dW that stay in the cache and are added in
// order.

#include <type_traits>

#include "mgnn/base/cpu.h"
#include "mgnn/tensor/drop.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"
#include "mgnn/tensor/product_log.h"
#include "mgnn/tensor/spmm_kernel.h"

namespace mgnn {
namespace {

template <class T>
void product(const Csr& p, const T* value, const T* x, int64_t d, Destination<T> to) {
  const Spmm<T, T> m{.start = p.start.data(),
                     .index = p.index.data(),
                     .value = value,
                     .d = d,
                     .x = x,
                     .y = to.at,
                     .add = to.add};
  for_row_blocks(p.rows, spmm_work(p.nnz(), p.rows, d),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_broadcast, m, f, l); });
}

// The values of the non-zeros under the mask, if there is one.
template <class T>
const T* dropped(Arena& arena, const Array<float>& value, const DropoutMask* mask,
                 const Offset* place) {
  const int64_t n = int64_t(value.size());
  if constexpr (std::is_same_v<T, float>)
    if (!mask) return value.data();
  T* const to = arena.array<T>(n);
  if (MetaScope::active()) return to;
  if (mask)
    drop_all<T, float>({.mask = *mask, .place = place, .x = value.data(), .y = to}, n);
  else
    std::copy_n(value.data(), n, to);
  return to;
}

Offset nonzeros_of_all(const SparseFeatures& x) {
  return x.nonzeros_of_all < 0 ? x.pattern.nnz() : x.nonzeros_of_all;
}

// Copies of dW that are summed node by node; 0: not worth it. Depends on the shape alone.
int64_t copies_of_weight(const SparseFeatures& x, int64_t rows) {
  constexpr int64_t kCopies = 16, kPerCopy = 4;  // non-zeros of each feature
  const int64_t worth = kCopies * kPerCopy * x.pattern.cols;
  return nonzeros_of_all(x) < worth || rows < kCopies ? 0 : kCopies;
}

// The gradient of `weight` is (X ∘ M)ᵀ dy, by copies.
template <class T>
void add_by_nodes(const SparseFeatures& x, const T* value, Var<T> y, Var<T> weight) {
  const Csr& p = x.pattern;
  const T* const dy = y.grad();
  const int64_t d = weight.cols;
  const auto sums = block_sums(y, copies_of_weight(x, total_rows(y)), weight.size());
  sums.run(spmm_work(p.nnz(), p.rows, d), [&](int64_t, T* part, int64_t first, int64_t last) {
    const Spmm<T, T> m{.start = p.start.data(),
                       .index = p.index.data(),
                       .value = value,
                       .d = d,
                       .x = dy,
                       .y = part};
    MGNN_DISPATCH(spmm_scatter, m, NodeId(first), NodeId(last));
  });
  add_grad(weight, sums);
}

// Rows of the transpose cut where the blocks of sums over nodes begin.
struct FeatureRuns {
  int64_t count = 0;
  Offset* start;        // (count + 1) non-zeros
  int64_t* of_feature;  // (features + 1) runs
};

FeatureRuns feature_runs(const SparseFeatures& x, const RowBlocks& blocks, Arena& arena) {
  const Csr& p = x.transposed;
  FeatureRuns runs{.start = arena.array<Offset>(p.nnz() + 1),  // there may be as many
                   .of_feature = arena.array<int64_t>(p.rows + 1)};
  if (MetaScope::active()) return runs;
  for (NodeId f = 0; f < p.rows; f++) {
    runs.of_feature[f] = runs.count;
    int64_t block = -1;
    for (Offset e = p.start[f]; e < p.start[f + 1]; e++) {
      if (block >= 0 && p.index[e] < blocks.start(block + 1)) continue;
      while (block < 0 || blocks.start(block + 1) <= p.index[e]) block++;
      runs.start[runs.count++] = e;
    }
  }
  runs.start[runs.count] = p.nnz();
  runs.of_feature[p.rows] = runs.count;
  return runs;
}

// The same feature by feature: over the nodes of a block, then over the blocks in order.
template <class T>
void add_by_features(const SparseFeatures& x, const T* value, Var<T> y, Var<T> weight) {
  Arena& arena = y.tape->arena();
  const Csr& p = x.transposed;
  const int64_t d = weight.cols;
  const FeatureRuns runs = feature_runs(x, row_blocks(y.rows, 1, y.share), arena);
  T* const part = arena.array<T>(std::min<int64_t>(p.nnz(), p.rows * kCommonBlocks) * d);
  T* const sum = arena.array<T>(weight.size());
  if (!MetaScope::active()) {
    const Spmm<T, T> m{.start = runs.start,
                       .index = p.index.data(),
                       .value = value,
                       .d = d,
                       .x = y.grad(),
                       .y = part};
    for_row_blocks(runs.count, spmm_work(p.nnz(), runs.count, d),
                   [&](NodeId f, NodeId l) { MGNN_DISPATCH(spmm_broadcast, m, f, l); });
    const bool first = !y.share || y.share->comm->rank() == 0;
    const auto add = [&] {
      for_rows(p.rows, d * 4, [=](int64_t f) {
        T* const to = sum + f * d;
        if (first) std::fill_n(to, d, T(0));
        for (int64_t r = runs.of_feature[f]; r < runs.of_feature[f + 1]; r++)
          for (int64_t c = 0; c < d; c++) to[c] += part[r * d + c];
      });
    };
    if (y.share)
      y.share->comm->accumulate(sum, weight.size() * int64_t(sizeof(T)), add);
    else
      add();
  }
  add_grad(weight, [=](int64_t i) { return sum[i]; });
}

}  // namespace

SparseFeatures make_sparse_features(SparseMatrix features) {
  SparseFeatures x{std::move(features.pattern), std::move(features.value), {}, {}, {}};
  x.transposed = transpose(x.pattern);
  x.place = transposed_places(x.pattern, x.transposed);
  x.transposed_value.resize(x.value.size());
  for (size_t e = 0; e < x.place.size(); e++) x.transposed_value[e] = x.value[x.place[e]];
  return x;
}

template <class T>
Var<T> sparse_features_times(const SparseFeatures& x, Var<T> weight, double p) {
  check(weight.rows == x.pattern.cols, "sparse_features_times: {} features, a weight of {} rows",
        x.pattern.cols, weight.rows);
  check(p >= 0 && p < 1, "dropout: {} is not a probability below 1", p);
  Tape<T>& tape = *weight.tape;
  const bool drops = tape.training() && p > 0;
  const DropoutMask mask =
      drops ? dropout_mask(tape.next_random(), p, uint64_t(x.first_nonzero)) : DropoutMask{};

  const Var<T> y = tape.make(x.pattern.rows, weight.cols, weight.learns());
  log_product<T>({.pattern = &x.pattern, .fixed = x.value.data(), .x = weight, .y = y});
  const T* masked = dropped<T>(tape.arena(), x.value, drops ? &mask : nullptr, nullptr);
  product<T>(x.pattern, masked, weight.value, weight.cols, {y.value, false});
  tape.on_backward(y, [=, &x, &tape] {
    if (copies_of_weight(x, total_rows(y)) > 0) return add_by_nodes<T>(x, masked, y, weight);
    const T* value =
        dropped<T>(tape.arena(), x.transposed_value, drops ? &mask : nullptr, x.place.data());
    if (total_rows(y) >= kDivisibleRows) return add_by_features<T>(x, value, y, weight);
    product<T>(x.transposed, value, y.grad(), weight.cols, weight.grad_to_write());
  });
  return y;
}

template Var<float> sparse_features_times(const SparseFeatures&, Var<float>, double);
template Var<double> sparse_features_times(const SparseFeatures&, Var<double>, double);

}  // namespace mgnn
