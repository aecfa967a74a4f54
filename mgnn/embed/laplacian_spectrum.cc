// For a random vector v, vᵀ f(L) v is the integral of f over a measure whose Gauss quadrature is given
// by Lanczos' method (nodes: eigenvalues of the tridiagonal matrix, weights: squared first entries of
// its eigenvectors), and its mean over v is the trace. The null space of L is known, one vector D^½ 1
// for each component, so it is projected out and counted exactly: at large t it dominates e^-tL, and
// random vectors would sample it poorly.

#define EIGEN_DONT_PARALLELIZE  // the same sums for any number of threads

#include "mgnn/embed/laplacian_spectrum.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "mgnn/base/interrupt.h"
#include "mgnn/base/progress.h"
#include "mgnn/embed/arc_matrix.h"
#include "mgnn/tensor/loops.h"

namespace mgnn {
namespace {

// D^-½ W D^-½ of the nodes first .. last - 1, which have no edges to others.
struct Block {
  const Csr& pattern;
  const Array<double>& weight;
  const std::vector<double>& root;  // (all nodes) of the weighted degree
  NodeId first, last;

  int64_t size() const { return last - first; }
  double entry(NodeId u, Offset e) const { return weight[e] / (root[u] * root[pattern.index[e]]); }
  // y = L x; L of a node without edges is 0.
  void times(const double* x, double* y) const {
    for_rows(size(), 20, [&](int64_t r) {
      const NodeId u = first + NodeId(r);
      double sum = root[u] > 0 ? x[r] : 0;
      for (Offset e = pattern.start[u]; e < pattern.start[u + 1]; e++)
        if (weight[e] > 0) sum -= entry(u, e) * x[pattern.index[e] - first];
      y[r] = sum;
    });
  }
};

Spectrum exact_spectrum(const Block& block) {
  Eigen::MatrixXd laplacian = Eigen::MatrixXd::Zero(block.size(), block.size());
  for (NodeId u = block.first; u < block.last; u++) {
    if (block.root[u] > 0) laplacian(u - block.first, u - block.first) = 1;
    for (Offset e = block.pattern.start[u]; e < block.pattern.start[u + 1]; e++)
      if (block.weight[e] > 0)
        laplacian(u - block.first, block.pattern.index[e] - block.first) -= block.entry(u, e);
  }
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(laplacian, Eigen::EigenvaluesOnly)
          .eigenvalues();
  return {{values.begin(), values.end()}, std::vector<double>(values.size(), 1)};
}

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return ordered_sum(int64_t(a.size()), [&](int64_t i) { return a[i] * b[i]; });
}
void add(Vector& y, double factor, const Vector& x) {
  for_elements(int64_t(y.size()), 1, [&](int64_t i) { y[i] += factor * x[i]; });
}

// Orthonormal vectors of the null space, one for each component.
struct NullSpace {
  std::vector<NodeId> component;  // (n)
  Vector value;                   // (n) entries of the components' vectors
  int64_t count = 0;

  void project_out(Vector& x) const {
    Vector along(count, 0.);
    for (size_t i = 0; i < x.size(); i++) along[component[i]] += value[i] * x[i];
    for (size_t i = 0; i < x.size(); i++) x[i] -= along[component[i]] * value[i];
  }
};

NullSpace null_space(const Block& block) {
  NullSpace space{std::vector<NodeId>(block.size(), -1), Vector(block.size())};
  std::vector<NodeId> members;
  for (NodeId seed = 0; seed < NodeId(block.size()); seed++) {
    if (space.component[seed] >= 0) continue;
    members = {seed};
    space.component[seed] = NodeId(space.count);
    double squares = 0;
    for (size_t i = 0; i < members.size(); i++) {
      const NodeId u = block.first + members[i];
      squares += block.root[u] * block.root[u];
      for (Offset e = block.pattern.start[u]; e < block.pattern.start[u + 1]; e++) {
        const NodeId v = block.pattern.index[e] - block.first;
        if (block.weight[e] == 0 || space.component[v] >= 0) continue;
        space.component[v] = NodeId(space.count);
        members.push_back(v);
      }
    }
    for (const NodeId u : members)
      space.value[u] = squares == 0 ? 1 : block.root[block.first + u] / std::sqrt(squares);
    space.count++;
  }
  return space;
}

// Adds the quadrature of one random vector, whose weights add up to `weight_sum`.
void add_lanczos(const Block& block, const NullSpace& null, int64_t steps, Rng rng,
                 double weight_sum, Spectrum& spectrum) {
  Vector v(block.size());
  for (double& x : v) x = rng.chance(0.5) ? 1 : -1;
  null.project_out(v);
  std::vector<Vector> basis;
  Vector diagonal, off_diagonal, w(v.size());
  double length = std::sqrt(dot(v, v));
  if (length == 0) return;
  for (int64_t step = 0; step < steps && length > 1e-10; step++) {
    check_interrupted();
    for (double& x : v) x /= length;
    if (step > 0) off_diagonal.push_back(length);
    basis.push_back(v);
    block.times(v.data(), w.data());
    diagonal.push_back(dot(v, w));
    for (int twice = 0; twice < 2; twice++)
      for (const Vector& earlier : basis) add(w, -dot(w, earlier), earlier);
    null.project_out(w);
    std::swap(v, w);
    length = std::sqrt(dot(v, v));
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(
      Eigen::Map<Eigen::VectorXd>(diagonal.data(), Eigen::Index(diagonal.size())),
      Eigen::Map<Eigen::VectorXd>(off_diagonal.data(), Eigen::Index(off_diagonal.size())));
  for (Eigen::Index i = 0; i < solver.eigenvalues().size(); i++) {
    spectrum.value.push_back(solver.eigenvalues()[i]);
    spectrum.weight.push_back(weight_sum * std::pow(solver.eigenvectors()(0, i), 2));
  }
}

Spectrum sampled_spectrum(const Block& block, int64_t probes, int64_t steps, Rng rng) {
  const NullSpace null = null_space(block);
  Spectrum spectrum{{0}, {double(null.count)}};
  const double remaining = double(block.size() - null.count);
  Progress progress("probing", probes, "vectors");
  for (int64_t i = 0; i < probes; i++) {
    add_lanczos(block, null, steps, rng.split(uint64_t(i)), remaining / double(probes), spectrum);
    progress.advance(1);
  }
  return spectrum;
}

// (W + Wᵀ) / 2, or without weights 1 wherever there is an arc in either direction.
void add_undirected(const EmbedInput& input, Csr& pattern, Array<double>& value) {
  const Csr &out = input.graph.out, &in = input.graph.in;
  const ArcMatrices arcs = arc_matrices(input);
  pattern = {out.rows, out.cols, {0}, {}};
  for (NodeId u = 0; u < out.rows; u++) {
    for (Offset i = out.start[u], j = in.start[u]; i < out.start[u + 1] || j < in.start[u + 1];) {
      const NodeId to = i < out.start[u + 1] ? out.index[i] : out.rows;
      const NodeId from = j < in.start[u + 1] ? in.index[j] : out.rows;
      double weight = 0;
      if (to <= from) weight += arcs.forward.value[i++];
      if (from <= to) weight += arcs.backward.value[j++];
      pattern.index.push_back(std::min(to, from));
      value.push_back(input.arc_weight.empty() ? 1 : weight / 2);
    }
    pattern.start.push_back(Offset(pattern.index.size()));
  }
}

}  // namespace

LaplacianSpectra::LaplacianSpectra(const EmbedInput& input)
    : input_(input), root_(input.graph.num_nodes(), 0.) {
  add_undirected(input, pattern_, weight_);
  for (NodeId u = 0; u < pattern_.rows; u++) {
    for (Offset e = pattern_.start[u]; e < pattern_.start[u + 1]; e++) root_[u] += weight_[e];
    root_[u] = std::sqrt(root_[u]);
  }
}

Spectrum LaplacianSpectra::exact(NodeId graph) const {
  const auto [first, last] = input_.nodes_of(graph);
  return exact_spectrum({pattern_, weight_, root_, first, last});
}

Spectrum LaplacianSpectra::sampled(NodeId graph, int64_t probes, int64_t steps, Rng rng) const {
  const auto [first, last] = input_.nodes_of(graph);
  return sampled_spectrum({pattern_, weight_, root_, first, last}, probes, steps, rng);
}

}  // namespace mgnn
