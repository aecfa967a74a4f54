// Nodes go by in panels of two vectors. Everything about a panel is stored transposed, one row for each
// column of the matrix it is of, so that all products are of tiles of 6 rows with weights as the
// numbers that are broadcast, and what follows them is element by element. Only the gradients of
// weights, sums over nodes, are products of another kind: there the transposed gradient is broadcast
// and the rows of [H | Z] are the vectors.
#include "mgnn/tensor/redundancy_kernel.h"

#include "mgnn/tensor/lanes.h"

namespace mgnn::MGNN_KERNEL {
namespace {

template <class T>
using Lanes = Vec<T, kLanes<T>>;
template <class T>
constexpr int kPanel = 2 * kLanes<T>;
constexpr int kHeight = int(kRedundancyHeight);

// c (6, vectors) (+)= Σ_q Σ_{p < depth} a[q a_step + i a_row + p a_col] b[q depth + p].
template <int a_row, int a_col, int vectors = 2, class T>
inline __attribute__((always_inline)) void tile(const T* a, int64_t a_step, int64_t pieces,
                                                int64_t depth, const T* b, int64_t b_row, T* c,
                                                int64_t c_row, Update update) {
  using V = Lanes<T>;
  constexpr int L = kLanes<T>;
  V sum[kHeight][vectors];
  for (int i = 0; i < kHeight; i++)
    for (int v = 0; v < vectors; v++)
      sum[i][v] = update == Update::add ? load<V>(c + i * c_row + v * L) : V{};
  for (int64_t q = 0; q < pieces; q++) {
    const T* x = a + q * a_step;
    for (int64_t p = 0; p < depth; p++, x += a_col, b += b_row) {
      V row[vectors];
      for (int v = 0; v < vectors; v++) row[v] = load<V>(b + v * L);
      for (int i = 0; i < kHeight; i++)
        for (int v = 0; v < vectors; v++) sum[i][v] += x[i * a_row] * row[v];
    }
  }
  for (int i = 0; i < kHeight; i++)
    for (int v = 0; v < vectors; v++) store(c + i * c_row + v * L, sum[i][v]);
}

// c (rows in tiles, panel) (+)= M b for a packed M (rows, depth).
template <class T>
void times_packed(const T* m, int64_t rows, int64_t depth, const T* b, T* c, Update update) {
  constexpr int P = kPanel<T>;
  for (int64_t i = 0; i < rows; i += kHeight)
    tile<1, kHeight>(m + i * depth, 0, 1, depth, b, P, c + i * P, P, update);
}

// c (rows in tiles, cols in panels) += Σ over panels of nodes of transposed[i] row, where `transposed` has
// `step` numbers for each panel.
template <class T>
void add_node_sums(const T* transposed, int64_t step, int64_t panels, int64_t rows, const T* row,
                   int64_t stride, int64_t cols, T* c, int64_t c_row) {
  constexpr int P = kPanel<T>;
  for (int64_t j = 0; j < cols; j += P)
    for (int64_t i = 0; i < rows; i += kHeight) {
      const T* const a = transposed + i * P;
      T* const to = c + i * c_row + j;
      if (cols - j > kLanes<T>)
        tile<P, 1>(a, step, panels, P, row + j, stride, to, c_row, Update::add);
      else
        tile<P, 1, 1>(a, step, panels, P, row + j, stride, to, c_row, Update::add);
    }
}

// to[c, l] = rows[l, c] for `count` rows; zero in the lanes beyond.
template <class T>
void transpose_in(const T* rows, int64_t stride, int64_t cols, int64_t count, T* to) {
  constexpr int B = kSide<T>, P = kPanel<T>;
  if (count == P && cols >= B) {
    for (int64_t c = 0; c < cols; c += B) {
      const int64_t at = smaller(c, cols - B);  // the last block may overlap the one before
      for (int l = 0; l < P; l += B)
        transpose_block(rows + l * stride + at, stride, to + at * P + l, P);
    }
    return;
  }
  for (int64_t l = 0; l < P; l++)
    for (int64_t c = 0; c < cols; c++) to[c * P + l] = l < count ? rows[l * stride + c] : T(0);
}

// rows[l, c] (+)= from[c, l] for the first `count` lanes.
template <class T>
void transpose_out(const T* from, int64_t cols, int64_t count, T* rows, int64_t stride,
                   Update update) {
  constexpr int B = kSide<T>, P = kPanel<T>;
  if (count == P && cols >= B && update == Update::overwrite) {
    for (int64_t c = 0; c < cols; c += B) {
      const int64_t at = smaller(c, cols - B);
      for (int l = 0; l < P; l += B)
        transpose_block(from + at * P + l, P, rows + l * stride + at, stride);
    }
    return;
  }
  for (int64_t l = 0; l < count; l++)
    for (int64_t c = 0; c < cols; c++)
      rows[l * stride + c] =
          update == Update::add ? rows[l * stride + c] + from[c * P + l] : from[c * P + l];
}

template <class T>
void zero(T* at, int64_t count) {
  for (int64_t i = 0; i < count; i++) at[i] = 0;
}

// g, f and β of a panel of nodes.
template <class T>
struct GateState {
  T *g, *f, *beta;  // (K d', panel), (D d' in tiles, panel), (K, panel)
  GateState(const Redundancy<T>& r, T* at)
      : g(at), f(g + in_tiles(r.cols()) * kPanel<T>), beta(f + r.f_rows() * kPanel<T>) {}
};

template <class T>
struct Scratch {
  T* row;          // [H | Z] of a block (nodes, redundancy_row)
  T *dg, *df;      // of a block: for each panel (K d', panel), (D d' in tiles, panel)
  T* transposed;   // [H | Z] of a panel
  T* dtransposed;  // its gradient
  T* result;       // of a panel, or its gradient
  T* state;        // of a panel, where nothing is saved
  T* bias;         // sums of dg and df
  T* given;        // what the next layer was given, of a block: for each panel (K d', panel)
  T* dproduct;     // of a block (nodes, next_cols in panels)
  T* product;      // of a panel, or its gradient

