// Rozemberczki, Sarkar. "Characteristic Functions on Graphs: Birds of a Feather, from Statistical
// Descriptors to Parametric Models", CIKM 2020.

#include "mgnn/embed/feather.h"

#include <algorithm>
#include <cmath>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/progress.h"
#include "mgnn/embed/arc_matrix.h"
#include "mgnn/embed/undirected.h"
#include "mgnn/graph/builder.h"
#include "mgnn/graph/line_graph.h"
#include "mgnn/motif/census.h"
#include "mgnn/tensor/loops.h"

namespace mgnn {
namespace {

// Number of distinct neighbours, either way.
std::vector<double> degrees(const Graph& undirected) {
  std::vector<double> degree;
  for (NodeId u = 0; u < undirected.num_nodes(); u++)
    degree.push_back(double(undirected.out.row_size(u)));
  return degree;
}

// Share of the pairs of neighbours that are joined.
std::vector<double> clustering(const Graph& undirected) {
  constexpr size_t kTriangle = 4 - 1;  // M4: three two-way pairs
  const Census counts = census(undirected, {.per_node = true});
  std::vector<double> share(size_t(undirected.num_nodes()), 0.);
  for (NodeId u = 0; u < undirected.num_nodes(); u++) {
    const double d = double(undirected.out.row_size(u));
    if (d > 1) share[size_t(u)] = 2 * double(counts.per_node[size_t(u)][kTriangle]) / (d * (d - 1));
  }
  return share;
}

// x of every node: log(degree + 1) and, if asked for, clustering.
std::vector<std::vector<double>> node_features(const Graph& graph, const FeatherOptions& o) {
  const Graph undirected =
      is_undirected(graph)
          ? graph
          : build_graph(graph.num_nodes(), arcs(graph), {.symmetrise = true}).graph;
  std::vector<std::vector<double>> x = {degrees(undirected)};
  for (double& d : x[0]) d = std::log(d + (o.loops ? 3 : 1));
  if (o.clustering) x.push_back(clustering(undirected));
  return x;
}

// P, with or without loops.
struct Steps {
  ArcMatrix p;
  std::vector<double> stay;  // (n) the loops' share; empty: none

  void times(const double* x, int64_t columns, double* y) const {
    p.times(x, columns, y);
    if (stay.empty()) return;
    for_elements(p.pattern->rows * columns, 1,
                 [&](int64_t i) { y[i] += stay[size_t(i / columns)] * x[i]; });
  }
};

Steps walk_steps(const EmbedInput& input, const FeatherOptions& o) {
  ArcMatrices arcs = arc_matrices(input);
  std::vector<double> degree;
  for (NodeId u = 0; u < input.graph.num_nodes(); u++)
    degree.push_back(arcs.forward.row_sum(u) + (o.loops ? 2 : 0));
  divide_rows(arcs, degree);
  Steps steps{std::move(arcs.forward), {}};
  if (o.loops)
    for (const double d : degree) steps.stay.push_back(1 / d);
  return steps;
}

// Means over the nodes of each graph, to the columns of z from `to` on.
void set_means(const EmbedInput& input, const double* x, int64_t columns, int64_t to, Matrix& z) {
  for_rows(input.num_graphs(), input.graph.num_nodes() * columns / input.num_graphs(),
           [&](int64_t g) {
             const auto [first, last] = input.nodes_of(NodeId(g));
             for (int64_t c = 0; c < columns && first < last; c++) {
               double sum = 0;
               for (NodeId u = first; u < last; u++) sum += x[u * columns + c];
               z(g, to + c) = float(sum / double(last - first));
             }
           });
}

}  // namespace

Matrix feather(const EmbedInput& input, const FeatherOptions& o) {
  constexpr int64_t kColumns = 64;  // at a time
  check(o.order > 0 && o.points > 0, "feather: order and points must be above 0, not {} and {}",
        o.order, o.points);
  const NodeId n = input.graph.num_nodes();
  const auto x = node_features(input.graph, o);
  const Steps steps = walk_steps(input, o);
  const auto num_features = int64_t(x.size()), half = num_features * o.points;
  Matrix z(input.num_graphs(), 2 * half * o.order);
  Progress progress("walking", 2 * half * o.order, "functions");
  Array<double> now(size_t(n * kColumns)), next(size_t(n * kColumns));
  for (int64_t begin = 0; begin < 2 * half; begin += kColumns) {
    check_interrupted();
    const int64_t columns = std::min(kColumns, 2 * half - begin);
    for_rows(n, columns * 20, [&](int64_t u) {
      for (int64_t c = 0; c < columns; c++) {
        const int64_t function = (begin + c) % half, point = function % o.points;
        const double theta =
            o.points == 1 ? 0.01
                          : 0.01 + (o.last_point - 0.01) * double(point) / double(o.points - 1);
        const double angle = theta * x[size_t(function / o.points)][size_t(u)];
        now[size_t(u * columns + c)] = begin + c < half ? std::cos(angle) : std::sin(angle);
      }
    });
    for (int64_t r = 0; r < o.order; r++) {
      steps.times(now.data(), columns, next.data());
      std::swap(now, next);
      set_means(input, now.data(), columns, 2 * half * r + begin, z);
      progress.advance(columns);
    }
  }
  return z;
}

}  // namespace mgnn
