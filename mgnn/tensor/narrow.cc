// dropout(x, p) w where w has few columns: x is read once each way, and what dropout leaves of it
// is written nowhere.

#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/narrow_kernel.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {
namespace {

template <class T>
const T* transposed(Arena& arena, Var<T> weight) {
  const int64_t stride = 16 * in_sixteens(weight.rows);
  T* const to = arena.array<T>(weight.cols * stride);
  std::fill_n(to, weight.cols * stride, T(0));
  for (int64_t r = 0; r < weight.rows; r++)
    for (int64_t c = 0; c < weight.cols; c++) to[c * stride + r] = weight(r, c);
  return to;
}

}  // namespace

template <class T>
Var<T> dropout_matmul(Var<T> x, Var<T> weight, double p) {
  if (weight.cols > kMaxNarrow || weight.cols == 0) return matmul(dropout(x, p), weight);
  check(x.cols == weight.rows, "matmul: invalid shapes ({}, {}) times ({}, {})", x.rows, x.cols,
        weight.rows, weight.cols);
  check(p >= 0 && p < 1, "dropout: {} is not a probability below 1", p);
  Tape<T>& tape = *x.tape;
  Arena& arena = tape.arena();
  const bool drops = tape.training() && p > 0;
  const Var<T> y = tape.make(x.rows, weight.cols, x.learns() || weight.learns());
  const Narrow<T> of{
      .depth = x.cols,
      .cols = weight.cols,
      .x = x.value,
      .weight = transposed(arena, weight),
      .mask = drops ? dropout_mask(tape.next_random(), p, first_element(x)) : DropoutMask{},
      .kept = drops ? arena.array<uint16_t>(x.rows * in_sixteens(x.cols)) : nullptr,
      .y = y.value};
  const int64_t work = x.size() * (1 + weight.cols / 8);
  for_row_blocks(x.rows, work, [&](int64_t f, int64_t l) { MGNN_DISPATCH(narrow_rows, of, f, l); });
  tape.on_backward(y, [=] {
    const Destination<T> dx = x.learns() ? x.grad_to_write() : Destination<T>{nullptr, false};
    const NarrowBack<T> b{
        .of = of, .dy = y.grad(), .dx = dx.at, .add = dx.add, .sums = weight.learns()};
    const int64_t stride = 16 * in_sixteens(x.cols);
    const auto sums =
        block_sums(x, std::clamp<int64_t>(x.rows / 256, 1, 64), b.sums ? weight.cols * stride : 0);
    sums.run(work, [&](int64_t, T* part, int64_t first, int64_t last) {
      MGNN_DISPATCH(narrow_back_rows, b, first, last, part);
    });
    add_grad(weight,
             [=](int64_t i) { return sums.total(i % weight.cols * stride + i / weight.cols); });
  });
  return y;
}

template Var<float> dropout_matmul(Var<float>, Var<float>, double);
template Var<double> dropout_matmul(Var<double>, Var<double>, double);

}  // namespace mgnn
