#include "mgnn/tensor/exchange.h"

#include "mgnn/tensor/loops.h"

namespace mgnn {

template <class T>
const T* with_halo(const RowShare& share, const Halo& halo, const T* x, int64_t cols,
                   int64_t row_step, Arena& arena) {
  T* const out = arena.array<T>(halo.sent_rows() * cols);
  T* const in = arena.array<T>(halo.rows * cols);
  if (MetaScope::active()) return in;
  for_rows(halo.sent_rows(), cols, [=, &halo](int64_t i) {
    std::copy_n(x + halo.send[i] * row_step, cols, out + i * cols);
  });
  const auto ranks = size_t(share.comm->size());
  const int64_t row_bytes = cols * int64_t(sizeof(T));
  std::vector<int64_t> out_bytes(ranks), in_bytes(ranks);
  for (size_t r = 0; r < ranks; r++) {
    out_bytes[r] = halo.send_count[r] * row_bytes;
    in_bytes[r] = halo.receive_count[r] * row_bytes;
  }
  share.comm->all_to_all(out, out_bytes, in, in_bytes);
  return in;
}

template <class T>
Var<T> gathered(Var<T> x) {
  if (!x.share) return x;
  const RowShare& share = *x.share;
  const Var<T> y = x.tape->make(share.total, x.cols, x.learns());
  if (!MetaScope::active()) {
    const std::vector<int64_t> first = gather(*share.comm, share.first);
    std::copy_n(x.value, x.size(), y.value + share.first * x.cols);
    for (size_t r = 0; r < first.size(); r++) {
      const int64_t end = r + 1 < first.size() ? first[r + 1] : share.total;
      share.comm->broadcast(y.value + first[r] * x.cols,
                            (end - first[r]) * x.cols * int64_t(sizeof(T)), int(r));
    }
  }
  x.tape->on_backward(y, [=, first = share.first] {
    const T* const dy = y.grad() + first * x.cols;
    add_grad(x, [=](int64_t i) { return dy[i]; });
  });
  return y;
}

#define MGNN_INSTANTIATE(T)                                                                      \
  template const T* with_halo(const RowShare&, const Halo&, const T*, int64_t, int64_t, Arena&); \
  template Var<T> gathered(Var<T>);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE
template const NodeId* with_halo(const RowShare&, const Halo&, const NodeId*, int64_t, int64_t,
                                 Arena&);

}  // namespace mgnn
