// The sum in g_k runs over motifs, but motifs with equal matrices have equal h: their weights are
// summed first (exact), and G = [H | Z] V is one product with D + 1 blocks instead of K. All f_k
// come from F_j = H_j W_f. What follows is element by element and small; it is done across nodes,
// one vector lane each, while the block of nodes is in the cache.
//
// Backward, with u = dresult where β (f - g) > 0 and s' the slope of the gate:
//
//   dβ = Σ u (f - g),  dt = dβ s',  df = β u + dt g,  dg = -β u + dt f
//   dF_j = Σ_{k: index k = j} factor_k df_k,  dH_j = dF_j W_fᵀ + dG V_jᵀ,  dZ = dG V_Zᵀ
//   dV = [H | Z]ᵀ dG,  dW_f = Σ_j H_jᵀ dF_j, and each motif's weight gets its block of dV.
//
// Sums over nodes are made per chunk of nodes, a division that depends on n alone, and added in
// order. [1] Chen et al. "Motif Graph Neural Network", TNNLS 2023, Eq. 4 to 7.

#include "mgnn/tensor/redundancy.h"

#include <omp.h>

#include <limits>

#include "mgnn/base/cpu.h"
#include "mgnn/tensor/loops.h"
#include "mgnn/tensor/redundancy_kernel.h"

