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

// Copies of dW that are summed node by node; 0: not worth it. Depends on the shape alone.
int64_t copies_of_weight(const Csr& p) {
  constexpr int64_t kCopies = 16, kPerCopy = 4;  // non-zeros of each feature
  return p.nnz() < kCopies * kPerCopy * p.cols || p.rows < kCopies ? 0 : kCopies;
}

// The gradient of `weight` is (X ∘ M)ᵀ dy, by copies.
template <class T>
void add_by_nodes(const Csr& p, const T* value, const T* dy, Var<T> weight, Arena& arena) {
  const int64_t d = weight.cols;
  const auto sums = block_sums<T>(arena, p.rows, copies_of_weight(p), weight.size());
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
  const DropoutMask mask = drops ? dropout_mask(tape.next_random(), p) : DropoutMask{};

  const Var<T> y = tape.make(x.pattern.rows, weight.cols, weight.learns());
  log_product<T>({.pattern = &x.pattern, .fixed = x.value.data(), .x = weight, .y = y});
  const T* masked = dropped<T>(tape.arena(), x.value, drops ? &mask : nullptr, nullptr);
  product<T>(x.pattern, masked, weight.value, weight.cols, {y.value, false});
  tape.on_backward(y, [=, &x, &tape] {
    if (copies_of_weight(x.pattern) > 0)
      return add_by_nodes<T>(x.pattern, masked, y.grad(), weight, tape.arena());
    const T* value =
        dropped<T>(tape.arena(), x.transposed_value, drops ? &mask : nullptr, x.place.data());
    product<T>(x.transposed, value, y.grad(), weight.cols, weight.grad_to_write());
  });
  return y;
}

template Var<float> sparse_features_times(const SparseFeatures&, Var<float>, double);
template Var<double> sparse_features_times(const SparseFeatures&, Var<double>, double);

}  // namespace mgnn
