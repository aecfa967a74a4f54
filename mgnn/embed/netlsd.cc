// Traces of a function of L need its eigenvalues only. Small graphs: all of them, densely. Large
// ones: for a random vector v, vᵀ f(L) v is the integral of f over a measure whose Gauss quadrature
// Lanczos' method gives (nodes: eigenvalues of the tridiagonal matrix, weights: squared first
// entries of its eigenvectors), and its mean over v is the trace. The null space of L is known -
// one vector D^½ 1 for each component - so it is projected out and counted exactly: at large t it
// is all there is, and a random vector would see it poorly.
//
// Tsitsulin, Mottin, Karras, Bronstein, Müller. "NetLSD: Hearing the Shape of a Graph", KDD 2018.

#define EIGEN_DONT_PARALLELIZE  // the same sums for any number of threads

#include "mgnn/embed/netlsd.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "mgnn/base/error.h"
#include "mgnn/base/interrupt.h"
#include "mgnn/base/parallel.h"
#include "mgnn/base/progress.h"
#include "mgnn/base/rng.h"
#include "mgnn/embed/undirected.h"
#include "mgnn/tensor/loops.h"

namespace mgnn {
namespace {

using Complex = std::complex<double>;

// Eigenvalues with weights, whose sum is the number of nodes.
struct Spectrum {
  std::vector<double> value, weight;
};

// D^-½ W D^-½ of the nodes first .. last - 1, which have no edges to others.
struct Block {
  const UndirectedWeights& w;
  const std::vector<double>& root;  // (all nodes) of the weighted degree
  NodeId first, last;

  int64_t size() const { return last - first; }
  double entry(NodeId u, Offset e) const {
    return w.value[size_t(e)] / (root[size_t(u)] * root[size_t(w.pattern.index[e])]);
  }
  // y = L x; L of a node without edges is 0.
  void times(const double* x, double* y) const {
    for_rows(size(), 20, [&](int64_t r) {
      const NodeId u = first + NodeId(r);
      double sum = root[size_t(u)] > 0 ? x[r] : 0;
      for (Offset e = w.pattern.start[u]; e < w.pattern.start[u + 1]; e++)
        if (w.value[size_t(e)] > 0) sum -= entry(u, e) * x[w.pattern.index[e] - first];
      y[r] = sum;
    });
  }
};

Spectrum exact_spectrum(const Block& block) {
  Eigen::MatrixXd laplacian = Eigen::MatrixXd::Zero(block.size(), block.size());
  for (NodeId u = block.first; u < block.last; u++) {
    if (block.root[size_t(u)] > 0) laplacian(u - block.first, u - block.first) = 1;
    for (Offset e = block.w.pattern.start[u]; e < block.w.pattern.start[u + 1]; e++)
      if (block.w.value[size_t(e)] > 0)
        laplacian(u - block.first, block.w.pattern.index[e] - block.first) -= block.entry(u, e);
  }
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(laplacian, Eigen::EigenvaluesOnly)
          .eigenvalues();
  return {{values.begin(), values.end()}, std::vector<double>(size_t(values.size()), 1)};
}

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  return ordered_sum(int64_t(a.size()), [&](int64_t i) { return a[size_t(i)] * b[size_t(i)]; });
}
void add(Vector& y, double factor, const Vector& x) {
  for_elements(int64_t(y.size()), 1, [&](int64_t i) { y[size_t(i)] += factor * x[size_t(i)]; });
}

// Orthonormal vectors of the null space, one for each component; those of single nodes too.
struct NullSpace {
  std::vector<NodeId> component;  // (n)
  Vector value;                   // (n) of the vector of its component
  int64_t count = 0;