namespace mgnn {
namespace {

// What a row of g costs to compute again, in multiply-adds for each number, against what it costs
// to write and read it.
constexpr int64_t kDepthWorthSaving = 32;

// each(p, c, place in rest, factor) for every weight that is not of a zero matrix; it goes into
// V(p, c).
template <class T, class Each>
void for_folded(const BundleMap& map, const Redundancy<T>& r, Each each) {
  for (int64_t k = 0; k < r.motifs; k++)
    for (int64_t i = 0; i < r.motifs; i++) {
      const int64_t block = i == k ? r.distinct : map.index[i];
      const T factor = i == k ? T(1) : T(map.factor[i]);
      if (block < 0) continue;
      for (int64_t a = 0; a < r.d; a++)
        for (int64_t o = 0; o < r.out; o++)
          each(block * r.d + a, k * r.out + o, ((k * r.motifs + i) * r.d + a) * r.out + o, factor);
    }
}

// A matrix packed for tiles: element (i, p) is matrix[i row + p col].
template <class T>
const T* packed(Arena& arena, const T* matrix, int64_t rows, int64_t depth, int64_t row,
                int64_t col) {
  T* const to = arena.array<T>(in_tiles(rows) * depth);
  for (int64_t i = 0; i < in_tiles(rows); i++)
    for (int64_t p = 0; p < depth; p++)
      to[(i / kRedundancyHeight * depth + p) * kRedundancyHeight + i % kRedundancyHeight] =
          i < rows ? matrix[i * row + p * col] : T(0);
  return to;
}

// V ((D + 1) d, K d')
template <class T>
const T* folded_rest(Arena& arena, const BundleMap& map, const Redundancy<T>& r, const T* rest) {
  const int64_t size = r.depth() * r.cols();
  T* const to = arena.array<T>(size);
  std::fill_n(to, size, T(0));
  for_folded(map, r, [=](int64_t p, int64_t c, int64_t from, T factor) {
    to[p * r.cols() + c] += factor * rest[from];
  });
  return to;
}

template <class T>
void check_shapes(const BundleMap& map, Var<T> h, Var<T> z, const RedundancyWeights<T>& w) {
  const int64_t motifs = map.size(), d = z.cols, out = w.own.cols;
  check(motifs > 0 && map.factor.size() == map.index.size(),
        "minimise_redundancy: {} motifs and {} factors", motifs, map.factor.size());
  for (const int32_t i : map.index)
    check(i >= -1 && i < map.distinct, "minimise_redundancy: representation {} of {}", i,
          map.distinct);
  check(h.rows == z.rows && h.cols == map.distinct * d,
        "minimise_redundancy: representations ({}, {}) for {} of ({}, {})", h.rows, h.cols,
        map.distinct, z.rows, d);
  check(w.own.rows == d && w.own_bias.rows == 1 && w.own_bias.cols == out &&
            w.rest.rows == motifs * motifs * d && w.rest.cols == out &&
            w.rest_bias.rows == motifs && w.rest_bias.cols == out,
        "minimise_redundancy: weights ({}, {}), ({}, {}), ({}, {}), ({}, {}) do not fit {} motifs "
        "of {} columns",
        w.own.rows, w.own.cols, w.own_bias.rows, w.own_bias.cols, w.rest.rows, w.rest.cols,
        w.rest_bias.rows, w.rest_bias.cols, motifs, d);
}

// body(chunk, first, last, scratch) for chunks of nodes in parallel; chunk c begins at start(c).
template <class T, class Body, class Start>
void for_chunks(const Redundancy<T>& r, int64_t n, int64_t chunks, Arena& arena, Body body,
                Start start) {
  const int64_t work = n * r.depth() * r.cols() / 16;
  const int64_t size = in_panels(redundancy_scratch(r));  // all begin at a cache line
  const int threads = worth_threads(work) ? num_threads() : 1;
  T* const scratch = arena.array<T>(threads * size);
  if (MetaScope::active()) return;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
  for (int64_t c = 0; c < chunks; c++)
    body(c, start(c), start(c + 1), scratch + omp_get_thread_num() * size);
}

// The same for nearly equal chunks.
template <class T, class Body>
void for_chunks(const Redundancy<T>& r, int64_t n, int64_t chunks, Arena& arena, Body body) {
  for_chunks(r, n, chunks, arena, body, [=](int64_t c) {
    const int64_t blocks = (n + kRedundancyBlock - 1) / kRedundancyBlock;
    return std::min(n, split_point(blocks, chunks, c) * kRedundancyBlock);
  });
}

int64_t chunk_count(int64_t n) { return std::clamp<int64_t>(n / (4 * kRedundancyBlock), 1, 32); }

template <class T>
RedundancySums<T> sums_at(const Redundancy<T>& r, T* at) {
  T* const own = at + in_tiles(r.cols()) * in_panels(r.depth());
  T* const rest_bias = own + in_tiles(r.out) * in_panels(r.d);
  T* const own_bias = rest_bias + r.cols();
  return {.rest = at,
          .own = own,
          .rest_bias = rest_bias,
          .own_bias = own_bias,
          .next = own_bias + r.out};
}

// The sums of other ranks' chunks, then of those of this rank, which is not the first.
template <class T>
RedundancySums<T> sums_after_others(const Redundancy<T>& r, Var<T> z, const T* parts,
                                    int64_t chunks, int64_t size) {
  T* const sum = z.tape->arena().template array<T>(size);
  if (!MetaScope::active())
    z.share->comm->accumulate(sum, size * int64_t(sizeof(T)), [&] {
      for_elements(size, chunks, [=](int64_t i) {
        for (int64_t c = 0; c < chunks; c++) sum[i] += parts[c * size + i];
      });
    });
  return sums_at(r, sum);
}

// The sums of all chunks, added in order into those of the first.
template <class T>
RedundancySums<T> weight_sums(const Redundancy<T>& r, Var<T> z) {
  Arena& arena = z.tape->arena();
  const RowBlocks blocks = row_blocks(z.rows, chunk_count(z.rows), z.share);
  const int64_t chunks = blocks.count;
  const int64_t size = in_tiles(r.cols()) * in_panels(r.depth()) +
                       in_tiles(r.out) * in_panels(r.d) + r.cols() + r.out +
                       in_tiles(r.cols()) * in_panels(r.next_cols);
  T* const parts = arena.array<T>(chunks * size);
  const auto sum_chunk = [=](int64_t c, int64_t first, int64_t last, T* scratch) {
    std::fill_n(parts + c * size, size, T(0));
    const RedundancySums<T> sums = sums_at(r, parts + c * size);
    MGNN_DISPATCH(redundancy_backward, r, first, last, sums, scratch);
  };
  if (blocks.common)
    for_chunks(r, z.rows, chunks, arena, sum_chunk, [=](int64_t c) { return blocks.start(c); });
  else
    for_chunks(r, z.rows, chunks, arena, sum_chunk);
  if (z.share && z.share->comm->rank() > 0) return sums_after_others(r, z, parts, chunks, size);
  for_elements(size, chunks, [=](int64_t i) {
    for (int64_t c = 1; c < chunks; c++) parts[i] += parts[c * size + i];
  });
  if (z.share && !MetaScope::active())
    z.share->comm->accumulate(parts, size * int64_t(sizeof(T)), [] {});
  return sums_at(r, parts);
}

void check_dropouts(const RedundancyOptions& options, double next_dropout) {
  const auto probability = [](double p) { return p >= 0 && p < 1; };
  check(probability(options.weight_dropout) && probability(options.gate_dropout),
        "minimise_redundancy: dropouts {} and {} are not probabilities below 1",
        options.weight_dropout, options.gate_dropout);
  check(probability(next_dropout), "dropout: {} is not a probability below 1", next_dropout);
}

// One application, with what its backward pass needs again.
template <class T>
struct Minimisation {
  const BundleMap* map;
  Var<T> h, z;
  RedundancyWeights<T> w;
  Var<T> next;  // weight of the layer that follows; without a tape: none
  Var<T> y, product;

