#include "mgnn/tensor/attention.h"

#include "mgnn/base/cpu.h"
#include "mgnn/tensor/attention_kernel.h"
#include "mgnn/tensor/loops.h"

namespace mgnn {
namespace {

constexpr int64_t kRowsTogether = 64;  // what they hear and say stays in the cache

// Rows in parts whose number depends on `rows` alone; each adds to numbers of its own.
template <class T>
struct Parts {
  int64_t rows, count, size;
  T* sums;  // (count, size)

  template <class Rows>
  void run(int64_t work, Rows rows_of) const {
#pragma omp parallel for schedule(dynamic, 1) if (worth_threads(work))
    for (int64_t p = 0; p < count; p++) {
      std::fill_n(sums + p * size, size, T(0));
      const int64_t end = split_point(rows, count, p + 1);
      for (int64_t r = split_point(rows, count, p); r < end; r += kRowsTogether)
        rows_of(NodeId(r), NodeId(std::min(end, r + kRowsTogether)), sums + p * size);
    }
  }

  // Numbers from `first` on are the gradient of x.
  void add_to(Var<T> x, int64_t first) const {
    add_grad(
        x,
        [=, this_ = *this](int64_t i) {
          T total = 0;
          for (int64_t p = 0; p < this_.count; p++) total += this_.sums[p * this_.size + first + i];
          return total;
        },
        count);
  }
};

template <class T>
Parts<T> make_parts(Arena& arena, int64_t rows, int64_t size) {
  const int64_t count = std::clamp<int64_t>(rows / kRowsTogether, 1, 64);
  return {rows, count, size, arena.array<T>(count * size)};
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
  for (const Var<T>& one : {target, source, bias})
    check(one.rows == 1 && one.cols == x.cols, "attend: ({}, {}) for {} columns", one.rows,
          one.cols, x.cols);
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
    const auto of_rows = make_parts<T>(arena, x.rows, x.cols);
    const auto of_columns = make_parts<T>(arena, x.rows, 2 * x.cols);
    of_rows.run(work, [&](NodeId f, NodeId l, T* dbias) {
      MGNN_DISPATCH(attention_back_rows, b, f, l, dbias);
    });
    of_columns.run(work, [&](NodeId f, NodeId l, T* sums) {
      MGNN_DISPATCH(attention_back_columns, b, f, l, sums, sums + x.cols);
    });
    of_rows.add_to(bias, 0);
    of_columns.add_to(target, 0);
    of_columns.add_to(source, x.cols);
  });
  return y;
}

#define MGNN_INSTANTIATE(T) \
  template Var<T> attend(const Pattern&, Var<T>, Var<T>, Var<T>, Var<T>, const AttentionOptions&);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)

}  // namespace mgnn
