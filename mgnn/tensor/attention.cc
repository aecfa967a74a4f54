#include "mgnn/base/cpu.h"
#include "mgnn/tensor/attention_kernel.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {
namespace {

constexpr int64_t kRowsTogether = 64;  // whose messages stay in the cache

template <class T>
BlockSums<T> sums_of_rows(Arena& arena, int64_t rows, int64_t size) {
  return block_sums<T>(arena, rows, std::clamp<int64_t>(rows / kRowsTogether, 1, 64), size);
}

// rows_of(first, last, part) for rows that are handled together.
template <class T, class Rows>
void run(const BlockSums<T>& sums, int64_t work, Rows rows_of) {
  sums.run(work, [&](int64_t, T* part, int64_t first, int64_t last) {
    for (int64_t r = first; r < last; r += kRowsTogether)
      rows_of(NodeId(r), NodeId(std::min(last, r + kRowsTogether)), part);
  });
}

template <class T>
void check_attention(const Pattern& pattern, Var<T> x, Var<T> target, Var<T> source, Var<T> bias,
                     const AttentionOptions& o) {
  check(pattern.rows.rows == x.rows && pattern.rows.cols == x.rows,
        "attend: a pattern of {} rows and {} columns for {} nodes", pattern.rows.rows,
        pattern.rows.cols, x.rows);
  check(o.heads > 0 && x.cols % o.heads == 0, "attend: {} columns for {} heads", x.cols, o.heads);
  check(o.dropout >= 0 && o.dropout < 1, "attend: a dropout of {} is not a probability below 1",
        o.dropout);
  for (const Var<T>& weight : {target, source, bias})
    check(weight.rows == 1 && weight.cols == x.cols, "attend: ({}, {}) for {} columns", weight.rows,
          weight.cols, x.cols);
}

}  // namespace

template <class T>
Var<T> attend(const Pattern& pattern, Var<T> x, Var<T> target, Var<T> source, Var<T> bias,
              const AttentionOptions& o) {
  check_attention(pattern, x, target, source, bias, o);
  Tape<T>& tape = *x.tape;
  Arena& arena = tape.arena();
  const Csr& p = pattern.rows;
  const bool learns = x.learns() || target.learns() || source.learns() || bias.learns();
  const Var<T> y = tape.make(x.rows, x.cols, learns);
  const bool drops = tape.training() && o.dropout > 0;
  const int64_t stride = padded_heads(o.heads), work = spmm_work(p.nnz(), p.rows, x.cols);
  const auto of_nodes = [=, &arena] { return arena.array<T>(x.rows * stride); };
  const auto of_edges = [=, &arena, &p] { return arena.array<T>(p.nnz() * stride); };
  T *const left = of_nodes(), *const right = of_nodes(), *const alpha = of_edges();
  const Attention<T> a{.start = p.start.data(),
                       .index = p.index.data(),
                       .heads = o.heads,
                       .width = x.cols / o.heads,
                       .stride = stride,
                       .slope = T(o.slope),
                       .mask = drops ? dropout_mask(tape.next_random(), o.dropout) : DropoutMask{},
                       .x = x.value,
                       .target = target.value,
                       .source = source.value,
                       .bias = bias.value,
                       .left = left,
                       .right = right,
                       .alpha = alpha,
                       .used = drops ? of_edges() : alpha,
                       .y = y.value};
  for_row_blocks(p.rows, x.size(),
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(attention_scores, a, f, l); });
  for_row_blocks(p.rows, work, [&](NodeId f, NodeId l) { MGNN_DISPATCH(attention_rows, a, f, l); });
  tape.on_backward(y, [=, &arena, &pattern] {
    const Csr& back = pattern.columns;
    const Destination<T> dx = x.learns() ? x.grad_to_write() : Destination<T>{nullptr, false};
    const AttentionBack<T> b{.of = a,
                             .start = back.start.data(),
                             .index = back.index.data(),
                             .place = pattern.place.data(),
                             .dy = y.gradient->at,
                             .dscore = of_edges(),
                             .dleft = of_nodes(),
                             .dright = of_nodes(),
                             .dx = dx.at,
                             .add = dx.add};
    const auto of_rows = sums_of_rows<T>(arena, x.rows, x.cols);
    const auto of_columns = sums_of_rows<T>(arena, x.rows, 2 * x.cols);
    run(of_rows, work,
        [&](NodeId f, NodeId l, T* dbias) { MGNN_DISPATCH(attention_back_rows, b, f, l, dbias); });
    run(of_columns, work, [&](NodeId f, NodeId l, T* sums) {
      MGNN_DISPATCH(attention_back_columns, b, f, l, sums, sums + x.cols);
    });
    add_grad(bias, of_rows);
    add_grad(target, of_columns);
    add_grad(source, of_columns, x.cols);
  });
  return y;
}

#define MGNN_INSTANTIATE(T) \
  template Var<T> attend(const Pattern&, Var<T>, Var<T>, Var<T>, Var<T>, const AttentionOptions&);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn
