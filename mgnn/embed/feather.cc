// FEATHER-G: characteristic functions of node features at the end of random walks. For r = 1..order,
// every feature x and every point θ, evenly from 0.01 to `last_point`, the mean over all nodes of
//
//   P^r cos(θ x)  and  P^r sin(θ x),   P = D^-1 A (weighted),
//
// which is a row of 2 order points features numbers. Features are log(degree + 1) and the clustering
// coefficient, of the undirected graph. Graphs without nodes have zeros. O(order arcs points) time,
// 64 columns at a time.
//
// karateclub adds a self-loop to every node, which counts twice in its degree.
//
// Rozemberczki, Sarkar. "Characteristic Functions on Graphs: Birds of a Feather, from Statistical
// Descriptors to Parametric Models", CIKM 2020.

#include <algorithm>
#include <cmath>

#include "mgnn/base/interrupt.h"
#include "mgnn/base/progress.h"
#include "mgnn/embed/arc_matrix.h"
#include "mgnn/embed/methods.h"
#include "mgnn/graph/graph.h"
#include "mgnn/graph/line_graph.h"
#include "mgnn/motif/census.h"
#include "mgnn/tensor/loops.h"

namespace mgnn {
namespace {

struct FeatherOptions {
  int64_t order = 5;        // maximum number of steps of a walk
  int64_t points = 25;      // at which the functions are evaluated
  double last_point = 2.5;  // the largest of them
  bool clustering = true;   // besides log(degree + 1), the clustering coefficient, as karateclub
  bool loops = false;       // a self-loop at every node, which counts twice in its degree
  uint64_t seed = 0;        // unused: nothing is random here
};

// Numbers of distinct neighbours, in either direction.
std::vector<double> degrees(const Graph& undirected) {
  std::vector<double> degree;
  for (NodeId u = 0; u < undirected.num_nodes(); u++)
    degree.push_back(double(undirected.out.row_size(u)));
  return degree;
}

// Clustering coefficients: the share of pairs of neighbours that are connected.
std::vector<double> clustering(const Graph& undirected) {
  constexpr size_t kTriangle = 4 - 1;  // M4: three mutual pairs
  const Census counts = census(undirected, {.per_node = true});
  std::vector<double> coefficient(undirected.num_nodes(), 0.);
  for (NodeId u = 0; u < undirected.num_nodes(); u++) {
    const double d = double(undirected.out.row_size(u));
    if (d > 1) coefficient[u] = 2 * double(counts.per_node[u][kTriangle]) / (d * (d - 1));
  }
  return coefficient;
}

// (features) x (n).
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

// P, with or without self-loops.
struct Transition {
  ArcMatrix p;
  std::vector<double> diagonal;  // (n) of the self-loops; empty: none

  void times(const double* x, int64_t columns, double* y) const {
    p.times(x, columns, y);
    if (diagonal.empty()) return;
    for_elements(p.pattern->rows * columns, 1,
                 [&](int64_t i) { y[i] += diagonal[i / columns] * x[i]; });
  }
};

Transition transition_of(const EmbedInput& input, const FeatherOptions& o) {
  ArcMatrices arcs = arc_matrices(input);
  std::vector<double> degree;
  for (NodeId u = 0; u < input.graph.num_nodes(); u++)
    degree.push_back(arcs.forward.row_sum(u) + (o.loops ? 2 : 0));
  divide_rows(arcs, degree);
  Transition transition{std::move(arcs.forward), {}};
  if (o.loops)
    for (const double d : degree) transition.diagonal.push_back(1 / d);
  return transition;
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

class Feather : public Embedding {
 public:
  Options options() override {
    return {option("order", o_.order, "maximum number of steps of a walk"),
            option("points", o_.points, "evaluation points of the characteristic functions"),
            option("last_point", o_.last_point, "the largest evaluation point"),
            option("clustering", o_.clustering, "clustering coefficients besides degrees"),
            option("loops", o_.loops, "add a self-loop that counts twice to every node"),
            option("seed", o_.seed, "unused: the method is not random")};
  }

  Matrix run(const EmbedInput& input) const override {
    constexpr int64_t kColumns = 64;  // at a time
    check(o_.order > 0 && o_.points > 0, "feather: order and points must be above 0, not {} and {}",
          o_.order, o_.points);
    const NodeId n = input.graph.num_nodes();
    const auto x = node_features(input.graph, o_);
    const Transition p = transition_of(input, o_);
    const int64_t functions = 2 * int64_t(x.size()) * o_.points;
    Matrix z(input.num_graphs(), functions * o_.order);
    Progress progress("walking", functions * o_.order, "functions");
    Array<double> now(n * kColumns), next(n * kColumns);
    for (int64_t begin = 0; begin < functions; begin += kColumns) {
      check_interrupted();
      const int64_t columns = std::min(kColumns, functions - begin);
      for_rows(n, columns * 20, [&](int64_t u) {
        for (int64_t c = 0; c < columns; c++) now[u * columns + c] = function(x, begin + c, u);
      });
      for (int64_t r = 0; r < o_.order; r++) {
        p.times(now.data(), columns, next.data());
        std::swap(now, next);
        set_means(input, now.data(), columns, functions * r + begin, z);
        progress.advance(columns);
      }
    }
    return z;
  }

 private:
  // cos(θ x_u) for the first half of the functions, sin(θ x_u) for the second.
  double function(const std::vector<std::vector<double>>& x, int64_t index, int64_t u) const {
    const int64_t half = int64_t(x.size()) * o_.points, feature = index % half / o_.points;
    const double angle = theta(index % o_.points) * x[feature][u];
    return index < half ? std::cos(angle) : std::sin(angle);
  }

  double theta(int64_t point) const {
    constexpr double kFirst = 0.01;
    if (o_.points == 1) return kFirst;
    return kFirst + (o_.last_point - kFirst) * double(point) / double(o_.points - 1);
  }

  FeatherOptions o_;
};

}  // namespace

std::unique_ptr<Embedding> make_feather() { return std::make_unique<Feather>(); }

}  // namespace mgnn