  Scratch(const Redundancy<T>& r, T* at) {
    const int64_t wide = in_tiles(r.cols());
    const int64_t panel = kPanel<T> * (in_tiles(r.depth()) + kHeight);
    row = at;
    dg = row + kRedundancyBlock * redundancy_row(r);
    df = dg + kRedundancyBlock * wide;
    transposed = df + kRedundancyBlock * r.f_rows();
    dtransposed = transposed + panel;
    result = dtransposed + panel;
    state = result + kPanel<T> * wide;
    bias = state + kPanel<T> * r.state_size();
    product = bias + kPanel<T> * (r.cols() + r.out);
    given = product + kPanel<T> * in_tiles(r.next_cols);
    dproduct = given + kRedundancyBlock * wide;
  }
};

// β = s(t), by way of e^-|t|, which does not overflow.
template <class T>
inline __attribute__((always_inline)) Lanes<T> gate(bool sigmoid, Lanes<T> t) {
  const Lanes<T> size = t < 0 ? -t : t;
  const Lanes<T> e = exp_of_negative(size * (sigmoid ? T(-1) : T(-2)));
  const Lanes<T> large = (sigmoid ? Lanes<T>{} + T(1) : 1 - e) / (1 + e);  // s(|t|)
  return t < 0 ? (sigmoid ? 1 - large : -large) : large;
}

// The mask's elements (node + l) cols + c.
template <class T>
inline __attribute__((always_inline)) Lanes<T> mask_lanes(const DropoutMask& mask, int64_t node,
                                                          int64_t cols, int64_t c) {
  const T factor = T(mask.factor);
  const uint64_t first = mask.first + uint64_t(node * cols + c);
  const uint64_t last = first + uint64_t(kLanes<T> * cols);
  T factors[kLanes<T>];
  if (first >> 32 == last >> 32) {
    const auto high = uint32_t(first >> 32), low = uint32_t(first), step = uint32_t(cols);
#pragma omp simd
    for (uint32_t l = 0; l < kLanes<T>; l++)
      factors[l] = random_bits(mask.key, high, low + l * step) >= mask.threshold ? factor : T(0);
  } else {
    for (int l = 0; l < kLanes<T>; l++)
      factors[l] = mask.keeps(first - mask.first + uint64_t(l * cols)) ? factor : T(0);
  }
  return load<Lanes<T>>(factors);
}

// x (K d', panel) under the mask of what the next layer is given.
template <class T>
void drop_panel(const Redundancy<T>& r, int64_t node, T* x) {
  constexpr int P = kPanel<T>;
  for (int64_t c = 0; c < r.cols(); c++)
    for (int v = 0; v < P; v += kLanes<T>) {
      T* const at = x + c * P + v;
      store(at, load<Lanes<T>>(at) * mask_lanes<T>(r.next_mask, node + v, r.cols(), c));
    }
}

// f_k = bias + factor_k F_index(k); F of a zero matrix is zero.
template <class T>
struct Own {
  const T* f;
  const T* bias;
  T factor;
  Own(const Redundancy<T>& r, const T* all, int64_t k)
      : f(all + (r.index[k] < 0 ? 0 : r.index[k]) * r.own_rows() * kPanel<T>),
        bias(r.own_bias),
        factor(r.index[k] < 0 ? T(0) : T(r.factor[k])) {}
  inline __attribute__((always_inline)) Lanes<T> operator()(int64_t o) const {
    return bias[o] + factor * load<Lanes<T>>(f + o * kPanel<T>);
  }
};

// g holds products without bias on entry; g with bias, β and the result on return. `Out`: d', or 0
// where it is known at run time only; likewise below.
template <int Out, class T>
void gates(const Redundancy<T>& r, int64_t first, const GateState<T>& state, T* result) {
  using V = Lanes<T>;
  constexpr int P = kPanel<T>;
  const int64_t out = Out ? Out : r.out;
  for (int64_t k = 0; k < r.motifs; k++)
    for (int v = 0; v < P; v += kLanes<T>) {
      T* const g = state.g + k * out * P + v;
      const Own<T> own(r, state.f + v, k);
      V dot = {};
      for (int64_t o = 0; o < out; o++) {
        const V with_bias = load<V>(g + o * P) + r.rest_bias[k * out + o];
        store(g + o * P, with_bias);
        dot += own(o) * with_bias;
      }
      V b = gate<T>(r.sigmoid, dot);
      store(state.beta + k * P + v, b);
      if (!result) continue;
      if (r.drops) b *= mask_lanes<T>(r.mask, first + v, r.motifs, k);
      for (int64_t o = 0; o < out; o++) {
        const V y = b * (own(o) - load<V>(g + o * P));
        store(result + (k * out + o) * P + v, y > r.floor ? y : V{});
      }
    }
}

// From the gradient of the result to those of g and f, which is added to, and the result again.
template <int Out, class T>
void gates_backward(const Redundancy<T>& r, int64_t first, const GateState<T>& state,
                    const T* dresult, T* result, T* dg, T* df, T* own_bias, T* rest_bias) {
  using V = Lanes<T>;
  constexpr int P = kPanel<T>;
  const int64_t out = Out ? Out : r.out;
  for (int64_t k = 0; k < r.motifs; k++)
    for (int v = 0; v < P; v += kLanes<T>) {
      const int64_t at = k * out * P + v;
      const T* const g = state.g + at;
      const Own<T> own(r, state.f + v, k);
      const V raw = load<V>(state.beta + k * P + v);
      const V mask = r.drops ? mask_lanes<T>(r.mask, first + v, r.motifs, k) : V{} + T(1);
      const V b = raw * mask;
      V dbeta = {};
      for (int64_t o = 0; o < out; o++) {
        const V difference = own(o) - load<V>(g + o * P);
        const V through = load<V>(dresult + at + o * P);
        const V y = b * difference, u = y > r.floor ? through : V{};
        if (result) store(result + at + o * P, y > r.floor ? y : V{});
        store(dg + at + o * P, u);
        dbeta += u * difference;
      }
      const V dt = dbeta * mask * (r.sigmoid ? raw * (1 - raw) : 1 - raw * raw);
      T* const to = r.index[k] < 0 ? nullptr : df + r.index[k] * r.own_rows() * P + v;
      for (int64_t o = 0; o < out; o++) {
        const V u = b * load<V>(dg + at + o * P);
        const V to_f = u + dt * load<V>(g + o * P), to_g = dt * own(o) - u;
        store(dg + at + o * P, to_g);
        T *const of = own_bias + o * P + v, *const og = rest_bias + at + o * P;
        store(of, load<V>(of) + to_f);
        store(og, load<V>(og) + to_g);
        if (to) store(to + o * P, load<V>(to + o * P) + own.factor * to_f);
      }
    }
}

// g, f, β of a panel of nodes, and the result, unless it is null.
template <class T>
void panel_forward(const Redundancy<T>& r, int64_t first, int64_t count, T* transposed,
                   const GateState<T>& state, T* result) {
  constexpr int P = kPanel<T>;
  const int64_t h_cols = r.distinct * r.d;
  transpose_in(r.h + first * h_cols, h_cols, h_cols, count, transposed);
  transpose_in(r.z + first * r.d, r.d, r.d, count, transposed + h_cols * P);
  if (r.distinct == 0) zero(state.f, r.f_rows() * P);
  for (int64_t j = 0; j < r.distinct; j++)
    times_packed(r.own, r.out, r.d, transposed + j * r.d * P, state.f + j * r.own_rows() * P,
                 Update::overwrite);
  times_packed(r.rest, r.cols(), r.depth(), transposed, state.g, Update::overwrite);
  if (r.out == 6)
    gates<6>(r, first, state, result);
  else
    gates<0>(r, first, state, result);
}

// The gradient of the result, by way of the next layer's product and of the result itself.
template <class T>
void result_gradient(const Redundancy<T>& r, int64_t first, int64_t count, const Scratch<T>& s,
                     T* spare) {
  constexpr int P = kPanel<T>;
  const int64_t size = r.cols() * P;
  if (!r.dproduct)
    return transpose_in(r.dresult + first * r.cols(), r.cols(), r.cols(), count, s.result);
  transpose_in(r.dproduct + first * r.next_cols, r.next_cols, r.next_cols, count, s.product);
  times_packed(r.next_back, r.cols(), r.next_cols, s.product, s.result, Update::overwrite);
  if (r.next_drops) drop_panel(r, first, s.result);
  if (!r.dresult) return;
  transpose_in(r.dresult + first * r.cols(), r.cols(), r.cols(), count, spare);
  for (int64_t i = 0; i < size; i++) s.result[i] += spare[i];
}

template <class T>
void panel_backward(const Redundancy<T>& r, int64_t first, int64_t count, const Scratch<T>& s,
                    T* given, T* dg, T* df) {
  constexpr int P = kPanel<T>;
  const GateState<T> state(r, r.saved ? r.saved + first * r.state_size() : s.state);
  if (!r.saved) panel_forward<T>(r, first, count, s.transposed, state, nullptr);
  result_gradient(r, first, count, s, dg);
  zero(df, r.f_rows() * P);
  const int64_t beyond = (in_tiles(r.cols()) - r.cols()) * P;
  zero(dg + r.cols() * P, beyond);
  if (given) zero(given + r.cols() * P, beyond);
  T* const rest_bias = s.bias + r.out * P;
  if (r.out == 6)
    gates_backward<6>(r, first, state, s.result, given, dg, df, s.bias, rest_bias);
  else
    gates_backward<0>(r, first, state, s.result, given, dg, df, s.bias, rest_bias);
}

// dH = dG Vᵀ + dF W_fᵀ, dZ = dG V_Zᵀ.
template <class T>
void input_gradients(const Redundancy<T>& r, int64_t first, int64_t count, const T* dg, const T* df,
                     T* transposed) {
  constexpr int P = kPanel<T>;
  const int64_t h_cols = r.distinct * r.d;
  times_packed(r.rest_back, r.depth(), r.cols(), dg, transposed, Update::overwrite);
  // The tiles of one block may reach into the next, where they add zero.
  for (int64_t j = 0; j < r.distinct; j++)
    times_packed(r.own_back, r.d, r.out, df + j * r.own_rows() * P, transposed + j * r.d * P,
                 Update::add);
  if (r.dh)
    transpose_out(transposed, h_cols, count, r.dh + first * h_cols, h_cols, update_of(r.dh_add));
  if (r.dz)
    transpose_out(transposed + h_cols * P, r.d, count, r.dz + first * r.d, r.d,
                  update_of(r.dz_add));
}

// [H | Z] of some nodes, row by row; zeros for the nodes beyond them and in the last panel.
template <class T>
void copy_rows(const Redundancy<T>& r, int64_t first, int64_t count, int64_t rows, T* to) {
  const int64_t h_cols = r.distinct * r.d, stride = redundancy_row(r);
  for (int64_t i = 0; i < rows; i++, to += stride) {
    if (i >= count) {
      zero(to, stride);
      continue;
    }
    const T *h = r.h + (first + i) * h_cols, *z = r.z + (first + i) * r.d;
    for (int64_t c = 0; c < h_cols; c++) to[c] = h[c];
    for (int64_t c = 0; c < r.d; c++) to[h_cols + c] = z[c];
    zero(to + r.depth(), stride - r.depth());
  }
}

template <class T>
void copy_products(const Redundancy<T>& r, int64_t first, int64_t count, int64_t rows, T* to) {
  const int64_t cols = r.next_cols, stride = in_panels(cols);
  for (int64_t i = 0; i < rows; i++, to += stride)
    for (int64_t c = 0; c < stride; c++)
      to[c] = i < count && c < cols ? r.dproduct[(first + i) * cols + c] : T(0);
}

template <class T>
void add_lanes(const T* lanes, int64_t cols, T* to) {
  for (int64_t c = 0; c < cols; c++) {
    T sum = 0;
    for (int l = 0; l < kPanel<T>; l++) sum += lanes[c * kPanel<T> + l];
    to[c] += sum;
  }
}

}  // namespace

template <class T>
void redundancy_forward(const Redundancy<T>& r, int64_t first, int64_t last, T* scratch) {
  constexpr int P = kPanel<T>;
  const Scratch<T> s(r, scratch);
  for (; first < last; first += P) {
    const int64_t count = smaller<int64_t>(P, last - first);
    const GateState<T> state(r, r.saved ? r.saved + first * r.state_size() : s.state);
    panel_forward(r, first, count, s.transposed, state, s.result);
    if (r.result)
      transpose_out(s.result, r.cols(), count, r.result + first * r.cols(), r.cols(),
                    Update::overwrite);
    if (r.next_cols == 0) continue;
    if (r.next_drops) drop_panel(r, first, s.result);
    times_packed(r.next, r.next_cols, r.cols(), s.result, s.product, Update::overwrite);
    transpose_out(s.product, r.next_cols, count, r.product + first * r.next_cols, r.next_cols,
                  Update::overwrite);
  }
}

template <class T>
void redundancy_backward(const Redundancy<T>& r, int64_t first, int64_t last,
                         const RedundancySums<T>& sums, T* scratch) {
  constexpr int P = kPanel<T>;
  const Scratch<T> s(r, scratch);
  const int64_t g_step = in_tiles(r.cols()) * P, f_step = r.f_rows() * P;
  const int64_t stride = redundancy_row(r);
  zero(s.bias, (r.out + r.cols()) * P);
  zero(s.dtransposed, (in_tiles(r.depth()) + kHeight) * P);
  for (; first < last; first += kRedundancyBlock) {
    const int64_t count = smaller(kRedundancyBlock, last - first), panels = (count + P - 1) / P;
    for (int64_t q = 0; q < panels; q++) {
      const int64_t here = smaller<int64_t>(P, count - q * P), node = first + q * P;
      T *const dg = s.dg + q * g_step, *const df = s.df + q * f_step;
      T* const given = r.dproduct ? s.given + q * g_step : nullptr;
      panel_backward(r, node, here, s, given, dg, df);
      if (given && r.next_drops) drop_panel(r, node, given);
      if (r.dh || r.dz) input_gradients(r, node, here, dg, df, s.dtransposed);
    }
    if (r.dproduct) {
      copy_products(r, first, count, panels * P, s.dproduct);
      add_node_sums(s.given, g_step, panels, r.cols(), s.dproduct, in_panels(r.next_cols),
                    r.next_cols, sums.next, in_panels(r.next_cols));
    }
    copy_rows(r, first, count, panels * P, s.row);
    add_node_sums(s.dg, g_step, panels, r.cols(), s.row, stride, r.depth(), sums.rest,
                  in_panels(r.depth()));
    for (int64_t j = 0; j < r.distinct; j++)
      add_node_sums(s.df + j * r.own_rows() * P, f_step, panels, r.out, s.row + j * r.d, stride,
                    r.d, sums.own, in_panels(r.d));
  }
  add_lanes(s.bias, r.out, sums.own_bias);
  add_lanes(s.bias + r.out * P, r.cols(), sums.rest_bias);
}

#define MGNN_INSTANTIATE(T)                                                     \
  template void redundancy_forward(const Redundancy<T>&, int64_t, int64_t, T*); \
  template void redundancy_backward(const Redundancy<T>&, int64_t, int64_t,     \
                                    const RedundancySums<T>&, T*);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn::MGNN_KERNEL