  Redundancy<T> r{};
  bool drops_own = false;  // W_f
  DropoutMask own_mask{};
  const T *rest = nullptr, *own = nullptr;  // V and W_f under dropout, row by row

  Arena& arena() const { return z.tape->arena(); }
  bool learns() const {
    return h.learns() || z.learns() || w.own.learns() || w.own_bias.learns() || w.rest.learns() ||
           w.rest_bias.learns();
  }
  uint64_t first_row() const { return z.share ? uint64_t(z.share->first) : 0; }
  T own_factor(int64_t i) const {
    return !drops_own ? T(1) : own_mask.keeps(uint64_t(i)) ? T(own_mask.factor) : T(0);
  }

  // The mask of W_f is drawn before that of β.
  void set_options(const RedundancyOptions& options) {
    Tape<T>& tape = *z.tape;
    drops_own = tape.training() && options.weight_dropout > 0;
    if (drops_own) own_mask = dropout_mask(tape.next_random(), options.weight_dropout);
    r.motifs = map->size(), r.distinct = map->distinct, r.d = z.cols, r.out = w.own.cols;
    r.index = map->index.data(), r.factor = map->factor.data();
    r.sigmoid = options.gate == Gate::sigmoid;
    r.floor = options.rectify ? T(0) : -std::numeric_limits<T>::infinity();
    r.drops = tape.training() && options.gate_dropout > 0;
    if (r.drops)
      r.mask =
          dropout_mask(tape.next_random(), options.gate_dropout, first_row() * uint64_t(r.motifs));
    r.h = h.value, r.z = z.value;
    r.rest_bias = w.rest_bias.value, r.own_bias = w.own_bias.value;
  }

  void pack_weights() {
    rest = folded_rest(arena(), *map, r, w.rest.value);
    T* const dropped = arena().template array<T>(w.own.size());
    for (int64_t i = 0; i < w.own.size(); i++) dropped[i] = own_factor(i) * w.own.value[i];
    own = dropped;
    r.rest = packed(arena(), rest, r.cols(), r.depth(), 1, r.cols());
    r.own = packed(arena(), own, r.out, r.d, 1, r.out);
  }

  void set_next(double dropout) {
    check(next.rows == r.cols(), "minimise_redundancy: {} columns times a weight ({}, {})",
          r.cols(), next.rows, next.cols);
    Tape<T>& tape = *z.tape;
    r.next_cols = next.cols;
    r.next = packed(arena(), next.value, next.cols, r.cols(), 1, next.cols);
    r.next_drops = tape.training() && dropout > 0;
    if (r.next_drops)
      r.next_mask = dropout_mask(tape.next_random(), dropout, first_row() * uint64_t(r.cols()));
  }

  void forward() {
    r.result = y.value, r.product = product.value;
    if ((y.learns() || product.learns()) && r.depth() >= kDepthWorthSaving)
      r.saved = arena().template array<T>(in_panels(z.rows) * r.state_size());
    for_chunks(r, z.rows, std::max<int64_t>(z.rows / kRedundancyBlock, 1), arena(),
               [this](int64_t, int64_t first, int64_t last, T* scratch) {
                 MGNN_DISPATCH(redundancy_forward, r, first, last, scratch);
               });
  }