  void project_out(Vector& x) const {
    Vector along(size_t(count), 0.);
    for (size_t i = 0; i < x.size(); i++) along[size_t(component[i])] += value[i] * x[i];
    for (size_t i = 0; i < x.size(); i++) x[i] -= along[size_t(component[i])] * value[i];
  }
};

NullSpace null_space(const Block& block) {
  NullSpace space{std::vector<NodeId>(size_t(block.size()), -1), Vector(size_t(block.size()))};
  std::vector<NodeId> members;
  for (NodeId seed = 0; seed < NodeId(block.size()); seed++) {
    if (space.component[size_t(seed)] >= 0) continue;
    members = {seed};
    space.component[size_t(seed)] = NodeId(space.count);
    double squares = 0;
    for (size_t i = 0; i < members.size(); i++) {
      const NodeId u = block.first + members[i];
      squares += block.root[size_t(u)] * block.root[size_t(u)];
      for (Offset e = block.w.pattern.start[u]; e < block.w.pattern.start[u + 1]; e++) {
        const NodeId v = block.w.pattern.index[e] - block.first;
        if (block.w.value[size_t(e)] == 0 || space.component[size_t(v)] >= 0) continue;
        space.component[size_t(v)] = NodeId(space.count);
        members.push_back(v);
      }
    }
    for (const NodeId u : members)
      space.value[size_t(u)] =
          squares == 0 ? 1 : block.root[size_t(block.first + u)] / std::sqrt(squares);
    space.count++;
  }
  return space;
}

// Quadrature from one random start; `weight_sum` is what its weights add up to.
void add_lanczos(const Block& block, const NullSpace& null, int64_t steps, Rng rng,
                 double weight_sum, Spectrum& spectrum) {
  Vector v(size_t(block.size()));
  for (double& x : v) x = rng.chance(0.5) ? 1 : -1;
  null.project_out(v);
  std::vector<Vector> basis;
  Vector diagonal, beside, w(v.size());
  double length = std::sqrt(dot(v, v));
  if (length == 0) return;
  for (int64_t step = 0; step < steps && length > 1e-10; step++) {
    check_interrupted();
    for (double& x : v) x /= length;
    if (step > 0) beside.push_back(length);
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
      Eigen::Map<Eigen::VectorXd>(beside.data(), Eigen::Index(beside.size())));
  for (Eigen::Index i = 0; i < solver.eigenvalues().size(); i++) {
    spectrum.value.push_back(solver.eigenvalues()[i]);
    spectrum.weight.push_back(weight_sum * std::pow(solver.eigenvectors()(0, i), 2));
  }
}

Spectrum sampled_spectrum(const Block& block, const NetLsdOptions& o, Rng rng) {
  const NullSpace null = null_space(block);
  Spectrum spectrum{{0}, {double(null.count)}};
  const double rest = double(block.size() - null.count);
  Progress progress("probing", o.probes, "vectors");
  for (int64_t i = 0; i < o.probes; i++) {
    add_lanczos(block, null, o.steps, rng.split(uint64_t(i)), rest / double(o.probes), spectrum);
    progress.advance(1);
  }
  return spectrum;
}

Complex trace(const Spectrum& spectrum, LsdKernel kernel, double t) {
  Complex sum = 0;
  for (size_t i = 0; i < spectrum.value.size(); i++)
    sum +=
        spectrum.weight[i] * (kernel == LsdKernel::heat ? Complex(std::exp(-t * spectrum.value[i]))
                                                        : std::polar(1., -t * spectrum.value[i]));
  return sum;
}

Complex divisor(const NetLsdOptions& o, double n, double t) {
  switch (o.normalisation) {
    case LsdNormalisation::none:
      return 1;
    case LsdNormalisation::empty:
      return n;
    default:
      return 1. +
             (n - 1) * (o.kernel == LsdKernel::heat ? Complex(std::exp(-t)) : std::polar(1., -t));
  }
}

// karateclub asks for the n - 2 eigenvalues of largest magnitude.
void drop_two_smallest(Spectrum& spectrum) {
  const size_t dropped = std::min<size_t>(2, spectrum.value.size());  // they are ascending
  spectrum.value.erase(spectrum.value.begin(), spectrum.value.begin() + std::ptrdiff_t(dropped));
  spectrum.weight.resize(spectrum.value.size());
}

void fill_row(const Block& block, const NetLsdOptions& o, std::span<const double> scales, Rng rng,
              std::span<float> row) {
  if (block.size() == 0) return;
  Spectrum spectrum =
      block.size() <= o.exact_up_to ? exact_spectrum(block) : sampled_spectrum(block, o, rng);
  double n = double(block.size());
  if (o.karateclub) drop_two_smallest(spectrum), n = std::max(1., n - 2);
  for (size_t i = 0; i < scales.size(); i++) {
    const Complex value = trace(spectrum, o.kernel, scales[i]) / divisor(o, n, scales[i]);
    row[i] = float(value.real());
    if (o.kernel == LsdKernel::wave) row[scales.size() + i] = float(value.imag());
  }
}

}  // namespace

std::vector<double> netlsd_scales(const NetLsdOptions& o) {
  check(o.scales > 0, "netlsd: there must be at least one scale, not {}", o.scales);
  std::vector<double> scales;
  for (int64_t i = 0; i < o.scales; i++) {
    const double part = o.scales == 1 ? 0 : double(i) / double(o.scales - 1);
    scales.push_back(o.kernel == LsdKernel::heat ? std::pow(10., 4 * part - 2)
                                                 : 2 * std::numbers::pi * part);
  }
  return scales;
}

Matrix netlsd(const EmbedInput& input, const NetLsdOptions& o) {
  check(o.probes > 0 && o.steps > 0, "netlsd: probes and steps must be above 0, not {} and {}",
        o.probes, o.steps);
  const std::vector<double> scales = netlsd_scales(o);
  const UndirectedWeights weights = undirected_weights(input);
  std::vector<double> root(size_t(input.graph.num_nodes()), 0.);
  for (NodeId u = 0; u < input.graph.num_nodes(); u++) {
    for (Offset e = weights.pattern.start[u]; e < weights.pattern.start[u + 1]; e++)
      root[size_t(u)] += weights.value[size_t(e)];
    root[size_t(u)] = std::sqrt(root[size_t(u)]);
  }
  Matrix z(input.num_graphs(), int64_t(scales.size()) * (o.kernel == LsdKernel::wave ? 2 : 1));
  const Rng rng(o.seed);
  ParallelError error;
  Progress progress("spectra", z.rows, "graphs");
#pragma omp parallel for schedule(dynamic, 1) if (z.rows > 1 && worth_threads(z.rows * 20'000))
  for (int64_t g = 0; g < z.rows; g++)
    error.run([&] {
      check_interrupted();
      const auto [first, last] = input.nodes_of(NodeId(g));
      fill_row({weights, root, first, last}, o, scales, rng.split(uint64_t(g)), z.row(g));
      progress.advance(1);
    });
  error.rethrow();
  return z;
}

}  // namespace mgnn
