#include "mgnn/base/cpu.h"
#include "mgnn/tensor/attention_kernel.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/ops.h"

namespace mgnn {
namespace {

constexpr int64_t kRowsTogether = 64;  // whose messages stay in the cache

template <class T>
BlockSums<T> sums_of_rows(Var<T> x, int64_t size) {
  return block_sums(x, std::clamp<int64_t>(x.rows / kRowsTogether, 1, 64), size);
}

// rows_of(first, last, part) for rows that are handled together.
template <class T, class Rows>
void run(const BlockSums<T>& sums, int64_t work, Rows rows_of) {
  sums.run(work, [&](int64_t, T* part, int64_t first, int64_t last) {
    for (int64_t r = first; r < last; r += kRowsTogether)
      rows_of(NodeId(r), NodeId(std::min(last, r + kRowsTogether)), part);
  });
}

// (nonzeros + those of other ranks in this rank's columns, stride)
template <class T>
T* with_others(const RowShare& rows, const PatternShare& share, const T* own, Offset nonzeros,
               int64_t stride, Arena& arena) {
  T* const all = arena.array<T>((nonzeros + share.nonzeros.rows) * stride);
  const T* const others = with_halo(rows, share.nonzeros, own, stride, arena);
  if (MetaScope::active()) return all;
  std::copy_n(own, nonzeros * stride, all);
  std::copy_n(others, share.nonzeros.rows * stride, all + nonzeros * stride);
  return all;
}

template <class T>
void check_attention(const Pattern& pattern, Var<T> x, Var<T> target, Var<T> source, Var<T> bias,
                     const AttentionOptions& o) {
  check(pattern.rows.rows == x.rows && (pattern.share || pattern.rows.cols == x.rows) &&
            bool(pattern.share) == bool(x.share),
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
  const auto of_nodes = [=, &arena](int64_t nodes) { return arena.array<T>(nodes * stride); };
  const auto of_edges = [=, &arena, &p] { return arena.array<T>(p.nnz() * stride); };
  const PatternShare* const share = pattern.share.get();
  const T* const nodes = share ? with_halo(*x.share, share->rows, x.value, x.cols, arena) : x.value;
  const int64_t before = share ? share->rows.before : 0;  // nodes before those of this rank
  // Scores are of all nodes that are read; `left` of those of this rank alone is used.
  T *const left = of_nodes(p.cols), *const right = of_nodes(p.cols), *const alpha = of_edges();
  const uint64_t first = share ? uint64_t(share->first_nonzero * o.heads) : 0;
  const Attention<T> a{
      .start = p.start.data(),
      .index = p.index.data(),
      .heads = o.heads,
      .width = x.cols / o.heads,
      .stride = stride,
      .slope = T(o.slope),
      .mask = drops ? dropout_mask(tape.next_random(), o.dropout, first) : DropoutMask{},
      .x = nodes,
      .target = target.value,
      .source = source.value,
      .bias = bias.value,
      .left = left,
      .right = right,
      .alpha = alpha,
      .used = drops ? of_edges() : alpha,
      .y = y.value};
  for_row_blocks(p.cols, p.cols * x.cols,
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(attention_scores, a, f, l); });
  Attention<T> own = a;  // rows are those of this rank
  own.left += before * stride;
  for_row_blocks(p.rows, work,
                 [&](NodeId f, NodeId l) { MGNN_DISPATCH(attention_rows, own, f, l); });
  tape.on_backward(y, [=, &arena, &pattern, &p] {
    const Csr& back = pattern.columns;
    const Destination<T> dx = x.learns() ? x.grad_to_write() : Destination<T>{nullptr, false};
    AttentionBack<T> b{.of = own,
                       .start = back.start.data(),
                       .index = back.index.data(),
                       .place = pattern.place.data(),
                       .dy = y.gradient->at,
                       .dscore = of_edges(),
                       .dleft = of_nodes(x.rows),
                       .dright = of_nodes(x.rows),
                       .dx = dx.at,
                       .add = dx.add};
    const auto of_rows = sums_of_rows(x, x.cols);
    const auto of_columns = sums_of_rows(x, 2 * x.cols);
    run(of_rows, work,
        [&](NodeId f, NodeId l, T* dbias) { MGNN_DISPATCH(attention_back_rows, b, f, l, dbias); });
    if (share) {
      b.dy = const_cast<T*>(with_halo(*x.share, share->back, b.dy, x.cols, arena));  // is read only
      b.dscore = with_others(*x.share, *share, b.dscore, p.nnz(), stride, arena);
      b.of.used = with_others(*x.share, *share, own.used, p.nnz(), stride, arena);
      b.of.x = x.value;
    }
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