  void backward() const {
    Redundancy<T> b = r;
    b.dresult = y.grad(), b.dproduct = product.grad();
    b.rest_back = packed(arena(), rest, r.depth(), r.cols(), r.cols(), 1);
    b.own_back = packed(arena(), own, r.d, r.out, r.out, 1);
    if (b.dproduct) b.next_back = packed(arena(), next.value, r.cols(), next.cols, next.cols, 1);
    if (h.learns()) {
      const Destination<T> to = h.grad_to_write();
      b.dh = to.at, b.dh_add = to.add;
    }
    if (z.learns()) {
      const Destination<T> to = z.grad_to_write();
      b.dz = to.at, b.dz_add = to.add;
    }
    add_weight_grads(weight_sums(b, z));
  }

  void add_weight_grads(const RedundancySums<T>& sums) const {
    add_grad(w.own, [=, this](int64_t i) {
      return own_factor(i) * sums.own[i % r.out * in_panels(r.d) + i / r.out];
    });
    add_grad(w.own_bias, [=](int64_t i) { return sums.own_bias[i]; });
    add_grad(w.rest_bias, [=](int64_t i) { return sums.rest_bias[i]; });
    if (product.grad())
      add_grad_rows(next, [=, this](int64_t i, int64_t c) {
        return sums.next[i * in_panels(r.next_cols) + c];
      });
    if (!w.rest.learns()) return;
    T* const rest_grad = w.rest.grad_to_add();
    for_folded(*map, r, [=, this](int64_t p, int64_t c, int64_t to, T factor) {
      rest_grad[to] += factor * sums.rest[c * in_panels(r.depth()) + p];
    });
  }
};

template <class T>
struct NextLayer {
  Var<T> weight = {};  // without a tape: there is none
  double dropout = 0;
  bool keeps_result = true;
};

template <class T>
RedundancyOutput<T> minimise(const BundleMap& map, Var<T> h, Var<T> z,
                             const RedundancyWeights<T>& w, const RedundancyOptions& options,
                             const NextLayer<T>& layer) {
  const Var<T> next = layer.weight;
  check_shapes(map, h, z, w);
  check_dropouts(options, layer.dropout);
  Tape<T>& tape = *z.tape;
  Minimisation<T> m{.map = &map, .h = h, .z = z, .w = w, .next = next};
  m.set_options(options);
  m.pack_weights();
  if (next.tape) m.set_next(layer.dropout);
  if (layer.keeps_result) m.y = tape.make(z.rows, m.r.cols(), m.learns());
  if (next.tape) m.product = tape.make(z.rows, next.cols, m.learns() || next.learns());
  m.forward();
  // Once, whichever of the two a gradient has reached.
  if (m.product.learns()) tape.on_backward(m.product, [m] { m.backward(); });
  if (m.y.learns())
    tape.on_backward(m.y, [m] {
      if (!m.product.grad()) m.backward();
    });
  return {m.y, m.product};
}

}  // namespace

template <class T>
Var<T> minimise_redundancy(const BundleMap& map, Var<T> h, Var<T> z, const RedundancyWeights<T>& w,
                           const RedundancyOptions& options) {
  return minimise(map, h, z, w, options, NextLayer<T>{}).result;
}

template <class T>
RedundancyOutput<T> minimise_redundancy_times(const BundleMap& map, Var<T> h, Var<T> z,
                                              const RedundancyWeights<T>& w,
                                              const RedundancyOptions& options, Var<T> next,
                                              double p, bool keeps_result) {
  return minimise(map, h, z, w, options,
                  NextLayer<T>{.weight = next, .dropout = p, .keeps_result = keeps_result});
}

#define MGNN_INSTANTIATE(T)                                                                    \
  template Var<T> minimise_redundancy(const BundleMap&, Var<T>, Var<T>,                        \
                                      const RedundancyWeights<T>&, const RedundancyOptions&);  \
  template RedundancyOutput<T> minimise_redundancy_times(                                      \
      const BundleMap&, Var<T>, Var<T>, const RedundancyWeights<T>&, const RedundancyOptions&, \
      Var<T>, double, bool);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn
