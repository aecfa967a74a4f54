// Slow and plain on purpose: motif matrices from the definitions, to check the fast code against.
#pragma once

#include <array>
#include <vector>

#include "mgnn/graph/graph.h"
#include "mgnn/motif/motifs.h"

namespace mgnn::reference {

// A dense square matrix of whole numbers.
struct Dense {
  int n = 0;
  std::vector<int64_t> data;
  explicit Dense(int size = 0) : n(size), data(size_t(size) * size_t(size), 0) {}
  int64_t& operator()(int i, int j) { return data[size_t(i) * size_t(n) + size_t(j)]; }
  int64_t operator()(int i, int j) const { return data[size_t(i) * size_t(n) + size_t(j)]; }
  friend bool operator==(const Dense&, const Dense&) = default;
};

inline Dense dense(const MotifMatrices& matrices, int motif) {
  Dense result(matrices.pattern.rows);
  for (NodeId i = 0; i < matrices.pattern.rows; i++)
    for (Offset e = matrices.pattern.start[i]; e < matrices.pattern.start[i + 1]; e++)
      result(i, matrices.pattern.index[e]) = matrices.count(motif, e);
  return result;
}

inline Dense adjacency(const Graph& graph) {
  Dense a(graph.num_nodes());
  for (NodeId u = 0; u < graph.num_nodes(); u++)
    for (const NodeId v : graph.out.row(u)) a(u, v) = 1;
  return a;
}

// Every instance of a motif: calls take(nodes) with the nodes that play 0, 1, 2, once for each
// automorphism. O(n³).
template <class Take>
void each_instance(const Dense& a, const Motif& m, bool induced, Take&& take) {
  Dense wanted(3);
  for (int i = 0; i < m.num_arcs; i++) wanted(m.arcs[i].from, m.arcs[i].to) = 1;
  const auto fits = [&](const std::array<int, 3>& node) {
    for (int p = 0; p < 3; p++)
      for (int q = 0; q < 3; q++) {
        if (p == q) continue;
        if (wanted(p, q) && !a(node[p], node[q])) return false;
        if (induced && !wanted(p, q) && a(node[p], node[q])) return false;
      }
    return true;
  };
  for (int x = 0; x < a.n; x++)
    for (int y = 0; y < a.n; y++)
      for (int z = 0; z < a.n; z++)
        if (x != y && y != z && x != z && fits({x, y, z})) take(std::array<int, 3>{x, y, z});
}

// The matrix of one motif by trying all triples, for `subgraph` and `induced`.
inline Dense motif_matrix(const Graph& graph, int number, Counting counting, Entry entry) {
  const Dense a = adjacency(graph);
  const Motif& m = motif(number);
  Dense result(a.n);
  each_instance(a, m, counting == Counting::induced, [&](const std::array<int, 3>& node) {
    Dense meet(3);
    for (int i = 0; i < m.num_arcs; i++) {
      meet(m.arcs[i].from, m.arcs[i].to) = 1;
      if (entry != Entry::arc) meet(m.arcs[i].to, m.arcs[i].from) = 1;
    }
    for (int p = 0; p < 3; p++)
      for (int q = 0; q < 3; q++)
        if (p != q && (meet(p, q) || entry == Entry::pair)) result(node[p], node[q])++;
  });
  for (int64_t& v : result.data) v /= m.automorphisms;
  return result;
}

// The same with the weights of instances, from the weights of arcs in the order of graph.out.
inline std::vector<double> weighted_motif_matrix(const Graph& graph, std::span<const float> weight,
                                                 MotifWeights weights, int number,
                                                 Counting counting, Entry entry) {
  const Dense a = adjacency(graph);
  const size_t n = size_t(a.n);
  std::vector<double> weight_of(n * n, 0.), result(n * n, 0.);
  for (size_t u = 0; u < n; u++)
    for (Offset e = graph.out.start[u]; e < graph.out.start[u + 1]; e++)
      weight_of[u * n + size_t(graph.out.index[e])] = weight[size_t(e)];
  const Motif& m = motif(number);
  each_instance(a, m, counting == Counting::induced, [&](const std::array<int, 3>& node) {
    double sum = 0, product = 1;
    Dense meet(3);
    for (int i = 0; i < m.num_arcs; i++) {
      const auto [from, to] = m.arcs[i];
      const double w = weight_of[size_t(node[from]) * n + size_t(node[to])];
      sum += w;
      product *= w;
      meet(from, to) = 1;
      if (entry != Entry::arc) meet(to, from) = 1;
    }
    for (int p = 0; p < 3; p++)
      for (int q = 0; q < 3; q++)
        if (p != q && (meet(p, q) || entry == Entry::pair))
          result[size_t(node[p]) * n + size_t(node[q])] +=
              weights == MotifWeights::mean ? sum : product;
  });
  for (double& x : result) {
    x /= m.automorphisms;
    if (weights == MotifWeights::mean) x /= m.num_arcs;
  }
  return result;
}

inline Dense product(const Dense& a, const Dense& b) {
  Dense c(a.n);
  for (int i = 0; i < a.n; i++)
    for (int k = 0; k < a.n; k++)
      if (a(i, k))
        for (int j = 0; j < a.n; j++) c(i, j) += a(i, k) * b(k, j);
  return c;
}
inline Dense transposed(const Dense& a) {
  Dense t(a.n);
  for (int i = 0; i < a.n; i++)
    for (int j = 0; j < a.n; j++) t(j, i) = a(i, j);
  return t;
}
inline Dense operator+(Dense a, const Dense& b) {
  for (size_t e = 0; e < a.data.size(); e++) a.data[e] += b.data[e];
  return a;
}
inline Dense operator-(Dense a, const Dense& b) {
  for (size_t e = 0; e < a.data.size(); e++) a.data[e] -= b.data[e];
  return a;
}
inline Dense operator*(Dense a, const Dense& b) {  // entrywise
  for (size_t e = 0; e < a.data.size(); e++) a.data[e] *= b.data[e];
  return a;
}
inline Dense row_scaled(Dense a, const std::vector<int64_t>& factor) {
  for (int i = 0; i < a.n; i++)
    for (int j = 0; j < a.n; j++) a(i, j) *= factor[i];
  return a;
}
inline std::vector<int64_t> row_sums(const Dense& a, int64_t plus = 0) {
  std::vector<int64_t> sum(size_t(a.n), plus);
  for (int i = 0; i < a.n; i++)
    for (int j = 0; j < a.n; j++) sum[i] += a(i, j);
  return sum;
}

// `edge` entries by products of dense matrices, X = A or U (closed motifs).
inline Dense closed_by_product(const Dense& x, const Dense& b, int number) {
  const Dense t = transposed(x);
  const auto sym = [](const Dense& c) { return c + transposed(c); };
  switch (number) {
    case 1:
      return sym(product(x, x) * t);
    case 2:
      return sym(product(b, x) * t + product(x, b) * t + product(x, x) * b);
    case 3:
      return sym(product(b, b) * x + product(b, x) * b + product(x, b) * b);
    case 4:
      return product(b, b) * b;
    case 5:
      return sym(product(x, x) * x + product(x, t) * x + product(t, x) * x);
    case 6:
      return product(x, b) * x + product(b, t) * t + product(t, x) * b;
    default:
      return product(t, b) * t + product(b, x) * x + product(x, t) * b;
  }
}

// The released code's open motifs, as it writes them.
inline Dense published_open(const Dense& a, int number) {
  const Dense t = transposed(a), b = a * t;
  Dense o = a;
  for (int i = 0; i < a.n; i++) o(i, i) = 1;
  const std::vector<int64_t> out = row_sums(o), out_less = row_sums(o, -1), in = row_sums(t),
                             in_less = row_sums(t, -1), bi = row_sums(b), bi_less = row_sums(b, -1);
  std::vector<int64_t> out_and_in = out;
  for (size_t i = 0; i < in.size(); i++) out_and_in[i] += in[i];
  Dense c(a.n);
  switch (number) {
    case 8:
      c = row_scaled(o, out_less);
      break;
    case 9:
      c = row_scaled(b, out_and_in) + row_scaled(o - b, in) + row_scaled(t - b, out);
      break;
    case 10:
      c = row_scaled(t, in_less);
      break;
    case 11:
      c = row_scaled(b, out_less) + row_scaled(o - b, bi);
      break;
    case 12:
      c = row_scaled(b, in_less) + row_scaled(t - b, bi);
      break;
    default:
      c = row_scaled(b, bi_less);
      break;
  }
  return c + transposed(c);
}

}  // namespace mgnn::reference
