// The largest of a few columns, and whose they are, stay in registers while the neighbours go by.

#include "mgnn/tensor/maximum_kernel.h"

#include <type_traits>

#include "mgnn/tensor/vector_kernel.h"

namespace mgnn::MGNN_KERNEL {
namespace {

template <int vectors_, int lanes_>
struct Columns {
  static constexpr int vectors = vectors_, lanes = lanes_;
  int64_t c;
};

// body(columns) for pieces that together are the columns 0 .. d - 1.
template <class T, class Body>
inline void for_columns(int64_t d, Body body) {
  constexpr int L = kLanes<T>;
  int64_t c = 0;
  for (; c + 4 * L <= d; c += 4 * L) body(Columns<4, L>{c});
  for (; c + L <= d; c += L) body(Columns<1, L>{c});
  for (; c + 4 <= d; c += 4) body(Columns<1, 4>{c});
  for (; c < d; c++) body(Columns<1, 1>{c});
}

template <class T>
using Signed = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;

template <class C, class T>
void largest(const NeighbourMax<T>& m, C at, NodeId r) {
  using V = Vec<T, C::lanes>;
  using Whose = Vec<Signed<T>, C::lanes>;  // as wide as the numbers that are compared
  const Offset begin = m.start[r], end = m.start[r + 1];
  V maximum[C::vectors] = {};
  Whose from[C::vectors];
  for (int v = 0; v < C::vectors; v++) from[v] = Whose{} + (begin < end ? m.index[begin] : -1);
  if (begin < end)
    for (int v = 0; v < C::vectors; v++)
      maximum[v] = load<V>(m.x + m.index[begin] * m.d + at.c + v * C::lanes);
  for (Offset e = begin + 1; e < end; e++)
    for (int v = 0; v < C::vectors; v++) {
      const V other = load<V>(m.x + m.index[e] * m.d + at.c + v * C::lanes);
      const Whose larger = other > maximum[v];
      maximum[v] = larger ? other : maximum[v];
      from[v] = larger ? Whose{} + m.index[e] : from[v];
    }
  for (int v = 0; v < C::vectors; v++) {
    const int64_t to = r * m.d + at.c + v * C::lanes;
    store(m.y + to, maximum[v]);
    store(m.chosen + to, __builtin_convertvector(from[v], Vec<NodeId, C::lanes>));
  }
}

template <class C, class T>
void give_back(const NeighbourMaxBack<T>& m, C at, NodeId node) {
  using V = Vec<T, C::lanes>;
  using Whose = Vec<Signed<T>, C::lanes>;
  V sum[C::vectors] = {};
  for (Offset e = m.start[node]; e < m.start[node + 1]; e++)
    for (int v = 0; v < C::vectors; v++) {
      const int64_t from = m.index[e] * m.d + at.c + v * C::lanes;
      const Whose whose =
          __builtin_convertvector(load<Vec<NodeId, C::lanes>>(m.chosen + from), Whose);
      const V dy = load<V>(m.dy + from);
      sum[v] += whose == node ? dy : V{};
    }
  for (int v = 0; v < C::vectors; v++) {
    T* const to = m.dx + node * m.d + at.c + v * C::lanes;
    store(to, m.add ? load<V>(to) + sum[v] : sum[v]);
  }
}

}  // namespace

template <class T>
void neighbour_max(const NeighbourMax<T>& m, NodeId first, NodeId last) {
  for (NodeId r = first; r < last; r++)
    for_columns<T>(m.d, [&](auto columns) { largest(m, columns, r); });
}

template <class T>
void neighbour_max_back(const NeighbourMaxBack<T>& m, NodeId first, NodeId last) {
  for (NodeId node = first; node < last; node++)
    for_columns<T>(m.d, [&](auto columns) { give_back(m, columns, node); });
}

#define MGNN_INSTANTIATE(T)                                            \
  template void neighbour_max(const NeighbourMax<T>&, NodeId, NodeId); \
  template void neighbour_max_back(const NeighbourMaxBack<T>&, NodeId, NodeId);
MGNN_INSTANTIATE(float)
MGNN_INSTANTIATE(double)
#undef MGNN_INSTANTIATE

}  // namespace mgnn::MGNN_KERNEL
